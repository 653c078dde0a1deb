/** A conversation of an export as bytes of JSON, or what is in its place. */
export type JsonElement =
  | { readonly kind: 'object'; readonly bytes: Uint8Array }
  /** longer than the limit, cut off by the end of the file, or no object */
  | { readonly kind: 'tooLong' | 'unreadable' }

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, comma] = [code('"'), code('\\'), code(',')]
const [openBrace, closeBrace, openBracket, closeBracket] = [code('{'), code('}'), code('['), code(']')]
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** The member of a wrapping object that has the conversations. */
const listKey = 'conversations'

/**
 * Splits the JSON of an export into its conversations, without a string of the whole: a list, an object whose member `conversations` is a
 * list, or one conversation; what follows these is not read. What is invalid inside a conversation is not noticed here.
 * @param maxBytes of one conversation
 */
export async function* splitConversations(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<JsonElement> {
  const splitter = new Splitter(maxBytes)
  for await (const chunk of chunks) {
    yield* splitter.read(chunk)
    if (splitter.hasEnded) return
  }
  yield { kind: 'unreadable' }
}

/** Follows the structure of JSON byte by byte: strings, and how deep objects and lists are nested. */
class Splitter {
  /** whether the list, or the object, is closed, or there is neither: nothing that follows belongs to it */
  hasEnded = false
  readonly #maxBytes: number
  /** depth at which the conversations are; undefined until the list begins */
  #listDepth: number | undefined
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** whether something that is no object stands between two commas of the list */
  #hasOther = false
  /** bytes of the member name that may be `listKey` */
  #keyBytes: number[] | undefined
  #lastKey = ''
  /** the element being read: its parts, or only its size once it is too long */
  #parts: Uint8Array[] | undefined
  #size = 0
  /** where the element being read begins in the chunk being read */
  #start = 0
  /** what the byte being read has completed */
  readonly #found: JsonElement[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  *read(chunk: Uint8Array): Generator<JsonElement> {
    this.#start = 0
    for (let at = 0; at < chunk.length && !this.hasEnded; at += 1) {
      const byte = chunk[at] ?? 0
      if (this.#isInString) this.#readString(byte)
      else if (byte === openBrace || byte === openBracket) this.#open(byte, at)
      else if (this.#depth === 0) this.#readOutside(byte)
      else if (byte === quote) this.#beginString()
      else if (byte === closeBrace || byte === closeBracket) this.#close(chunk, at)
      else if (byte === comma) this.#readComma()
      else if (this.#depth === this.#listDepth && !isSpace(byte)) this.#hasOther = true
      if (this.#found.length > 0) yield* this.#found.splice(0)
    }
    if (this.#parts) this.#addPart(chunk.subarray(this.#start))
  }

  #readOutside(byte: number): void {
    if (isSpace(byte) || byteOrderMark.includes(byte)) return
    this.hasEnded = true
    this.#found.push({ kind: 'unreadable' })
  }

  #beginString(): void {
    this.#isInString = true
    if (this.#listDepth === undefined && this.#depth === 1) this.#keyBytes = []
    if (this.#depth === this.#listDepth) this.#hasOther = true
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#isInString = false
      if (this.#keyBytes) this.#lastKey = String.fromCharCode(...this.#keyBytes)
      this.#keyBytes = undefined
    } else if (this.#keyBytes && this.#keyBytes.length <= listKey.length) this.#keyBytes.push(byte)
  }

  #open(byte: number, at: number): void {
    const depth = this.#depth
    const isList = byte === openBracket
    const mayBeList = depth === 0 || (depth === 1 && this.#lastKey === listKey)
    if (this.#listDepth === undefined && isList && mayBeList) {
      this.#listDepth = depth + 1
      // the object around the list is no conversation
      this.#parts = undefined
    } else if (depth === (this.#listDepth ?? 0) && !isList) {
      this.#parts = []
      this.#size = 0
      this.#start = at
    } else if (depth === this.#listDepth) this.#hasOther = true
    this.#depth += 1
  }

  #close(chunk: Uint8Array, at: number): void {
    this.#depth -= 1
    if (this.#parts && this.#depth === (this.#listDepth ?? 0)) {
      this.#addPart(chunk.subarray(this.#start, at + 1))
      this.#found.push(this.#takeElement())
    }
    this.hasEnded = this.#listDepth === undefined ? this.#depth === 0 : this.#depth < this.#listDepth
    if (this.hasEnded && this.#hasOther) this.#found.push({ kind: 'unreadable' })
  }

  #readComma(): void {
    if (this.#depth === this.#listDepth) {
      if (this.#hasOther) this.#found.push({ kind: 'unreadable' })
      this.#hasOther = false
    }
    if (this.#depth === 1 && this.#listDepth === undefined) this.#lastKey = ''
  }

  #addPart(part: Uint8Array): void {
    this.#size += part.length
    if (this.#size > this.#maxBytes) this.#parts = []
    else this.#parts?.push(part)
  }

  #takeElement(): JsonElement {
    const parts = this.#parts ?? []
    this.#parts = undefined
    if (this.#size > this.#maxBytes) return { kind: 'tooLong' }
    return {
      kind: 'object',
      bytes: parts.length === 1 && parts[0] ? parts[0] : concatenate(parts, this.#size),
    }
  }
}

function concatenate(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
