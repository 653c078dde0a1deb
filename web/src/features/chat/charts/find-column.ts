import type { ChartView } from './chart-views.ts'

/** Lists the columns that a field may name: the field itself, the field without escapes, and what stands in its brackets. */
function listForms(field: string): string[] {
  const unescaped = field.replaceAll(/\\{1,2}([.[\]'"])/g, '$1')
  const inBrackets = /^(?:datum)?\[(['"]?)([^]*)\1\]$/.exec(unescaped)?.[2]
  return [field, unescaped, ...(inBrackets === undefined ? [] : [inBrackets])]
}

/** Whether a field names a column, and not a path into one. */
export const namesColumn = (field: string, column: string): boolean => listForms(field).includes(column)

/** Finds the column that a field names, by itself or by a path into the column's values. @returns undefined if there is none */
export function findColumn(field: string, columns: ReadonlySet<string>): string | undefined {
  const name = listForms(field).find((form) => columns.has(form))
  if (name !== undefined) return name
  const [first = ''] = field.split(/[.[]/, 1)
  return columns.has(first) ? first : undefined
}

/**
 * Finds the column of a view's data that a field names by itself.
 * @returns undefined if it names none, or a path into one, or one whose values a transform calculates
 */
export function findDataColumn(field: unknown, { fields, derived }: ChartView): string | undefined {
  if (typeof field !== 'string' || !fields) return undefined
  const column = listForms(field).find((form) => fields.has(form))
  return column !== undefined && derived.has(column) ? undefined : column
}
