import { formatCsv } from '#shared/format-csv.ts'

export interface CsvTable {
  rows: readonly (readonly string[])[]
  /** there are more rows or columns than these */
  isCut: boolean
}

const shownLimits = { rows: 1_000, columns: 100 }

/** The separator that the first line has most of. */
function detectSeparator(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/))
  const count = (separator: string) => line.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** CSV as it is downloaded: all of it, with its separator, and no cell is a formula. */
export function sanitizeCsv(text: string): string {
  const { rows } = parseCsv(text, { rows: Infinity, columns: Infinity })
  return formatCsv(rows, detectSeparator(text))
}

/** Parses CSV (RFC 4180), also with semicolons or tabs, up to 1,000 rows of 100 cells. A quote that is not closed ends with the text. */
export function parseCsv(text: string, limits = shownLimits): CsvTable {
  const separator = detectSeparator(text)
  const rows: string[][] = []
  let row: string[] = []
  let isCut = false
  let position = 0
  const readQuoted = (): string => {
    let cell = ''
    for (;;) {
      const end = text.indexOf('"', position)
      cell += text.slice(position, end < 0 ? undefined : end)
      position = end < 0 ? text.length : end + 1
      if (text[position] !== '"' || end < 0) return cell
      cell += '"'
      position += 1
    }
  }
  const readPlain = (): string => {
    const start = position
    while (position < text.length && !isDelimiter(text[position])) position += 1
    return text.slice(start, position)
  }
  const isDelimiter = (character: string | undefined) =>
    character === separator || character === '\n' || character === '\r'
  while (position < text.length) {
    if (rows.length === limits.rows) return { rows, isCut: true }
    let cell = ''
    if (text[position] === '"') {
      position += 1
      cell = readQuoted()
    }
    cell += readPlain()
    if (row.length < limits.columns) row.push(cell)
    else isCut = true
    if (text[position] === separator) {
      position += 1
      if (position < text.length) continue
      row.push('')
    }
    if (text[position] === '\r' && text[position + 1] === '\n') position += 1
    position += 1
    // an empty line is no row
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return { rows, isCut }
}
