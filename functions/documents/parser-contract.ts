import * as z from 'zod'
import { truncate } from '#shared/truncate.ts'
import { maxBufferedResponseBytes } from '../platform/limits.ts'
import { documentKinds } from './document-kind.ts'
import { DocumentError, maxTextCharacters, documentErrorCodes, type Extracted } from './extracted.ts'

// What the function that knows the user and the function that reads untrusted bytes say to each other. Both check it: the reader
// takes no address but the bucket's, and its answer is as untrusted as the document.

export const parseRequest = z.strictObject({
  /** a presigned address of one object of the bucket */
  url: z.url(),
  kind: z.enum(documentKinds),
})
export type ParseRequest = z.infer<typeof parseRequest>

const count = z.int().nonnegative()

export const parseResponse = z.union([
  z.strictObject({
    extracted: z.strictObject({
      text: z.string().max(maxTextCharacters),
      length: count,
      pages: z.strictObject({ ends: z.array(count), total: count }).exactOptional(),
    }),
  }),
  z.strictObject({ problem: z.enum(documentErrorCodes) }),
  /** there is no such object any more */
  z.strictObject({ missing: z.literal(true) }),
])
export type ParseResponse = z.infer<typeof parseResponse>

/** A character of a text takes up to six bytes of an answer; its frame has the rest. */
const maxResponseBytes = maxBufferedResponseBytes - 500_000

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Cuts a text that would not fit into an answer. @throws DocumentError when even no text would */
export function fitIntoResponse(extracted: Extracted, maxBytes = maxResponseBytes): Extracted {
  const { length, pages } = extracted
  let { text } = extracted
  let fitting = extracted
  while (jsonBytes(fitting) > maxBytes) {
    if (text === '') throw new DocumentError('tooLarge', 'too many pages')
    text = truncate(text, Math.floor(text.length / 2))
    const ends = pages?.ends.filter((end) => end <= text.length)
    fitting = { text, length, ...(pages && ends && { pages: { ends, total: pages.total } }) }
  }
  return fitting
}
