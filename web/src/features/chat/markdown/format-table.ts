import { escapeFormula } from '#shared/format-csv.ts'
import type { TableCell } from '#shared/table-result.ts'
import { escapeMarkup } from '../escape-markup.ts'

/** A cell as text. A text that a spreadsheet would run as a formula when it is pasted is escaped. */
const toText = (value: TableCell) => (typeof value === 'string' ? escapeFormula(value) : String(value ?? ''))
/** A cell in one line, because a tab or a line end would begin another cell of a spreadsheet. */
const toTextCell = (value: TableCell) => toText(value).replaceAll(/[\t\r\n]+/g, ' ')

/** Formats a table for the clipboard: as text with tabs between cells, for spreadsheets and editors, and as HTML for programs that show tables. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly TableCell[])[],
): { text: string; html: string } {
  const text = [columns, ...rows].map((row) => row.map(toTextCell).join('\t')).join('\n')
  const toRow = (tag: string, row: readonly TableCell[]) =>
    `<tr>${row.map((value) => `<${tag}>${escapeMarkup(toText(value))}</${tag}>`).join('')}</tr>`
  const html = `<table><thead>${toRow('th', columns)}</thead><tbody>${rows.map((row) => toRow('td', row)).join('')}</tbody></table>`
  return { text, html }
}
