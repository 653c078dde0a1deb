import { QuoteTracker } from './quoted-text.ts'
import { hasOpenValue, readOpenCalls, readWrittenCalls, tagMark, type WrittenCall } from './written-calls.ts'

interface TextMarkCallbacks {
  onText: (delta: string) => void
  /** the text so far, if it is one, was a thought */
  onThoughtEnd: () => void
  onReasoning: (delta: string) => void
  /** @returns false if it is no call of a tool that was offered: then its text is shown as it is */
  onCalls: (calls: readonly WrittenCall[]) => boolean
}

/** Blocks with calls, by their first mark; one without a last mark ends with the text. */
const callBlocks: Readonly<Record<string, string | undefined>> = {
  // Hermes and Qwen, https://github.com/Augustas11/macprovider/issues/743; GLM; MiniMax; Kimi; DeepSeek; Mistral; Llama
  '<tool_call>': '</tool_call>',
  '<minimax:tool_call>': '</minimax:tool_call>',
  '<function_calls>': '</function_calls>',
  // DeepSeek-V3.2 and V4, https://github.com/TokenRhythm/opensquilla/issues/985
  '<｜DSML｜function_calls>': '</｜DSML｜function_calls>',
  '<｜DSML｜tool_calls>': '</｜DSML｜tool_calls>',
  '<|tool_calls_section_begin|>': '<|tool_calls_section_end|>',
  // Gemma 4, https://github.com/jundot/omlx/issues/581
  '<|tool_call>': '<tool_call|>',
  // Kimi K3, as `readTag` writes it, https://github.com/can1357/oh-my-pi/issues/8495
  '<|open|>tools<|sep|>': '<|close|>tools<|sep|>',
  '<｜tool▁calls▁begin｜>': '<｜tool▁calls▁end｜>',
  '[TOOL_CALLS]': undefined,
  '<|python_tag|>': undefined,
}

/** Calls that stand alone, because the model left out the mark before them: https://github.com/ollama/ollama/issues/16686. */
const bareCalls: Readonly<Record<string, string>> = {
  '<function=': '</function>',
  '<｜DSML｜invoke ': '</｜DSML｜invoke>',
}
/** The last marks of blocks, which may follow such a call. */
const orphanEnds = Object.values(callBlocks).filter((end) => end !== undefined)

/**
 * Thoughts, by their first mark, and what ends them. Gemma 4: https://github.com/NousResearch/hermes-agent/pull/67632; Kimi-VL:
 * https://github.com/keinsaasforever/better-chatbot/issues/107. Nobody writes these, so they count anywhere.
 */
const thoughts: Readonly<Record<string, string>> = {
  '<|channel>thought': '<channel|>',
  '◁think▷': '◁/think▷',
  '<|open|>think<|sep|>': '<|close|>think<|sep|>',
}
const thoughtEnds = Object.values(thoughts)

/** Kimi K3 writes all its marks so, and servers put blanks between them: https://github.com/vllm-project/vllm/pull/50367. */
const tagBeginnings = ['<|open|>', '<|close|>']
const tagEnd = '<|sep|>'
const maxTagCharacters = 100
const emptyTags = ['response', 'message'].flatMap((name) =>
  tagBeginnings.map((beginning) => `${beginning}${name}${tagEnd}`),
)

/** What ends a turn in the templates of models. */
export const endMarks = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_text|>',
  '<|endoftext|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<end_of_turn>',
  '<turn|>',
  '<｜end▁of▁sentence｜>',
  '</s>',
]

/** Harmony, the format of gpt-oss: https://developers.openai.com/cookbook/articles/openai-harmony. */
const harmony = { start: '<|start|>', channel: '<|channel|>', message: '<|message|>' }
const harmonyEnds = ['<|end|>', '<|call|>', '<|return|>']

