import { literalPipe } from '../source-marks.ts'

/** Longer lines are no rows of a table that one reads. */
const maxRowCharacters = 10_000
/** Quotes and list items around a table. */
const prefix = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t]){0,40}/
const quotePrefix = /^[ \t>]{0,40}/
const delimiterCell = /^\s*:?-+:?\s*$/

/** What divides a row: runs of backticks, bars. Escaped bars divide nothing. */
const signs = /\\\||`+|\|/g

interface Row {
  /** offsets of the bars that GitHub's Markdown takes for ends of cells */
  bars: readonly number[]
  /** those of them that stand in code */
  inCode: readonly number[]
  text: string
}

function readRow(line: string): Row {
  const text = line.slice(0, maxRowCharacters)
  const occurrences = [...text.matchAll(signs)].map(({ 0: sign, index }) => ({ sign, index }))
  /** where the next run of as many backticks is, for each run */
  const closers = new Map<number, number>()
  const last = new Map<number, number>()
  for (const { sign, index } of occurrences.toReversed()) {
    if (!sign.startsWith('`')) continue
    closers.set(index, last.get(sign.length) ?? -1)
    last.set(sign.length, index)
  }
  const bars: number[] = []
  const inCode: number[] = []
  let codeEnd = -1
  for (const { sign, index } of occurrences) {
    if (sign === '|') {
      bars.push(index)
      if (index < codeEnd) inCode.push(index)
      // an escaped backtick may end code, and begins none
    } else if (index > codeEnd && text[index - 1] !== '\\') codeEnd = closers.get(index) ?? -1
  }
  return { bars, inCode, text }
}

/** @param bars that end cells */
function countCells({ text }: Row, bars: readonly number[]): number {
  const start = prefix.exec(text)?.[0].length ?? 0
  const first = bars[0]
  const last = bars.at(-1)
  if (first === undefined || last === undefined) return 1
  const isLed = text.slice(start, first).trim() === ''
  const isClosed = bars.length > 1 && text.slice(last + 1).trim() === ''
  return bars.length + 1 - Number(isLed) - Number(isClosed)
}

/** The cells of a row whose code may have bars. */
export function countRowCells(line: string): number {
  const row = readRow(line)
  const inCode = new Set(row.inCode)
  return countCells(
    row,
    row.bars.filter((bar) => !inCode.has(bar)),
  )
}

/** The number of columns that a line below a header names; undefined: it is another line. */
function readColumns(line: string | undefined): number | undefined {
  if (line === undefined || !line.includes('-') || line.length > maxRowCharacters) return undefined
  const cells = line.replace(quotePrefix, '').split('|')
  if (cells[0]?.trim() === '') cells.shift()
  if (cells.at(-1)?.trim() === '') cells.pop()
  return cells.length > 0 && cells.every((cell) => delimiterCell.test(cell)) ? cells.length : undefined
}

/**
 * Extension: a bar in code does not end a cell where the row would have more cells than the table has columns. GitHub's Markdown wants it escaped,
 * and drops the cells that are too many.
 * @returns with marks that become bars after the parse
 */
export function markTablePipes(markdown: string): string {
  if (!markdown.includes('`') || !markdown.includes('|')) return markdown
  const lines = markdown.split('\n')
  let columns: number | undefined
  return lines
    .map((line, index) => {
      if (line.trim() === '') columns = undefined
      columns = readColumns(lines[index + 1]) ?? columns
      if (columns === undefined || !line.includes('`') || !line.includes('|')) return line
      const row = readRow(line)
      if (row.inCode.length === 0 || countCells(row, row.bars) <= columns) return line
      let marked = ''
      let copied = 0
      for (const bar of row.inCode) {
        marked += line.slice(copied, bar) + literalPipe
        copied = bar + 1
      }
      return marked + line.slice(copied)
    })
    .join('\n')
}
