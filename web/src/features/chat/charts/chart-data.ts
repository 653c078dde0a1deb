import { readCsvRows } from '../../../lib/read-table.ts'

export type JsonObject = Record<string, unknown>
export type Row = JsonObject

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows a path such as `result.rows`. */
const readProperty = (value: unknown, path: unknown): unknown =>
  typeof path === 'string'
    ? path.split('.').reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
    : value

/** `{a: [1, 2], b: [3, 4]}` as rows; models write columns too. */
function readColumns(values: JsonObject): Row[] | undefined {
  const columns = Object.entries(values)
  const lengths = new Set(columns.map(([, column]) => (Array.isArray(column) ? column.length : -1)))
  const [length = -1] = lengths
  if (lengths.size !== 1 || length < 0) return undefined
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[index]])),
  )
}

function readTextRows(text: string, type: unknown): Row[] {
  if (type !== 'csv' && type !== 'tsv') {
    try {
      return readValues(JSON.parse(text), undefined)
    } catch {
      // no JSON: a table of text
    }
  }
  const [head = [], ...rows] = readCsvRows(text)
  return rows.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] || null])))
}

function readValues(values: unknown, format: unknown): Row[] {
  const { type, property }: JsonObject = isObject(format) ? format : {}
  if (typeof values === 'string') return readTextRows(values, type)
  const rows = readProperty(values, property)
  if (!Array.isArray(rows)) return isObject(rows) ? (readColumns(rows) ?? [rows]) : []
  // rows stay the same objects, so that all that share them are found to share them
  return rows.every(isObject) ? rows : rows.map((row: unknown) => (isObject(row) ? row : { data: row }))
}

/**
 * The rows of a `data` of a specification, which stand in it or, by a name, in its `datasets`. Each value that is no object is a row with
 * the column `data`, as the library has it.
 * @returns undefined if there are none
 */
export function readRows(data: unknown, datasets: unknown): Row[] | undefined {
  if (Array.isArray(data)) return readValues(data, undefined)
  if (!isObject(data)) return undefined
  if (data['values'] !== undefined) return readValues(data['values'], data['format'])
  const { name } = data
  if (typeof name === 'string' && isObject(datasets) && Object.hasOwn(datasets, name))
    return readValues(datasets[name], data['format'])
  return undefined
}

/** The columns of rows, in the order in which they appear. */
export const listColumns = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
]
