import * as z from 'zod'
import { listMarks } from './place-marks.ts'

/** The version of the readers: a file that an earlier one read is read again when it is used. */
export const readerVersion = 7

const count = z.int().nonnegative()

/** What the row of a file has of its stored text. */
export const storedText = z.object({
  /** characters (UTF-16 code units), and bytes of the object */
  characters: count,
  bytes: count,
  /** where parts begin that can be decoded by themselves, in characters and in bytes; the first begins at 0 */
  parts: z.array(z.tuple([count, count])),
  /** the place in which each part begins, '' before the first one; absent for a document without places */
  places: z.array(z.string().max(120)).optional(),
  /** ISO 639-1 codes of the languages it seems to be written in, the commonest first */
  languages: z.array(z.string().regex(/^[a-z]{2,3}$/)).max(8),
  /** whether it can be searched */
  isIndexed: z.boolean(),
})
export type StoredText = z.infer<typeof storedText>

/** Pictures of a document's pages, one after another in an object of its own: the page, and the bytes of its picture. */
export const maxStoredPictures = 10
export const storedPictures = z
  .array(z.tuple([z.int().positive(), z.int().positive()]))
  .max(maxStoredPictures)
export type StoredPictures = z.infer<typeof storedPictures>

/**
 * PDFs of pages that a text does not show, behind the pictures: their pages, and their bytes. As many as a request has room for: Bedrock
 * takes 20 MB, Anthropic 32 MB and 100 pages for a window of 200,000 tokens, OpenAI 50 MB.
 */
export const pagesOfScan = 5
export const maxScanPages = 100
export const maxScanBytes = 8 * 1024 * 1024
export const storedScans = z.object({
  /** how many pages the text does not show, with those that have no PDF */
  of: count,
  parts: z
    .array(
      z.tuple([z.array(z.int().positive()).min(1).max(pagesOfScan), z.int().positive().max(maxScanBytes)]),
    )
    .max(maxScanPages / pagesOfScan),
})
export type StoredScans = z.infer<typeof storedScans>

/** Characters of a part: a range of a text is read by its parts. */
export const partCharacters = 128 * 1024

/** Encodes a text in parts. */
export function encodeText(text: string): {
  bytes: Uint8Array<ArrayBuffer>
  parts: [number, number][]
  places?: string[]
} {
  const wellFormed = text.toWellFormed()
  const parts: [number, number][] = []
  const marks = listMarks(wellFormed)
  const places: string[] = []
  const encoded: Uint8Array[] = []
  let bytes = 0
  let passed = 0
  for (let from = 0; from < wellFormed.length;) {
    let to = Math.min(from + partCharacters, wellFormed.length)
    const isDivided = wellFormed.charCodeAt(to - 1) >> 10 === highSurrogates
    if (isDivided && to < wellFormed.length) to += 1
    const part = new TextEncoder().encode(wellFormed.slice(from, to))
    parts.push([from, bytes])
    while ((marks[passed]?.at ?? Infinity) <= from) passed += 1
    places.push(marks[passed - 1]?.place ?? '')
    encoded.push(part)
    bytes += part.length
    from = to
  }
  const joined = new Uint8Array(bytes)
  for (const [index, part] of encoded.entries()) joined.set(part, parts[index]?.[1])
  return { bytes: joined, parts, ...(marks.length > 0 && { places }) }
}

/** The first six bits of U+D800 to U+DBFF. */
const highSurrogates = 0b110110
