type Row = Readonly<Record<string, unknown>>

/** A tool's result as a table. */
export interface ResultTableData {
  /** in the order of their first occurrence in the rows */
  columns: readonly string[]
  rows: readonly Row[]
}

/** Data with more columns is shown as JSON, which is easier to read then. */
const maxColumns = 30

const isScalar = (value: unknown) => value === null || typeof value !== 'object'
const isFlatRow = (row: unknown): row is Row =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && Object.values(row).every(isScalar)

/** Converts a list of flat objects, or an object with one such list and otherwise scalars, to a table. @returns undefined for other data */
export function toTable(data: unknown): ResultTableData | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const values = Array.isArray(data) ? [data] : Object.values(data)
  const lists = values.filter((value) => !isScalar(value))
  const rows: unknown = lists.length === 1 ? lists[0] : undefined
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isFlatRow)) return undefined
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns.length > 0 && columns.length <= maxColumns ? { columns, rows } : undefined
}
