import { detectForm, scanCsv } from '#shared/scan-csv.ts'
import { formatCsv } from '#shared/format-csv.ts'

/** The beginning of a CSV, as it is shown. */
interface ShownTable {
  rows: readonly (readonly string[])[]
  /** whether the CSV has more rows or columns than these */
  isCut: boolean
}

/** How much of a table is shown: more cells would make the page slow. The download has all of them. */
export const shownLimits = { rows: 1_000, columns: 100 }

interface ReadOptions {
  /** whether the text is still being written, so that its last cell may be incomplete */
  isIncomplete?: boolean
}

/** The rows of a CSV, each a list of cells, without empty lines. The separator is detected; the first row may be a head. */
export function* readCsvRows(
  text: string,
  { isIncomplete = false }: ReadOptions = {},
): Generator<readonly string[]> {
  for (const { cells } of scanCsv(text, detectForm(text), isIncomplete))
    if (cells.length > 1 || cells[0] !== '') yield cells
}

/** Reads the rows and columns of a CSV that are shown. */
export function readTable(text: string, options?: ReadOptions): ShownTable {
  const rows: (readonly string[])[] = []
  let isCut = false
  for (const cells of readCsvRows(text, options)) {
    if (rows.length === shownLimits.rows) return { rows, isCut: true }
    if (cells.length > shownLimits.columns) isCut = true
    rows.push(cells.slice(0, shownLimits.columns))
  }
  return { rows, isCut }
}

/** The CSV as it is downloaded: all of it, with its own separator, and with no cell that a spreadsheet would run as a formula. */
export const sanitizeCsv = (text: string): string =>
  formatCsv([...readCsvRows(text)], detectForm(text).separator)
