import type { ToolCall } from './tool-choice.ts'

/** A table as the product describes it beside its file. */
interface DescribedTable {
  name: string
  columns: { name: string; type: string }[]
}

const tableLine =
  /^([\p{L}\p{M}\p{N}_]{1,70}): [\d,]{1,15} rows? \([^\n]{0,600}\)\ncolumns: ([^\n]{1,3000})$/gmu
/** What is in parentheses has commas of its own. */
const columnForm = /(?:^|, )([\p{L}\p{M}\p{N}_]{1,64}) (number|date|boolean|text)(?= |,|$)/gu

/** The part before a file's text that is about its tables: up to a blank line, or to the end. */
export const tablesPart = /^Tables for query_table:\n(?:[^\n]+(?:\n|$)){1,200}\n?/

function parseTables(described: string): DescribedTable[] {
  return [...described.matchAll(tableLine)].map(([, name = '', listed = '']) => ({
    name,
    columns: [...listed.matchAll(columnForm)].map(([, column = '', type = '']) => ({ name: column, type })),
  }))
}

const wantsCalculation =
  /\b(?:sum|total|average|mean|per|by|each|sell|sold|sales|how much|how many|count|chart|plot)\b/i

/**
 * Adds up the number that the question names, or the first one, for each value of a text that it names, or the first.
 * @param described what the product says of the tables of each file
 */
export function chooseQuery(message: string, described: readonly string[]): ToolCall | undefined {
  if (!wantsCalculation.test(message)) return undefined
  const table = described.flatMap(parseTables).at(-1)
  if (!table) return undefined
  const words = message.toLowerCase()
  const choose = (type: string) => {
    const columns = table.columns.filter((column) => column.type === type)
    return (columns.find(({ name }) => words.includes(name.replaceAll('_', ' '))) ?? columns[0])?.name
  }
  const [value, group] = [choose('number'), choose('text')]
  if (value === undefined) return undefined
  const calculated = /\b(?:average|mean)\b/i.test(message)
    ? `avg(${value}) AS average`
    : `sum(${value}) AS total`
  const sql =
    group === undefined
      ? `SELECT ${calculated}, count(*) AS rows FROM ${table.name}`
      : `SELECT ${group}, ${calculated}, count(*) AS rows FROM ${table.name} GROUP BY ${group} ORDER BY 2 DESC`
  return { name: 'query_table', arguments: { sql } }
}

/** The note at the end of a result that is a table. */
export const withoutTableNote = (text: string): string =>
  text.replace(/\n\[Table for query_table, [^\n]{0,3000}\]$/, '')

const formatNumber = (value: unknown) =>
  typeof value === 'number'
    ? value.toLocaleString('en', {
        minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
        maximumFractionDigits: 2,
      })
    : typeof value === 'string'
      ? value
      : '–'

/** What a person wants to know of the rows of `chooseQuery`; the rows themselves are shown beside the reply. */
export function describeRows(value: Record<string, unknown>): string | undefined {
  const { columns, rows, total_rows: total, note } = value
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
  if (rows.length === 0) return typeof note === 'string' ? note : 'The query found no rows.'
  const names = columns.map((name) => String(name).replaceAll('_', ' '))
  const [first = [], ...others] = rows as unknown[][]
  const describe = (row: unknown[], from: number) =>
    row
      .slice(from)
      .map((cell, index) => `${names[from + index]} ${formatNumber(cell)}`)
      .join(', ')
  if (others.length === 0) return `All rows together: ${describe(first, 0)}.`
  const last = others.at(-1) ?? []
  return `Of ${formatNumber(total)} rows, **${formatNumber(first[0])}** comes first (${describe(first, 1)}), and **${formatNumber(last[0])}** last (${describe(last, 1)}).`
}
