// Gemma writes calls in a notation of its own: `call:name{text:<|"|>a<|"|>,list:[1,2],query:{n:2}}`, and `call:name(n=2)` in long prompts:
// https://github.com/jundot/omlx/issues/581, https://github.com/jundot/omlx/pull/1886, https://github.com/inclusionAI/AReno/issues/35.
// Models also leave commas out and write texts in single quotation marks: https://github.com/hybridgroup/yzma/pull/243,
// https://github.com/jundot/omlx/pull/1854.
import { parseJson } from '#shared/parse-json.ts'
import { tryParseExactJson } from '../platform/exact-json.ts'

const quote = '<|"|>'
const head = /^call:([\w.:-]{1,100})\s{0,10}([{(])/
const maxDepth = 20

class Unreadable extends Error {}

/** What stands behind the name or the value of a pair. */
const afterText = /\s{0,10}(?:[,:=}\])]|$)/y

/** The inner part of a text in single quotation marks, as JSON writes it. */
const toDoubleQuoted = (text: string) =>
  text.replace(/\\[^]|"/g, (found) => (found === "\\'" ? "'" : found === '"' ? '\\"' : found))

/** Reads one value after another of a text. */
class GemmaReader {
  readonly #text: string
  #at: number
  #depth = 0

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  get isEnd(): boolean {
    this.#skipBlanks()
    return this.#at >= this.#text.length
  }

  /** The pairs up to the bracket that ends them. */
  readObject(end: '}' | ')'): Record<string, unknown> {
    const pairs: [name: string, value: unknown][] = []
    this.#readList(end, () => {
      const name = this.#readText() ?? this.#takeUntil(/[:=]/y, /[^:=,{}[\]()]/y)
      if (!this.#take(':') && !this.#take('=')) throw new Unreadable()
      pairs.push([name.trim(), this.#readValue()])
    })
    return Object.fromEntries(pairs)
  }

  #readList(end: string, readOne: () => void): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new Unreadable()
    while (!this.#take(end)) {
      readOne()
      const isAfterText = this.#text.endsWith(quote, this.#at)
      if (this.#take(',')) continue
      if (this.#take(end)) break
      if (!isAfterText) throw new Unreadable()
    }
    this.#depth -= 1
  }

  #readValue(): unknown {
    const text = this.#readText()
    if (text !== undefined) return text
    if (this.#take('{')) return this.readObject('}')
    if (this.#take('[')) {
      const values: unknown[] = []
      this.#readList(']', () => values.push(this.#readValue()))
      return values
    }
    const bare = this.#takeUntil(/[,}\])]/y, /[^,}\])]/y).trim()
    if (bare === '') throw new Unreadable()
    return bare === 'null' ? null : (tryParseExactJson(bare) ?? bare)
  }

  /** A text between the model's marks, or in quotation marks. */
  #readText(): string | undefined {
    const mark = [quote, '"', "'"].find((one) => this.#take(one))
    if (mark === undefined) return undefined
    const start = this.#at
    const end = mark === quote ? this.#text.indexOf(quote, start) : this.#findClosing(mark)
    if (end === -1) throw new Unreadable()
    this.#at = end + mark.length
    const text = this.#text.slice(start, end)
    if (mark === quote) return text
    const parsed = parseJson(`"${mark === '"' ? text : toDoubleQuoted(text)}"`)
    return typeof parsed === 'string' ? parsed : text
  }

  /** The quotation mark that ends a text: not one behind a backslash, and not an apostrophe, behind which the text goes on. */
  #findClosing(mark: string): number {
    for (let at = this.#at; at < this.#text.length; at += this.#text.charAt(at) === '\\' ? 2 : 1) {
      if (this.#text.charAt(at) !== mark) continue
      afterText.lastIndex = at + 1
      if (mark === '"' || afterText.test(this.#text)) return at
    }
    return -1
  }

  #takeUntil(end: RegExp, inner: RegExp): string {
    const start = this.#at
    while (this.#at < this.#text.length && !this.#matches(end) && this.#matches(inner)) this.#at += 1
    return this.#text.slice(start, this.#at)
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text)
  }

  #take(mark: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1
  }
}

/** Reads one call in Gemma's notation. @returns undefined if it is none */
export function readGemmaCall(text: string): { name: string; arguments: string } | undefined {
  const [found, name, bracket] = head.exec(text) ?? []
  if (found === undefined || name === undefined) return undefined
  const reader = new GemmaReader(text, found.length)
  try {
    const input = reader.readObject(bracket === '{' ? '}' : ')')
    return reader.isEnd ? { name, arguments: JSON.stringify(input) } : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