/** How harmony begins whose marks its server has taken out: https://github.com/raullenchai/Rapid-MLX/issues/480. */
const bareBeginnings = ['', 'assistant'].flatMap((role) => [`${role}analysis`, `${role}commentary to=`])
const bareHarmony = /^(?:assistant)?(?:commentary to=|analysis(?=[\p{Lu}\p{Lo}"“]))/u
const bareFinal = 'assistantfinal'
/** A model writes these words in one piece. */
const minBareCharacters = 4

/** The thought and the call of such a text. */
function readBareHarmony(text: string): { thought: string; call?: WrittenCall } {
  const whole = text.trim()
  const at = whole.indexOf('commentary to=')
  const before = at === -1 ? whole : whole.slice(0, at)
  const thought = before.replace(/^(?:assistant)?(?:analysis)?/, '').replace(/assistant$/, '')
  const pattern = /^commentary to=([\w.-]{1,100})\s{0,10}(?:json|code)?\s{0,10}(\{[^]*\})$/
  const [, name, args] = (at === -1 ? undefined : pattern.exec(whole.slice(at))) ?? []
  return { thought, ...(name !== undefined && args !== undefined && { call: { name, arguments: args } }) }
}

/** Marks of pages that a model cites, which are cited beside the text: OpenAI's, and those of its browser. */
const citations: Readonly<Record<string, { end: string; isMark: (text: string) => boolean }>> = {
  '\uE200': { end: '\uE201', isMark: () => true },
  '【': { end: '】', isMark: (text) => /^\d{1,4}(:\d{1,4})?†/.test(text) },
}
const maxCitationCharacters = 200
const maxOpenEnds = 4
const lastEnd = (ends: readonly { at: number; length: number }[]): number => {
  const last = ends.at(-1)
  return last ? last.at + last.length : 0
}
const maxBlockCharacters = 200_000
const maxEndCharacters = 200

const openers = [
  ...Object.keys(callBlocks),
  ...Object.keys(bareCalls),
  ...orphanEnds,
  ...Object.keys(citations),
  ...endMarks,
  ...Object.keys(thoughts),
  ...thoughtEnds,
  ...tagBeginnings,
  tagMark,
]

/** Where a text may begin one of the marks that is not complete yet; -1 if nowhere. */
export function findBeginning(text: string, marks: readonly string[]): number {
  const longest = 32
  for (let start = Math.max(0, text.length - longest); start < text.length; start += 1) {
    const rest = text.slice(start)
    if (marks.some((mark) => mark.length > rest.length && mark.startsWith(rest))) return start
  }
  return -1
}

const toPattern = (marks: readonly string[]) =>
  new RegExp(marks.map((mark) => mark.replace(/[|[\]]/g, '\\$&')).join('|'))

const openerPattern = toPattern(openers)
const headerMarks = [harmony.message]
const messageMarks = [...harmonyEnds, harmony.start, harmony.channel]
const headerPattern = toPattern(headerMarks)
const messagePattern = toPattern(messageMarks)

/** Marks that servers write with blanks. */
const tagPatterns = new Map(
  [...Object.keys(callBlocks), ...Object.values(callBlocks), ...thoughtEnds].flatMap((mark) => {
    const [, beginning, name] = /^<\|(open|close)\|>(\w+)<\|sep\|>$/.exec(mark ?? '') ?? []
    const pattern = new RegExp(`<\\|${beginning}\\|>\\s{0,4}${name}\\s{0,4}<\\|sep\\|>`, 'g')
    return mark !== undefined && name !== undefined ? [[mark, pattern] as const] : []
  }),
)

/** The first of some marks in a text. */
function findFirst(text: string, marks: RegExp): { mark: string; at: number } | undefined {
  const found = marks.exec(text)
  return found ? { mark: found[0], at: found.index } : undefined
}

/**
 * Reads the marks that models write into their text, and that servers without a parser for the model hand on: channels of harmony become
 * reasoning, text and calls, written calls become calls, marks of citations and of the end are left out. Code and quotations stay.
 */
export class TextMarks {
  readonly #callbacks: TextMarkCallbacks
  #state: 'start' | 'text' | 'header' | 'analysis' | 'final' | 'call' | 'bare' | 'thought' = 'start'
  /** what ends the thought that is read */
  #thoughtEnd = ''
  #held = ''
  /** of what is held, where the end of a block was looked for */
  #searched = 0
  /** of the block that is held, ends that are part of its values, as far as they are known */
  #openEnds: { at: number; length: number }[] = []
  /** a block without an end could not be read: the rest of the text is within it */
  #hasOpenBlock = false
  #hasText = false
  /** a thought has ended: blanks before the answer are none of it */
  #isBehindThought = false
  /** a call without its first mark was the last that came */
  #isBehindBareCall = false
  readonly #quotes = new QuoteTracker()
  /** of a harmony message */
  #header = ''

  constructor(callbacks: TextMarkCallbacks) {
    this.#callbacks = callbacks
  }

  add(delta: string): void {
    if (delta === '') return
    this.#held += delta
    this.#read(false)
  }

  end(): void {
    this.#read(true)
  }

  #read(isEnd: boolean): void {
    while (this.#step(isEnd));
  }

  /** @returns whether there may be more to read */
  #step(isEnd: boolean): boolean {
    if (this.#state === 'start') return this.#readStart(isEnd)
    if (this.#state === 'text') return this.#readText(isEnd)
    if (this.#state === 'thought') return this.#readThought(isEnd)
    if (this.#state === 'bare') return this.#readBareHarmony(isEnd)
    return this.#readHarmony(isEnd)
  }

  #readStart(isEnd: boolean): boolean {
    const text = this.#held.trimStart()
    const begins = [harmony.start, harmony.channel]
    if (begins.some((mark) => text.startsWith(mark))) {
      this.#held = text
      this.#state = 'header'
    } else if (bareHarmony.test(text)) this.#state = 'bare'
    else if (!isEnd && (text === '' || begins.some((mark) => mark.startsWith(text)))) return false
    else if (!isEnd && text.length >= minBareCharacters && bareBeginnings.some((one) => one.startsWith(text)))
      return false
    else this.#state = 'text'
    return true
  }

  /** Harmony whose marks the server has taken out, but not the words between them. */
  #readBareHarmony(isEnd: boolean): boolean {
    const at = this.#held.indexOf(bareFinal, Math.max(0, this.#searched - bareFinal.length))
    this.#searched = this.#held.length
    if (at === -1 && !isEnd && this.#held.length < maxBlockCharacters) return false
    this.#searched = 0
    this.#state = 'text'
    const { thought, call } = readBareHarmony(at === -1 ? this.#held : this.#held.slice(0, at))
    if (at === -1 && !(call && this.#callbacks.onCalls([call]))) return this.#held !== ''
    this.#emitReasoning(thought)
    this.#held = at === -1 ? '' : this.#held.slice(at + bareFinal.length)
    return this.#held !== ''
  }

  #readThought(isEnd: boolean): boolean {
    const end = this.#findEnd(this.#thoughtEnd)
    // a mark has its blanks
    const tail = end || isEnd ? -1 : this.#held.slice(-maxTagCharacters).search(/[<◁]/)
    const beginning = tail === -1 ? undefined : Math.max(0, this.#held.length - maxTagCharacters) + tail
    this.#emitReasoning(this.#take(end?.at ?? beginning ?? this.#held.length))
    if (!end) return false
    this.#take(end.length)
    this.#state = 'text'
    this.#isBehindThought = true
    return true
  }

  /** Where a mark stands in what is held, with blanks between its parts. */
  #findEnd(mark: string, from = 0): { at: number; length: number } | undefined {
    const pattern = tagPatterns.get(mark)
    if (!pattern) {
      const at = this.#held.indexOf(mark, from)
      return at === -1 ? undefined : { at, length: mark.length }
    }
    pattern.lastIndex = from
    const found = pattern.exec(this.#held)
    return found ? { at: found.index, length: found[0].length } : undefined
  }

  /** A tag of Kimi K3, from its first mark. @returns undefined if more of it may come */
  #readTag(mark: string, isEnd: boolean): string | undefined {
    const at = this.#held.slice(0, maxTagCharacters).indexOf(tagEnd)
    if (at === -1) return isEnd || this.#held.length >= maxTagCharacters ? '' : undefined
    const tag = `${mark}${this.#held.slice(mark.length, at).trim()}${tagEnd}`
    if (tag in callBlocks || tag in thoughts || [...thoughtEnds, ...emptyTags].includes(tag))
      this.#held = tag + this.#held.slice(at + tagEnd.length)
    return tag
  }

  #readHarmony(isEnd: boolean): boolean {
    const marks = this.#state === 'header' ? headerMarks : messageMarks
    const found = findFirst(this.#held, this.#state === 'header' ? headerPattern : messagePattern)
    const beginning = found || isEnd ? -1 : findBeginning(this.#held, marks)
    const taken = this.#held.slice(0, found?.at ?? (beginning === -1 ? undefined : beginning))
    this.#held = this.#held.slice(taken.length + (found?.mark.length ?? 0))
    if (this.#state === 'header') this.#header += taken
    else if (this.#state === 'analysis') this.#emitReasoning(taken)
    else if (this.#state === 'final') this.#emit(taken)
    else this.#header += taken
    if (!found) {
      if (isEnd && this.#state === 'call') this.#endCall()
      return false
    }
    if (this.#state === 'header') this.#beginMessage()
    else {
      if (this.#state === 'call') this.#endCall()
      this.#state = 'header'
      this.#header = ''
    }
    return true
  }

  /** A header such as `assistant<|channel|>commentary to=functions.name <|constrain|>json`. */
  #beginMessage(): void {
    const [, recipient] = /\bto=([\w.:-]{1,100})/.exec(this.#header) ?? []
    if (recipient !== undefined) {
      this.#state = 'call'
      this.#header = `${recipient}\n`
    } else this.#state = /analysis/.test(this.#header) ? 'analysis' : 'final'
  }

  #endCall(): void {
    const end = this.#header.indexOf('\n')
    const [name, input] = [this.#header.slice(0, end), this.#header.slice(end + 1).trim()]
    if (!this.#callbacks.onCalls([{ name, arguments: input }])) this.#emit(input)
  }

  #readText(isEnd: boolean): boolean {
    const found = findFirst(this.#held, openerPattern)
    if (!found) {
      const beginning = isEnd ? -1 : findBeginning(this.#held, openers)
      this.#emit(this.#take(beginning === -1 ? this.#held.length : beginning))
      return false
    }
    this.#emit(this.#take(found.at))
    const { mark } = found
    if (this.#quotes.isQuoted) {
      this.#emit(this.#take(mark.length))
      return true
    }
    if (mark === tagMark) return this.#take(mark.length) !== ''
    if (tagBeginnings.includes(mark)) return this.#readTagged(mark, isEnd)
    if (mark in thoughts || thoughtEnds.includes(mark)) return this.#readThoughtMark(mark, isEnd)
    if (orphanEnds.includes(mark)) {
      const taken = this.#take(mark.length)
      if (!this.#isBehindBareCall) this.#emit(taken)
      return true
    }
    if (endMarks.includes(mark)) return this.#readEndMark(mark, isEnd)
    const citation = citations[mark]
    return citation ? this.#readCitation(mark, citation, isEnd) : this.#readBlock(mark, isEnd)
  }

  #readTagged(mark: string, isEnd: boolean): boolean {
    const tag = this.#readTag(mark, isEnd)
    if (tag === undefined) return false
    if (emptyTags.includes(tag)) return this.#take(tag.length) !== ''
    if (tag in callBlocks) return this.#readBlock(tag, isEnd)
    if (tag in thoughts || thoughtEnds.includes(tag)) return this.#readThoughtMark(tag, isEnd)
    this.#emit(this.#take(mark.length))
    return this.#held !== ''
  }

  /** A last mark of a thought alone ends a text that was one, if anything follows: https://github.com/jundot/omlx/pull/2533. */
  #readThoughtMark(mark: string, isEnd: boolean): boolean {
    const end = thoughts[mark]
    if (end !== undefined) {
      this.#take(mark.length)
      this.#thoughtEnd = end
      this.#state = 'thought'
      return true
    }
    const rest = this.#held.slice(mark.length).trimStart()
    if (rest === '' && !isEnd) return false
    this.#held = rest
    if (rest !== '') this.#callbacks.onThoughtEnd()
    return rest !== ''
  }

  /** A mark of the end counts at the end of the text alone. */
  #readEndMark(mark: string, isEnd: boolean): boolean {
    const rest = this.#held.slice(mark.length).trimStart()
    const after = rest.length > maxEndCharacters ? rest : cutEndMarks(rest).trim()
    if (after === '' ? isEnd : !endMarks.some((one) => one.startsWith(after))) {
      if (after === '') this.#held = ''
      else this.#emit(this.#take(mark.length))
      return this.#held !== ''
    }
    // more may follow
    if (!isEnd) return false
    this.#held = rest
    return true
  }

  #readCitation(
    mark: string,
    { end, isMark }: { end: string; isMark: (text: string) => boolean },
    isEnd: boolean,
  ): boolean {
    const at = this.#held.slice(0, maxCitationCharacters).indexOf(end)
    if (at === -1 && !isEnd && this.#held.length < maxCitationCharacters) return false
    const inner = at === -1 ? '' : this.#held.slice(mark.length, at)
    if (at !== -1 && at < maxCitationCharacters && isMark(inner)) this.#take(at + end.length)
    else this.#emit(this.#take(mark.length))
    return true
  }

  #readBlock(mark: string, isEnd: boolean): boolean {
    const isBare = mark in bareCalls
    const end = isBare ? bareCalls[mark] : callBlocks[mark]
    const mayEnd = !isEnd && !this.#hasOpenBlock && this.#held.length < maxBlockCharacters
    const found = end === undefined || this.#hasOpenBlock ? undefined : this.#findBlockEnd(end, mark, mayEnd)
    const at = found?.at ?? -1
    this.#searched = this.#held.length
    if (at === -1 && mayEnd) return false
    this.#openEnds = []
    // what cannot be read may be words about the mark, and the block begins later
    const later = at === -1 ? 0 : this.#held.lastIndexOf(mark, at)
    const last = later > 0 && hasOpenValue(this.#held.slice(mark.length, later)) ? 0 : later
    if (last > 0) this.#emit(this.#take(last))
    const length = at === -1 ? this.#held.length : at - last
    const inner = this.#held.slice(isBare ? 0 : mark.length, length)
    const read = () => (at === -1 ? readOpenCalls(cutEndMarks(inner)) : readWrittenCalls(inner))
    const calls = this.#hasOpenBlock ? [] : read()
    this.#searched = 0
    const isCall = calls.length > 0 && this.#callbacks.onCalls(calls)
    this.#hasOpenBlock ||= at === -1 && !isCall
    const whole = length + (found?.length ?? 0)
    if (isCall) this.#isBehindBareCall = isBare
    if (isCall) this.#take(whole)
    else this.#emit(this.#take(at === -1 ? mark.length : whole))
    return this.#held !== ''
  }

  /**
   * The end of a block, past those in its values: https://github.com/local-inference-lab/vllm/pull/639. A block whose values do not end ends
   * at the first.
   */
  #findBlockEnd(end: string, mark: string, mayGoOn: boolean): { at: number; length: number } | undefined {
    const from = Math.max(mark.length, this.#searched - maxTagCharacters, lastEnd(this.#openEnds))
    for (let next = this.#findEnd(end, from); next; next = this.#findEnd(end, next.at + next.length)) {
      if (!hasOpenValue(this.#held.slice(mark.length, next.at))) return next
      this.#openEnds.push(next)
      if (this.#openEnds.length >= maxOpenEnds) break
    }
    return mayGoOn && this.#openEnds.length < maxOpenEnds ? undefined : this.#openEnds[0]
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    return taken
  }

  #emit(written: string): void {
    const text = this.#isBehindThought && !this.#hasText ? written.trimStart() : written
    if (text === '') return
    if (text.trim() !== '') {
      this.#isBehindBareCall = false
      this.#hasText = true
    }
    this.#quotes.add(text)
    this.#callbacks.onText(text)
  }

  #emitReasoning(text: string): void {
    if (text !== '') this.#callbacks.onReasoning(text)
  }
}

/** A text without the marks of an end behind it. */
export function cutEndMarks(text: string): string {
  for (let cut = text.trimEnd(); ;) {
    const mark = endMarks.find((one) => cut.endsWith(one))
    if (mark === undefined) return cut === text.trimEnd() ? text : cut
    cut = cut.slice(0, -mark.length).trimEnd()
  }
}
