import { literalPipe } from '../source-marks.ts'

/** What follows in a longer line, which is rarely a row of a table, is not looked at: the time of a frame stays bounded. */
const maxRowCharacters = 10_000
/** Marks of quotes and lists before a row: forty are more than anybody nests, and bound the search. */
const prefix = /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t]){0,40}/
const quotePrefix = /^[ \t>]{0,40}/
const delimiterCell = /^\s*:?-+:?\s*$/

/** Escaped pipes, runs of backticks, and pipes. */
const signs = /\\\||`+|\|/g

interface Row {
  /** offsets of the pipes that GitHub's Markdown takes for ends of cells */
  pipes: readonly number[]
  /** those of them that stand in inline code */
  inCode: readonly number[]
  text: string
}

function readRow(line: string): Row {
  const text = line.slice(0, maxRowCharacters)
  const occurrences = [...text.matchAll(signs)].map(({ 0: sign, index }) => ({ sign, index }))
  /** for each run of backticks, the offset of the next run of the same length */
  const closers = new Map<number, number>()
  const last = new Map<number, number>()
  for (const { sign, index } of occurrences.toReversed()) {
    if (!sign.startsWith('`')) continue
    closers.set(index, last.get(sign.length) ?? -1)
    last.set(sign.length, index)
  }
  const pipes: number[] = []
  const inCode: number[] = []
  let codeEnd = -1
  for (const { sign, index } of occurrences) {
    if (sign === '|') {
      pipes.push(index)
      if (index < codeEnd) inCode.push(index)
      // an escaped backtick may end code, and begins none
    } else if (index > codeEnd && !isEscaped(text, index)) codeEnd = closers.get(index) ?? -1
  }
  return { pipes, inCode, text }
}

/** Whether the sign at an offset is escaped: an odd number of backslashes is before it. */
function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text[start - 1] === '\\') start -= 1
  return (index - start) % 2 === 1
}

/** Counts the cells of a row. @param pipes offsets of the pipes that end cells */
function countCells({ text }: Row, pipes: readonly number[]): number {
  const start = prefix.exec(text)?.[0].length ?? 0
  const first = pipes[0]
  const last = pipes.at(-1)
  if (first === undefined || last === undefined) return 1
  const isLed = text.slice(start, first).trim() === ''
  const isClosed = pipes.length > 1 && text.slice(last + 1).trim() === ''
  return pipes.length + 1 - Number(isLed) - Number(isClosed)
}

/** Counts the cells of a row, in which pipes in inline code end no cell. */
export function countRowCells(line: string): number {
  const row = readRow(line)
  const inCode = new Set(row.inCode)
  return countCells(
    row,
    row.pipes.filter((pipe) => !inCode.has(pipe)),
  )
}

/** Counts the columns of a delimiter row, the line below the header. @returns undefined for any other line */
function readColumns(line: string | undefined): number | undefined {
  if (line === undefined || !line.includes('-') || line.length > maxRowCharacters) return undefined
  const cells = line.replace(quotePrefix, '').split('|')
  if (cells[0]?.trim() === '') cells.shift()
  if (cells.at(-1)?.trim() === '') cells.pop()
  return cells.length > 0 && cells.every((cell) => delimiterCell.test(cell)) ? cells.length : undefined
}

/**
 * Extension: a pipe in inline code does not end a cell if the row would otherwise have more cells than the table has columns. GitHub's Markdown
 * wants such a pipe escaped, and drops the surplus cells.
 * @returns the text with marks (`source-marks.ts`) that become pipes after the parse
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
      if (row.inCode.length === 0 || countCells(row, row.pipes) <= columns) return line
      let marked = ''
      let copied = 0
      for (const pipe of row.inCode) {
        marked += line.slice(copied, pipe) + literalPipe
        copied = pipe + 1
      }
      return marked + line.slice(copied)
    })
    .join('\n')
}
