import * as z from 'zod'
import { truncate } from '#shared/truncate.ts'
import { maxBufferedResponseBytes } from '../platform/limits.ts'
import { documentKinds } from './document-kind.ts'
import { DocumentProblem, maxKeptCharacters, problems, type Extracted } from './extracted.ts'

// What the function that knows the user and the function that reads untrusted bytes say to each other. Both check it: the reader
// takes no address but the bucket's, and its answer is as untrusted as the document.

export const parseRequest = z.strictObject({
  /** a presigned address of one object of the bucket */
  url: z.url(),
  kind: z.enum(documentKinds),
})
export type ParseRequest = z.infer<typeof parseRequest>

const count = z.int().nonnegative()

export const parseAnswer = z.union([
  z.strictObject({
    extracted: z.strictObject({
      text: z.string().max(maxKeptCharacters),
      length: count,
      pages: z.strictObject({ ends: z.array(count), total: count }).exactOptional(),
    }),
  }),
  z.strictObject({ problem: z.enum(problems) }),
  /** there is no such object any more */
  z.strictObject({ missing: z.literal(true) }),
])
export type ParseAnswer = z.infer<typeof parseAnswer>

/** A character of a text takes up to six bytes of an answer; its frame has the rest. */
const maxAnswerBytes = maxBufferedResponseBytes - 500_000

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Cuts a text that would not fit into an answer. @throws DocumentProblem when even no text would */
export function fitIntoAnswer(extracted: Extracted, maxBytes = maxAnswerBytes): Extracted {
  const { length, pages } = extracted
  let { text } = extracted
  let fitting = extracted
  while (jsonBytes(fitting) > maxBytes) {
    if (text === '') throw new DocumentProblem('tooLarge', 'too many pages')
    text = truncate(text, Math.floor(text.length / 2))
    const ends = pages?.ends.filter((end) => end <= text.length)
    fitting = { text, length, ...(pages && ends && { pages: { ends, total: pages.total } }) }
  }
  return fitting
}
