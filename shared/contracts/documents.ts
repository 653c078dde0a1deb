import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { reading } from '#shared/contracts/files.ts'
import { maxSqlCharacters } from '#shared/limits.ts'
import { tableName } from '#shared/table-name.ts'

/**
 * POST analyze-document. The page sends the attachment's id in `file.id`; without one, `url` must be a link to a file of
 * the caller. Nothing else is ever fetched.
 */
export const analyzeRequest = z.strictObject({
  file: z.object({
    id: z.string().max(64).nullish(),
    name: z.string().max(500),
    type: z.string().max(200).nullish(),
    size: z.number().nonnegative().nullish(),
    url: z.string().max(4_000).nullish(),
  }),
  analysisType: z.literal('analyze'),
  userId: z.string().max(128).nullish(),
})

/**
 * Waits up to 25 s for the service to read the file; then `code` is `still_reading`.
 * A file that cannot be read is a response as well (200, `success: false`): `error` is a sentence,
 * `code` and `params` are what it says, `analysis` the same as an explanation for people, and the file stays attached. Errors that are no
 * result of an analysis have their own status: 404 'Unable to access the file', 400, 401, 403 (another's userId).
 */
export const analyzeResponse = z.object({
  success: z.boolean(),
  /** up to 8,000 characters of the document's text, and a marker if it was cut */
  analysis: z.string(),
  error: z.string().nullable(),
  ...coded.partial().shape,
  hasActualContent: z.boolean(),
  /** characters before the cut */
  contentLength: z.number().int().nonnegative(),
  /** what the chip says; the same is kept with the attachment */
  reading,
})

/**
 * POST /api/queries: runs a statement of query_table again, over the caller's own files. 404 `table_file_gone` if a file is deleted,
 * or has no such table any more; 400 `query_failed` for a statement that does not run within its limits; 429 `too_many_results_today`
 * after 100 files a day.
 */
export const tableQueryRequest = z.strictObject({
  sql: z.string().min(1).max(maxSqlCharacters),
  /** as the answer of query_table lists its sources */
  tables: z
    .array(
      z.strictObject({
        table: tableName,
        file_id: z.string().min(1).max(64),
        key: z.string().regex(/^t\d{1,3}$/),
      }),
    )
    .min(1)
    .max(50)
    .refine((tables) => new Set(tables.map(({ table }) => table.toLowerCase())).size === tables.length),
  /** `rows`: at most 200 from `from` on; `csv`: all rows as a file, up to 100,000 */
  format: z.enum(['rows', 'csv']),
  from: z.number().int().nonnegative().max(100_000_000).default(0),
})

export const tableQueryResponse = z.union([
  z.object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    total_rows: z.number().int().nonnegative(),
  }),
  z.object({
    /** downloads the file, for an hour at least */
    url: z.string(),
    /** rows in the file, and of the whole result */
    csv_rows: z.number().int().nonnegative(),
    total_rows: z.number().int().nonnegative(),
  }),
])

export const documentsContracts = {
  'documents.analyze': { request: analyzeRequest, response: analyzeResponse },
  'documents.query': { request: tableQueryRequest, response: tableQueryResponse },
} as const
