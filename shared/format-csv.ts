/** Spreadsheets run cells that begin like this as formulas, unless they are numbers; some read letters of full width too, and skip spaces and what nobody sees. */
const formulaStart = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u
const numberPattern = /^[+-]?(?:\d[\d.,]*|[.,]\d+)\s?%?$/

export type CsvCell = string | number | null

/** An apostrophe stops spreadsheets from running a text as a formula, as OWASP advises. */
export const escapeFormula = (text: string): string =>
  formulaStart.test(text) && !numberPattern.test(text.trim()) ? `'${text}` : text

/** Quotes a cell by RFC 4180. */
function formatCell(value: CsvCell): string {
  if (value === null) return ''
  // a number of JavaScript is never a formula, whatever its exponent
  if (typeof value === 'number') return String(value)
  const cell = escapeFormula(value)
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Formats rows as CSV by RFC 4180: lines end with CRLF, and no cell is a formula. Whatever leaves the product as CSV is written here.
 * @param separator between the cells of a row
 */
export const formatCsv = (rows: readonly (readonly CsvCell[])[], separator = ','): string =>
  rows.map((row) => `${row.map(formatCell).join(separator)}\r\n`).join('')

/** Excel reads a CSV that begins with it as UTF-8. */
export const byteOrderMark = '\u{feff}'
