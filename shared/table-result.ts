import type { Coded } from './sentences/sentence.ts'
import type { ToolCall } from './contracts/chat.ts'

// What a call of query_table tells people: the product's own tool, whose result is a table.

export type TableCell = string | number | null

/** Where rows come from: a table of a file, or a list that a tool returned. */
export interface TableSource {
  table: string
  file?: string
  sheet?: string
  range?: string
  /** of the user's own file: with it the statement can be run again */
  file_id?: string
  key?: string
  /** the integration and the tool that returned a list; older releases stored both as `tool` */
  integration?: string
  title?: string
  tool?: string
}

export interface TableResult {
  /** empty if it was too long to be stored */
  sql: string
  columns: readonly string[]
  /** the first ones */
  rows: readonly (readonly TableCell[])[]
  /** rows of the whole result */
  total: number
  sources: readonly TableSource[]
}

/** Whether a call is of the product's own tool that queries tables; a server's tool may have the same name. */
export const isTableQuery = ({ tool, integration }: Pick<ToolCall, 'tool' | 'integration'>): boolean =>
  tool === 'query_table' && integration === undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Results of an imported conversation may have anything. */
const toCell = (value: unknown): TableCell =>
  typeof value === 'string' || typeof value === 'number'
    ? value
    : value === null
      ? null
      : JSON.stringify(value)
const toSource = (source: Readonly<Record<string, unknown>>): TableSource => ({
  table: '',
  ...Object.fromEntries(Object.entries(source).filter(([, value]) => typeof value === 'string')),
})

/** The result of a query. @returns undefined for one that failed, has no rows of its own, or is stored in part only */
export function parseTableResult(call: ToolCall): TableResult | undefined {
  const { data } = call.result
  if (!isTableQuery(call) || !isObject(data)) return undefined
  const { columns, rows, total_rows: total, sources } = data
  if (!Array.isArray(columns) || !Array.isArray(rows) || typeof total !== 'number' || columns.length === 0)
    return undefined
  const { sql } = call.parameters
  return {
    sql: typeof sql === 'string' ? sql : '',
    columns: columns.map(String),
    rows: rows.filter((row) => Array.isArray(row)).map((row) => row.map(toCell)),
    total,
    sources: Array.isArray(sources) ? sources.filter(isObject).map(toSource) : [],
  }
}

/** Why a statement did not run, or what there is instead of rows, and the codes of what is not SQLite's. */
export function findQueryError(call: ToolCall): { text: string; codes: Coded[] | undefined } | undefined {
  const { data } = call.result
  if (!isTableQuery(call) || !isObject(data)) return undefined
  const { note, error: text = note, codes } = data
  if (typeof text !== 'string') return undefined
  return { text, codes: Array.isArray(codes) ? (codes.filter(isObject) as unknown as Coded[]) : undefined }
}

/** More tables of a reply are shown with their calls only. */
const maxTables = 3

/** The calls whose results are shown as tables below a reply's text: the last ones. */
export const listShownCalls = (calls: readonly ToolCall[]): ToolCall[] =>
  calls
    .filter((call) => {
      const result = parseTableResult(call)
      // one value stands in the text
      return result !== undefined && result.rows.length > 1
    })
    .slice(-maxTables)

/** The results that are shown as tables below a reply's text. */
export const listShownResults = (calls: readonly ToolCall[]): TableResult[] =>
  listShownCalls(calls).flatMap((call) => parseTableResult(call) ?? [])
