import * as z from 'zod'
import { coded } from '#shared/sentences/sentence.ts'
import { maxCsvRows, maxSqlCharacters } from '#shared/limits.ts'
import { tableName } from '#shared/table-name.ts'
import { maxQueryFiles, maxRows } from './query-limits.ts'

// What the parser is asked about the tables of documents. It validates the request, and its caller the answer: both have untrusted text.

const value = z.union([z.string(), z.number(), z.null()])
const names = z.record(z.string().regex(/^t\d{1,3}$/), tableName)

const recordTable = z.strictObject({
  titles: z.array(z.string()),
  rows: z.array(z.array(z.union([value, z.boolean()]))),
})
export type RecordTable = z.infer<typeof recordTable>

export const queryRequest = z.strictObject({
  sql: z.string().min(1).max(maxSqlCharacters),
  files: z
    .array(
      z.union([
        z.strictObject({ url: z.url(), names }),
        z.strictObject({ records: z.array(recordTable), names }),
      ]),
    )
    .max(maxQueryFiles),
  from: z.int().nonnegative().exactOptional(),
  csvForm: z.strictObject({ url: z.url(), fields: z.record(z.string(), z.string()) }).exactOptional(),
  /** what the form stores: CSV, or a line of JSON for the columns and one for each row */
  format: z.literal('json').exactOptional(),
})
export type QueryRequest = z.infer<typeof queryRequest>

export const queryAnswer = z.union([
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(value)).max(maxRows),
    total_rows: z.int().nonnegative(),
    csv_rows: z.int().nonnegative().max(maxCsvRows).exactOptional(),
  }),
  z.strictObject({
    error: z.string(),
    /** what `error` says, if it is not SQLite's */
    said: coded.exactOptional(),
    columns: z.array(z.string()),
    isGone: z.literal(true).exactOptional(),
  }),
])
export type QueryAnswer = z.infer<typeof queryAnswer>
