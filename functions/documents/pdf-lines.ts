import { formatTable } from './write-table.ts'

/** A piece of text on a page, as pdf.js reports it. */
export interface TextItem {
  str: string
  /** whether a line ends behind it */
  hasEOL: boolean
  /** a matrix: scaling and rotation, then x and y of its start */
  transform: readonly number[]
  width: number
  /** of its letters; 0 for a gap */
  height: number
}

interface Interval {
  from: number
  to: number
}
/** Text between wide gaps, with the place that it takes on its line. */
interface Segment extends Interval {
  text: string
}

/** Gaps between words are narrower, even in justified text; in heights of the letters. */
const wideGap = 1.2

/** Divides a page into lines, and each line at its wide gaps. Turned text is not divided. */
function listLines(items: readonly TextItem[]): Segment[][] {
  const lines: Segment[][] = []
  let line: Segment[] = []
  let segment: Segment | undefined
  let letterHeight = 0
  const endLine = () => {
    lines.push(line)
    line = []
    segment = undefined
  }
  for (const { str, hasEOL, transform, width, height } of items) {
    const [, skew = 0, , , x = 0] = transform
    if (height > 0) letterHeight = height
    // pdf.js misses the end of a line if the next one is only slightly lower
    if (segment && skew === 0 && x < segment.to - letterHeight && str.trim() !== '') endLine()
    const isGap = str.trim() === '' && skew === 0 && letterHeight > 0 && width > wideGap * letterHeight
    if (isGap) segment = undefined
    else if (segment) {
      segment.text += str
      segment.to = Math.max(segment.to, x + width)
    } else if (str !== '') {
      segment = { text: str, from: x, to: x + width }
      line.push(segment)
    }
    if (hasEOL) endLine()
  }
  return [...lines, line]
}

/** Merges places that overlap. @returns columns from left to right */
function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

const findColumn = (columns: readonly Interval[], { from }: Interval) =>
  columns.findIndex((column) => from >= column.from && from <= column.to)

/**
 * The columns with one more line.
 * @returns undefined if the line does not fit: two of its cells would share a column, or a text stands across columns
 */
function addLine(columns: readonly Interval[], line: readonly Segment[]): Interval[] | undefined {
  const next = mergeIntervals([...columns, ...line])
  const isAcross = columns.some(
    (column, index) =>
      index > 0 && findColumn(next, column) === findColumn(next, columns[index - 1] ?? column),
  )
  const taken = line.map((segment) => findColumn(next, segment))
  return isAcross || new Set(taken).size < line.length ? undefined : next
}

const joinLine = (line: readonly Segment[]) => line.map(({ text }) => text).join('\t')

/** Writes lines whose cells stand below each other as rows, with an empty cell where a line has none. */
function formatRows(lines: readonly (readonly Segment[])[], columns: readonly Interval[]): string {
  const rows = lines.map((line) => {
    const cells = columns.map(() => '')
    for (const segment of line) cells[findColumn(columns, segment)] = segment.text
    return cells
  })
  return formatTable(rows).slice(0, -1)
}

/**
 * The text of a page. Lines with wide gaps that stand below each other are a table: its cells are separated by tabs, empty ones are kept.
 */
export function formatPage(items: readonly TextItem[]): string {
  const parts: string[] = []
  let rows: Segment[][] = []
  let columns: Interval[] = []
  const endTable = () => {
    // text below the last row that happens to fit into a column
    const last = rows.findLastIndex((row) => row.length > 1)
    const tail = rows.slice(last + 1)
    const table = rows.slice(0, last + 1)
    if (table.length > 1) parts.push(formatRows(table, columns))
    else parts.push(...table.map(joinLine))
    parts.push(...tail.map(joinLine))
    rows = []
    columns = []
  }
  for (const line of listLines(items)) {
    const next = rows.length > 0 || line.length > 1 ? addLine(columns, line) : undefined
    if (!next) endTable()
    if (next || line.length > 1) {
      columns = next ?? mergeIntervals(line)
      rows.push(line)
    } else parts.push(joinLine(line))
  }
  endTable()
  const isBlank = (part: string) => part.trim() === ''
  const first = parts.findIndex((part) => !isBlank(part))
  return parts.slice(Math.max(0, first), parts.findLastIndex((part) => !isBlank(part)) + 1).join('\n')
}
