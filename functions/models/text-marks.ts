import { QuoteTracker } from './quoted-text.ts'
import { readWrittenCalls, tagMark, type WrittenCall } from './written-calls.ts'

interface TextMarkCallbacks {
  onText: (delta: string) => void
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
  '<｜end▁of▁sentence｜>',
  '</s>',
]

/** Harmony, the format of gpt-oss: https://developers.openai.com/cookbook/articles/openai-harmony. */
const harmony = { start: '<|start|>', channel: '<|channel|>', message: '<|message|>' }
const harmonyEnds = ['<|end|>', '<|call|>', '<|return|>']

/** Marks of pages that a model cites, which are cited beside the text: OpenAI's, and those of its browser. */
const citations: Readonly<Record<string, { end: string; isMark: (text: string) => boolean }>> = {
  '\uE200': { end: '\uE201', isMark: () => true },
  '【': { end: '】', isMark: (text) => /^\d{1,4}(:\d{1,4})?†/.test(text) },
}
const maxCitationCharacters = 200
const maxBlockCharacters = 200_000
const maxEndCharacters = 200

const openers = [
  ...Object.keys(callBlocks),
  ...Object.keys(bareCalls),
  ...orphanEnds,
  ...Object.keys(citations),
  ...endMarks,
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
  #state: 'start' | 'text' | 'header' | 'analysis' | 'final' | 'call' = 'start'
  #held = ''
  /** of what is held, where the end of a block was looked for */
  #searched = 0
  /** a block without an end could not be read: the rest of the text is within it */
  #hasOpenBlock = false
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
    return this.#readHarmony(isEnd)
  }

  #readStart(isEnd: boolean): boolean {
    const text = this.#held.trimStart()
    const begins = [harmony.start, harmony.channel]
    if (begins.some((mark) => text.startsWith(mark))) {
      this.#held = text
      this.#state = 'header'
    } else if (!isEnd && (text === '' || begins.some((mark) => mark.startsWith(text)))) return false
    else this.#state = 'text'
    return true
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
    if (orphanEnds.includes(mark)) {
      const taken = this.#take(mark.length)
      if (!this.#isBehindBareCall) this.#emit(taken)
      return true
    }
    if (endMarks.includes(mark)) return this.#readEndMark(mark, isEnd)
    const citation = citations[mark]
    return citation ? this.#readCitation(mark, citation, isEnd) : this.#readBlock(mark, isEnd)
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
    const from = Math.max(mark.length, this.#searched - (end ?? '').length)
    const at = end === undefined || this.#hasOpenBlock ? -1 : this.#held.indexOf(end, from)
    this.#searched = this.#held.length
    const mayEnd = !isEnd && !this.#hasOpenBlock && this.#held.length < maxBlockCharacters
    if (at === -1 && mayEnd) return false
    // what cannot be read may be words about the mark, and the block begins later
    const last = at === -1 ? 0 : this.#held.lastIndexOf(mark, at)
    if (last > 0) this.#emit(this.#take(last))
    const length = at === -1 ? this.#held.length : at - last
    const inner = this.#held.slice(isBare ? 0 : mark.length, length)
    const calls = this.#hasOpenBlock ? [] : readWrittenCalls(at === -1 ? cutEndMarks(inner) : inner)
    this.#hasOpenBlock ||= at === -1 && calls.length === 0
    this.#searched = 0
    const isCall = calls.length > 0 && this.#callbacks.onCalls(calls)
    const whole = length + (at === -1 ? 0 : (end ?? '').length)
    if (isCall) this.#isBehindBareCall = isBare
    if (isCall) this.#take(whole)
    else this.#emit(this.#take(at === -1 ? mark.length : whole))
    return this.#held !== ''
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    return taken
  }

  #emit(text: string): void {
    if (text === '') return
    if (text.trim() !== '') this.#isBehindBareCall = false
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
