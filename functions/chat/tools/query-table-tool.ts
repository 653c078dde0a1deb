import { toStorableNumber } from '../../platform/dynamodb/storable.ts'
import * as z from 'zod'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import type { QueryAnswer, QueryRequest } from '../../documents/tables/query-contract.ts'
import { maxSqlCharacters } from '#shared/limits.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import type { ResultTable } from './result-tables.ts'

const parameters = z.object({
  sql: z
    .string()
    .trim()
    .min(1)
    .max(maxSqlCharacters)
    .describe('one SELECT statement; it may begin with WITH'),
})

/** Runs a statement in the isolated parser. @throws DocumentsUnavailable */
export type QueryTables = (request: QueryRequest, signal: AbortSignal) => Promise<QueryAnswer>

/** Texts of numbers beyond those that rows store. */
const toStoredNumber = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? toStorableNumber(value) : value

/** Calculates with the tables in the files of the conversation and its project, and in the results of the reply's tools. */
export function queryTableTool(
  fileDeps: ReadingFileDeps,
  sub: string,
  deps: {
    listFiles: () => Promise<StoredFile[]>
    listResultTables: () => readonly ResultTable[]
    queryTables: QueryTables
  },
): Tool {
  return {
    name: 'query_table',
    title: 'Query tables',
    description:
      'Runs one SELECT statement of SQLite over the tables in the files of this conversation and its project (spreadsheets, CSV), whose names and columns stand with their file, and over lists that other tools returned in this reply, which say so at their end; all_columns lists all columns. Use it for every sum, average, count, comparison, sorting and filter over a table: it is exact, and sees all rows. Numbers are real, but counts and constants are integers, whose quotient is one (write 1.0 * count(*) / 3), dates are text as SQLite writes them (2026-03-31, 2026-03-31 14:05:00; of times take t >= date AND t < the day after the last one: BETWEEN leaves out the last day), empty cells are NULL. It gives at most 200 rows, and the number of all: aggregate rather than list. The user sees the rows as a table with your reply: do not repeat them.',
    parameters: zodParameters(parameters),
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 60_000,
    // one number that a table of ours cannot hold would make a text of the whole result
    toStoredResult: (result) => JSON.parse(JSON.stringify(result, toStoredNumber)) as unknown,
    async run(input, signal, _continuation, rich) {
      const { sql } = input as { sql: string }
      // as many rows as have room are stored with the reply
      if (rich) rich.isStructured = true
      const { runTableQuery } = await import('./run-table-query.ts')
      return runTableQuery({ ...fileDeps, ...deps }, sub, sql, signal)
    },
  }
}
