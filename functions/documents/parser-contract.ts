import { documentKinds } from '#shared/document-formats.ts'
import * as z from 'zod'
import { omissionKinds } from '#shared/sentences/documents.ts'
import { maxAnalysisCharacters } from '#shared/limits.ts'
import { type encodeText, storedPictures, storedScans, storedText } from '../files/stored-text.ts'
import { type ExtractedText, documentErrorCodes } from './extracted-text.ts'
import { storedTables } from '../files/stored-tables.ts'
import { truncate } from '#shared/truncate.ts'

// The interface between the function that has documents read, which knows the user, and the parser, which reads untrusted bytes. Both
// validate: the parser reads and writes only objects of the bucket, at addresses that are signed for it, and its response is as untrusted
// as the document.

const count = z.int().nonnegative()

const uploadForm = z.strictObject({ url: z.url(), fields: z.record(z.string(), z.string()) })

export const parseRequest = z.strictObject({
  /** a presigned URL that reads one object of the bucket */
  url: z.url(),
  kind: z.enum(documentKinds),
  /** of a page of the web: its main text is read, and its links are meant from here */
  pageUrl: z.url().exactOptional(),
  /** signed forms that store the text, its index, pictures and PDFs of pages, and tables, each up to a number of bytes */
  textForm: uploadForm,
  indexForm: uploadForm,
  picturesForm: uploadForm,
  tablesForm: uploadForm,
})
export type ParseRequest = z.infer<typeof parseRequest>

export const maxListedPages = 100_000
const pageList = z.array(count).max(maxListedPages)

export const parseResponse = z.union([
  z.strictObject({
    extracted: z.strictObject({
      hasContent: z.boolean(),
      /** of the text; all of it is in the bucket */
      beginning: z.string().max(maxAnalysisCharacters),
      length: count,
      text: storedText,
      pages: z
        .strictObject({
          ends: pageList,
          total: count,
          empty: pageList.exactOptional(),
          garbled: pageList.exactOptional(),
          plain: pageList.exactOptional(),
        })
        .exactOptional(),
      omitted: z
        .array(z.strictObject({ what: z.enum(omissionKinds), count }))
        .max(omissionKinds.length)
        .exactOptional(),
      hidden: count.exactOptional(),
      plain: count.exactOptional(),
      unproven: count.exactOptional(),
      assumedEncoding: z
        .string()
        // 'shift_jis' has an underscore
        .regex(/^[a-z0-9_-]{1,40}$/)
        .exactOptional(),
      isCut: z.literal(true).exactOptional(),
      pictures: storedPictures.exactOptional(),
      tables: storedTables.exactOptional(),
      scans: storedScans.exactOptional(),
    }),
  }),
  z.strictObject({ problem: z.enum(documentErrorCodes), kind: z.enum(documentKinds).exactOptional() }),
  /** the object no longer exists */
  z.strictObject({ missing: z.literal(true) }),
])
export type ParseResponse = z.infer<typeof parseResponse>
export type ParsedDocument = Extract<ParseResponse, { extracted: unknown }>['extracted']

/** A single letter or digit counts. */
export const hasContent = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

export function toParsedDocument(
  { text, pages, pictures = [], scans, places: _places, ...extracted }: ExtractedText,
  { bytes, parts, places }: ReturnType<typeof encodeText>,
  index: { languages: readonly string[] } | undefined,
): ParsedDocument {
  return {
    ...extracted,
    ...(pages && { pages: pages.total > maxListedPages ? { ends: [], total: pages.total } : pages }),
    ...(pictures.length > 0 && { pictures: pictures.map(({ page, bytes: { length } }) => [page, length]) }),
    ...(scans && {
      scans: { of: scans.of, parts: scans.parts.map(({ pages: of, bytes: { length } }) => [of, length]) },
    }),
    hasContent: hasContent(text),
    beginning: truncate(text, maxAnalysisCharacters),
    text: {
      characters: text.length,
      bytes: bytes.length,
      parts,
      ...(places && { places }),
      languages: [...(index?.languages ?? [])],
      isIndexed: index !== undefined,
    },
  }
}
