import * as z from 'zod'

/**
 * The stored index of one file's text: `JIX1`, the length of the head (4 bytes, little-endian), the head (JSON), then for each segment its
 * table and its blocks. All numbers behind the head are LEB128.
 *
 * A table has of each passage the characters, the bytes in UTF-8 and the number of terms. A block has terms in the order of their code
 * units: how many code units each shares with the one before, the bytes of the rest, the rest, the number of passages, the bytes of the
 * postings, and per passage the distance from the one before and how often it has the term.
 */
export const indexVersion = 1
export const magic = 0x31_58_49_4a
/** Bytes before the head. */
export const prefixBytes = 8

const count = z.int().nonnegative()

export const indexHead = z.object({
  v: z.literal(indexVersion),
  characters: count,
  passages: count,
  terms: count,
  /** passages by language, the commonest first */
  languages: z.array(z.tuple([z.string(), count])),
  /** what the text seems to be about, for an answer without passages */
  headings: z.array(z.string()),
  segments: z.array(
    z.object({
      passages: count,
      tableBytes: count,
      /** the first term and the length of each block */
      blocks: z.array(z.tuple([z.string(), count])),
    }),
  ),
})
export type IndexHead = z.infer<typeof indexHead>

/** Of fewer passages the detection has erred. */
const leastShare = 0.05

/** The languages of a text, with their passages, the commonest first. */
export const listLanguages = ({ languages, passages }: Pick<IndexHead, 'languages' | 'passages'>) =>
  languages.filter(([, count]) => count >= passages * leastShare)

/** Characters of a passage at most: about a page. */
export const passageCharacters = 1_500

/** Splits a text after a paragraph, a line or a word, so that each part has at most `passageCharacters`, and no letter is divided. */
export function* splitPassages(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const rest = text.slice(from, from + passageCharacters)
    if (from + rest.length === text.length) {
      yield rest
      return
    }
    const half = passageCharacters / 2
    const breaks = [rest.lastIndexOf('\n\n') + 2, rest.lastIndexOf('\n') + 1, rest.lastIndexOf(' ') + 1]
    const isDivided = isHighSurrogate(rest.charCodeAt(rest.length - 1))
    const length = breaks.find((at) => at > half) ?? (isDivided ? rest.length - 1 : rest.length)
    yield rest.slice(0, length)
    from += length
  }
}

const isHighSurrogate = (code: number) => code >= 0xd8_00 && code <= 0xdb_ff

/** Writes numbers and texts one after another. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  number(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  clear(): void {
    this.#length = 0
  }

  /** What was written; valid until the next change. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Reads what `ByteWriter` wrote; beyond the end numbers are 0. */
export class ByteReader {
  #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  number(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }

  text(bytes: number): string {
    const part = Buffer.from(
      this.#bytes.buffer,
      this.#bytes.byteOffset + this.at,
      Math.min(bytes, this.#bytes.length - this.at),
    )
    this.at += bytes
    return part.toString('utf8')
  }
}
