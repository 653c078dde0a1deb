// The one form of all tables that the model reads: a line for each row, a tab between cells, empty cells kept, so that a value stays
// under its header. A tab needs no escaping, because cells have none.

export interface SpannedCell {
  text: string
  columns?: number
  rows?: number
}

/** Documents may claim more; what is beyond is not placed. */
const maxColumns = 1_000
const maxPadding = 100_000

/** Writes the text of a cell in one line: `<br>` between its lines, as in Markdown, and a space for each tab. */
export function formatCell(text: string): string {
  const trimmed = text.trim()
  if (!/[\t-\r\u0085\u2028\u2029]/.test(trimmed)) return trimmed
  return trimmed
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\n+/g, '<br>')
}

/** Writes a row without its line end. @param width cells at least; missing ones are empty */
export function formatRow(cells: readonly string[], width = 0): string {
  const padding = Math.max(0, width - cells.length)
  return (
    cells.map(formatCell).join('\t') + '\t'.repeat(cells.length === 0 ? Math.max(0, padding - 1) : padding)
  )
}

/** Writes all rows with the same number of cells, each with its line end. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const width = Math.min(
    rows.reduce((most, row) => Math.max(most, row.length), 0),
    Math.ceil(maxPadding / Math.max(1, rows.length)),
  )
  return rows.map((row) => `${formatRow(row, width)}\n`).join('')
}

/** Puts each merged cell into the first of its places, and leaves the others empty. */
export function placeCells(rows: readonly (readonly SpannedCell[])[]): string[][] {
  /** by column: rows that a cell above still covers */
  const covered: number[] = []
  return rows.map((cells) => {
    const placed: string[] = []
    const skipCovered = () => {
      while ((covered[placed.length] ?? 0) > 0) {
        covered[placed.length] = (covered[placed.length] ?? 0) - 1
        placed.push('')
      }
    }
    for (const { text, columns = 1, rows: height = 1 } of cells) {
      skipCovered()
      const width = Math.max(1, Math.min(columns, maxColumns - placed.length))
      for (let index = 0; index < width; index += 1) {
        covered[placed.length] = Math.max(0, height - 1)
        placed.push(index === 0 ? text : '')
      }
    }
    skipCovered()
    return placed
  })
}
