import { documentKinds } from '#shared/document-formats.ts'
import * as z from 'zod'
import { omissionKinds } from '#shared/document-omissions.ts'
import { truncate } from '#shared/truncate.ts'
import { maxBufferedResponseBytes } from '../platform/limits.ts'
import { DocumentError, maxTextCharacters, documentErrorCodes, type ExtractedText } from './extracted-text.ts'

// The interface between the documents function, which knows the user, and the parser, which reads untrusted bytes. Both validate:
// the parser fetches only from the bucket, and its response is as untrusted as the document.

export const parseRequest = z.strictObject({
  /** a presigned URL of one object of the bucket */
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
      pages: z
        .strictObject({
          ends: z.array(count),
          total: count,
          empty: z.array(count).exactOptional(),
          garbled: z.array(count).exactOptional(),
        })
        .exactOptional(),
      omitted: z
        .array(z.strictObject({ what: z.enum(omissionKinds), count }))
        .max(omissionKinds.length)
        .exactOptional(),
      assumedEncoding: z
        .string()
        // 'shift_jis' has an underscore
        .regex(/^[a-z0-9_-]{1,40}$/)
        .exactOptional(),
      isCut: z.literal(true).exactOptional(),
    }),
  }),
  z.strictObject({ problem: z.enum(documentErrorCodes), kind: z.enum(documentKinds).exactOptional() }),
  /** the object no longer exists */
  z.strictObject({ missing: z.literal(true) }),
])
export type ParseResponse = z.infer<typeof parseResponse>

/** Leaves room for the rest of the response. */
const maxResponseBytes = maxBufferedResponseBytes - 500_000

const countJsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Truncates the text until the response fits. @throws DocumentError if it is too large even without text */
export function fitIntoResponse(extracted: ExtractedText, maxBytes = maxResponseBytes): ExtractedText {
  const { pages } = extracted
  let { text } = extracted
  let fitting = extracted
  while (countJsonBytes(fitting) > maxBytes) {
    if (text === '') throw new DocumentError('tooLarge', 'too many pages')
    text = truncate(text, Math.floor(text.length / 2))
    const ends = pages?.ends.filter((end) => end <= text.length)
    fitting = { ...extracted, text, ...(pages && ends && { pages: { ...pages, ends } }) }
  }
  return fitting
}
