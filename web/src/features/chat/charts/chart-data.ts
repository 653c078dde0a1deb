import { getOwn } from '#shared/get-own.ts'
import { readCsvRows } from '../../../lib/browser/read-table.ts'

/** An object of a specification. */
export type JsonObject = Record<string, unknown>
/** A row of data: its values by the names of the columns. */
export type Row = JsonObject

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows a path such as `result.rows`. */
const readProperty = (value: unknown, path: unknown): unknown =>
  typeof path === 'string'
    ? path.split('.').reduce((inner, key) => (isObject(inner) ? getOwn(inner, key) : undefined), value)
    : value

/** Converts columns, as models also write them, to rows: `{a: [1, 2], b: [3, 4]}`. @returns undefined for anything else */
function readColumns(values: JsonObject): Row[] | undefined {
  const columns = Object.entries(values)
  const lengths = new Set(columns.map(([, column]) => (Array.isArray(column) ? column.length : -1)))
  const [length = -1] = lengths
  if (lengths.size !== 1 || length < 0) return undefined
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[index]])),
  )
}

/** Reads rows from a text of JSON; none from one that is nested too deep. @returns undefined if it is no JSON */
function readJsonRows(text: string): Row[] | undefined {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return undefined
  }
  return isNestedTooDeep(values) ? [] : readValues(values, undefined)
}

function readCsvTable(text: string): Row[] {
  const [head = [], ...rows] = readCsvRows(text)
  // as the library reads an empty cell
  return rows.map((cells) => Object.fromEntries(head.map((name, column) => [name, cells[column] || null])))
}

/** Reads rows from a text of JSON or CSV. Models often leave out which of them it is. */
const readTextRows = (text: string, type: unknown): Row[] =>
  (type === 'csv' || type === 'tsv' ? undefined : readJsonRows(text)) ?? readCsvTable(text)

function readValues(values: unknown, format: unknown): Row[] {
  const { type, property }: JsonObject = isObject(format) ? format : {}
  if (typeof values === 'string') return readTextRows(values, type)
  const rows = readProperty(values, property)
  if (!Array.isArray(rows)) return isObject(rows) ? (readColumns(rows) ?? [rows]) : []
  // not copied: parts that share data are recognised by its identity
  return rows.every(isObject) ? rows : rows.map((row: unknown) => (isObject(row) ? row : { data: row }))
}

/**
 * Reads the rows of a `data` property. They stand in it or, by a name, in the `datasets` of the specification. A value that is no object
 * becomes a row with the column `data`, as in Vega-Lite.
 * @returns undefined if the property has no data
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

/** Lists the columns of rows, in the order of their first occurrence. */
export const listColumns = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
]

/** Whether a value is an integer from 1900 to 2100. If a column has no others, it is shown as years: without separators. */
export const isYear = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100

/** Far more levels than a chart needs. What follows JSON into its parts, such as `JSON.stringify`, overflows the stack at some thousands. */
const maxLevels = 40

/** Whether parsed JSON has lists and objects inside each other on more levels than that. */
export const isNestedTooDeep = (value: unknown, levels = maxLevels): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedTooDeep(inner, levels - 1)))

/** Splits a list of names that is written as one text, separated by spaces. */
export const splitWords = (names: string): string[] => names.split(' ')
