import type { CsvRow } from '#shared/scan-csv.ts'
import { isValue } from './read-cell.ts'

const marks = ['#', ';', '//'] as const
const sampleRows = 200

const hasValue = ({ cells }: CsvRow) => cells.some(isValue)

function findWidth(rows: readonly CsvRow[]): number {
  const widths = new Map<number, number>()
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
  return [...widths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

interface Comments {
  mark: string
  header: number | undefined
}

/**
 * The sign with which lines of comments begin. A text may begin with it too, so that a comment has to show itself: by fewer or more cells
 * than the rows have, or by standing above the header.
 */
function findComments(rows: readonly CsvRow[]): Comments | undefined {
  for (const mark of marks) {
    const isMarked = ({ cells: [first = ''] }: CsvRow) => first.trimStart().startsWith(mark)
    const others = rows.filter((row) => !isMarked(row))
    const marked = rows.filter(isMarked)
    const [first, second] = others
    if (!first || marked.length === 0 || marked.length > others.length) continue
    const width = findWidth(others)
    const isAbove = (row: CsvRow) =>
      row.number < first.number && !hasValue(first) && second !== undefined && hasValue(second)
    if (!marked.some((row) => row.cells.length !== width || isAbove(row))) continue
    const last = marked.findLast((row) => row.number < first.number)
    const isHeader = last?.cells.length === width && width > 1 && hasValue(first) && !hasValue(last)
    return { mark, header: isHeader ? last.number : undefined }
  }
  return undefined
}

/** Leaves out lines of comments; the rows behind them move up. */
export function withoutComments(rows: Iterable<CsvRow>): Iterable<CsvRow> {
  const sample: CsvRow[] = []
  for (const row of rows) {
    if (sample.length === sampleRows) break
    if (row.cells.length > 1 || row.cells[0] !== '') sample.push(row)
  }
  const comments = findComments(sample)
  return comments ? { [Symbol.iterator]: () => skipComments(rows, comments) } : rows
}

function* skipComments(rows: Iterable<CsvRow>, { mark, header }: Comments): Generator<CsvRow> {
  let skipped = 0
  for (const { number, cells } of rows) {
    if (number !== header && cells[0]?.trimStart().startsWith(mark)) skipped += 1
    else yield { number: number - skipped, cells }
  }
}
