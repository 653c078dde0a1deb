import * as z from 'zod'
import { maxQueryFiles, maxRows, maxSqlCharacters } from './query-limits.ts'

// What the parser is asked about the tables of documents. It validates the request, and its caller the answer: both have untrusted text.

const name = z
  .string()
  .min(1)
  .max(70)
  .regex(/^[\p{L}\p{M}\p{N}_]+$/u)

export const queryRequest = z.strictObject({
  sql: z.string().min(1).max(maxSqlCharacters),
  files: z
    .array(
      z.strictObject({
        /** a presigned URL that reads the database of a document */
        url: z.url(),
        /** what its tables are called, by `t1`, `t2` */
        names: z.record(z.string().regex(/^t\d{1,3}$/), name),
      }),
    )
    .max(maxQueryFiles),
})
export type QueryRequest = z.infer<typeof queryRequest>

const value = z.union([z.string(), z.number(), z.null()])

export const queryAnswer = z.union([
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(value)).max(maxRows),
    /** of the whole result */
    total_rows: z.int().nonnegative(),
  }),
  /** what SQLite says of the statement, and the tables with their columns */
  z.strictObject({ error: z.string(), columns: z.array(z.string()) }),
])
export type QueryAnswer = z.infer<typeof queryAnswer>
