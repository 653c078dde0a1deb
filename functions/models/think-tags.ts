import { isQuoted } from './quoted-text.ts'
import { findBeginning } from './text-marks.ts'

/**
 * As the templates of models, or servers, write them. Mistral: https://github.com/RooCodeInc/Roo-Code/issues/8522; Gemini over Chat
 * Completions: thought; MiniMax: mm:think; Seed-OSS: seed:think. Words that prompts ask for, such as `<reasoning>`, are text.
 */
const openings = ['<think>', '<thinking>', '<thought>', '<mm:think>', '<seed:think>', '[think]']
const closings = openings.map((tag) => `${tag.slice(0, 1)}/${tag.slice(1)}`)
// Mistral's is a token, in capitals: other brackets are links
const openingTags = [/^\s*<(?:think|thinking|thought|mm:think|seed:think)>/i, /^\s*\[THINK\]/]
const closingTag = /<\/(?:think|thinking|thought|mm:think|seed:think)>|\[\/think\]/i

interface ThinkTagCallbacks {
  onText: (delta: string) => void
  onReasoning: (delta: string) => void
  /** the text so far was reasoning, whose opening tag the server has left out */
  onTextWasReasoning: () => void
}

/**
 * Takes reasoning in `<think>` tags, or tags like them, out of a text that arrives in pieces. Servers without a parser for reasoning
 * leave it there: https://docs.vllm.ai/en/latest/features/reasoning_outputs.html, https://github.com/ollama/ollama/blob/main/docs/capabilities/thinking.mdx.
 * It counts where it opens the text. Prompts of some models end with the opening tag, so that the text has the closing one alone
 * (https://huggingface.co/deepseek-ai/DeepSeek-R1-0528): on the first lines of a text, at the end of a line, and not quoted.
 */
export class ThinkTags {
  readonly #callbacks: ThinkTagCallbacks
  readonly #mayGoOn: boolean
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start'
  /** received, and not decided on */
  #held = ''
  #text = ''
  #thought = ''
  #hadTag = false

  /** @param mayGoOn the answer before ended with calls in the middle of a thought, which this text may go on with */
  constructor(callbacks: ThinkTagCallbacks, mayGoOn = false) {
    this.#callbacks = callbacks
    this.#mayGoOn = mayGoOn
  }

  add(delta: string): void {
    if (delta === '') return
    this.#held += delta
    this.#read(false)
  }

  /**
   * Decides on what is held at the end of the text. Text that opens with a tag, and has nothing behind it, was no reasoning, unless calls
   * follow: then the thought may go on in the next answer.
   * @returns whether it does
   */
  end(hasCalls = false): boolean {
    this.#read(true)
    if (this.#state !== 'thinking') return false
    if (!hasCalls && this.#text === '') this.#callbacks.onText(this.#thought.trim())
    return hasCalls
  }

  /** The text so far, if it is one, was a thought: its server has said so by a mark that nobody writes. */
  endThought(): void {
    if (this.#state === 'start' || this.#state === 'text') this.#read(true)
    if (this.#state !== 'text' || this.#hadTag || this.#text.trim() === '') return
    this.#hadTag = true
    this.#text = ''
    this.#state = 'after'
    this.#callbacks.onTextWasReasoning()
  }

  #read(isEnd: boolean): void {
    if (this.#state === 'start') this.#readStart(isEnd)
    if (this.#state === 'thinking') this.#readThought(isEnd)
    if (this.#state === 'after') this.#readAfter(isEnd)
    else if (this.#state === 'text') this.#readText(isEnd)
  }

  /** One thought may follow another: https://github.com/open-webui/open-webui/issues/24635. */
  #readAfter(isEnd: boolean): void {
    this.#held = this.#held.trimStart()
    if (this.#held === '') return
    this.#state = 'start'
    this.#read(isEnd)
  }

  #readStart(isEnd: boolean): void {
    const tag = openingTags.map((one) => one.exec(this.#held.slice(0, 1_000))).find(Boolean)
    const start = this.#held.trimStart().toLowerCase()
    if (tag) {
      this.#hadTag = true
      this.#held = this.#held.slice(tag[0].length)
      this.#state = 'thinking'
    } else if (isEnd || (start !== '' && !openings.some((one) => one.startsWith(start)))) this.#state = 'text'
  }

  #readThought(isEnd: boolean): void {
    const tag = closingTag.exec(this.#held)
    const thought = this.#take(tag?.index, isEnd)
    if (thought !== '') {
      this.#thought += thought
      this.#callbacks.onReasoning(thought)
    }
    if (!tag) return
    this.#held = this.#held.slice(tag[0].length)
    this.#state = 'after'
  }

  #readText(isEnd: boolean): void {
    const tag = this.#hadTag ? null : closingTag.exec(this.#held)
    if (!tag) return this.#addText(this.#take(undefined, isEnd))
    const next = this.#held.slice(tag.index + tag[0].length)
    // what follows decides
    if (/^[ \t]{0,20}$/.test(next) && !isEnd && !this.#mayGoOn) return
    this.#addText(this.#take(tag.index, isEnd))
    this.#hadTag = true
    const endsThought = this.#mayGoOn || /^[ \t]{0,20}(\n|$)/.test(next)
    if (!endsThought || isQuoted(this.#text)) return this.#addText(this.#take(undefined, isEnd))
    this.#text = ''
    this.#callbacks.onTextWasReasoning()
    this.#held = next
    this.#state = 'after'
    this.#read(isEnd)
  }

  #addText(text: string): void {
    if (text === '') return
    if (!this.#hadTag || this.#text === '') this.#text += text
    this.#callbacks.onText(text)
  }

  /** What is held up to an index or, without one, up to what may become a closing tag. */
  #take(end: number | undefined, isEnd: boolean): string {
    const start =
      this.#hadTag && this.#state === 'text' ? -1 : findBeginning(this.#held.toLowerCase(), closings)
    const taken = this.#held.slice(0, end ?? (isEnd || start === -1 ? undefined : start))
    this.#held = this.#held.slice(taken.length)
    return taken
  }
}
