import * as z from 'zod'
import { splitPassages } from './split-passages.ts'

/**
 * The stored vectors of one file's text: `JVX1`, the length of the header (4 bytes, little-endian), the header (JSON), then one vector after
 * another, each with a byte (int8) for a dimension: the largest value of a vector is 127 or -127. Vectors are compared by their angle.
 */
const vectorsVersion = 1
const magic = 0x31_58_56_4a
const prefixBytes = 8
const maxHeadBytes = 1024 * 1024

const count = z.int().nonnegative()

const vectorsHead = z.object({
  v: z.literal(vectorsVersion),
  model: z.string(),
  dimensions: z.int().positive().max(100_000),
  /** of the text that was embedded: another one has other passages */
  characters: count,
  /** windows of each passage, in the order of the index; passages behind the last one have none */
  windows: z.array(z.int().positive()),
})
type VectorsHead = z.infer<typeof vectorsHead>

/** The vectors of one file, by which a search compares passages by their meaning. */
export interface TextVectors extends Omit<VectorsHead, 'v'> {
  values: Int8Array
}

/** The vector of a whole page says little about one sentence, so a passage has a vector for each part of about this length. */
const windowCharacters = 500

/** Splits a passage into parts of about equal length, at blanks where there are some. */
export function splitWindows(passage: string): string[] {
  const count = Math.max(1, Math.ceil(passage.length / windowCharacters))
  const windows: string[] = []
  let from = 0
  for (let index = 1; index <= count; index += 1) {
    const even = Math.round((passage.length * index) / count)
    const blank = passage.lastIndexOf(' ', even)
    const to = index === count || blank <= from + windowCharacters / 4 ? even : blank + 1
    windows.push(passage.slice(from, to).toWellFormed())
    from = to
  }
  return windows
}

/**
 * The windows of a text's passages.
 * @param most no more windows than these: the passages behind them have none
 */
export function listWindows(text: string, most: number): string[][] {
  const windows: string[][] = []
  let total = 0
  for (const passage of splitPassages(text)) {
    const parts = splitWindows(passage)
    total += parts.length
    if (total > most) break
    windows.push(parts)
  }
  return windows
}

/** Quantises a vector to int8. One that is all zeros stays so. */
export function quantise(vector: ArrayLike<number>, into: Int8Array): void {
  let largest = 0
  for (let at = 0; at < into.length; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0))
  const scale = largest > 0 ? 127 / largest : 0
  for (let at = 0; at < into.length; at += 1) into[at] = Math.round((vector[at] ?? 0) * scale)
}

/** Writes vectors as they are stored. */
export function encodeVectors({ values, ...rest }: TextVectors): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(JSON.stringify({ v: vectorsVersion, ...rest } satisfies VectorsHead))
  const bytes = new Uint8Array(prefixBytes + head.length + values.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, head.length, true)
  bytes.set(head, prefixBytes)
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), prefixBytes + head.length)
  return bytes
}

/** @returns undefined for another version, and for what is damaged */
export function decodeVectors(bytes: Uint8Array): TextVectors | undefined {
  if (bytes.length < prefixBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const from = prefixBytes + view.getUint32(4, true)
  if (view.getUint32(0, true) !== magic || from > prefixBytes + maxHeadBytes) return undefined
  const head = parseHead(bytes.subarray(prefixBytes, from))
  if (!head) return undefined
  const { v: _, ...rest } = head
  const windows = rest.windows.reduce((sum, one) => sum + one, 0)
  if (bytes.length !== from + windows * rest.dimensions) return undefined
  return { ...rest, values: new Int8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from) }
}

function parseHead(bytes: Uint8Array): VectorsHead | undefined {
  try {
    return vectorsHead.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}
