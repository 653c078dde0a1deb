import { haveSameLetters } from './letter-ledger.ts'
import { mergeIntervals } from './pdf-columns.ts'
import type { Line, Wall } from './pdf-drawing.ts'
import type { Interval, Row, Segment } from './pdf-pieces.ts'
import { formatTable } from './write-table.ts'

const findColumn = (columns: readonly Interval[], { from }: Interval) =>
  columns.findIndex((column) => from >= column.from && from <= column.to)

type Cells = ReadonlyMap<Segment, Interval>

/**
 * The cells of texts between two walls: texts that are aligned left and right need not stand below each other. A cell that covers several
 * columns is none.
 */
function findCells(lines: readonly Row[], walls: readonly Wall[]): Cells {
  const cells = new Map<Segment, Interval>()
  const [top, bottom] = [lines[0]?.[0]?.y ?? 0, lines.at(-1)?.[0]?.y ?? 0]
  const near = walls.filter(({ low, high }) => high > bottom && low < top + (lines[0]?.[0]?.height ?? 0))
  if (near.length < 2) return cells
  const places = [...new Set(near.map(({ x }) => Math.round(x)))]
  for (const segment of lines.flat()) {
    const { from, to, y, height } = segment
    // lines from right to left are mirrored
    const sign = to <= 0 ? -1 : 1
    const beside = near
      .filter(({ low, high }) => low < y + height * 0.3 && high > y + height * 0.3)
      .map(({ x }) => x * sign)
    const left = Math.max(...beside.filter((x) => x <= from + 1))
    const right = Math.min(...beside.filter((x) => x >= to - 1))
    const isSpanned = places.some((x) => x * sign > left + 2 && x * sign < right - 2)
    if (Number.isFinite(left) && Number.isFinite(right) && !isSpanned)
      cells.set(segment, { from: Math.min(left + 1, from), to: Math.max(right - 1, to) })
  }
  // between walls with two texts of one line, other columns stand
  const toKey = ({ from }: Interval) => Math.round(from)
  const shared = new Set(
    lines.flatMap((line) => {
      const keys = line.flatMap((segment) => cells.get(segment) ?? []).map(toKey)
      return keys.filter((key, index) => keys.indexOf(key) < index)
    }),
  )
  for (const [segment, cell] of cells) if (shared.has(toKey(cell))) cells.delete(segment)
  return cells
}

const maxComparisons = 5_000_000

/** Sets a text that is alone in a cell beside several rows, such as in its middle, into the first of them: as `rowspan` would. */
export function raiseSpans(texts: readonly Segment[], rules: readonly Line[], walls: readonly Wall[]): void {
  if (texts.length * (texts.length + rules.length + walls.length) > maxComparisons) return
  for (const text of texts) {
    const { from, to, y, height } = text
    const near = walls.filter(({ low, high }) => low < y + height * 0.3 && high > y + height * 0.3)
    const right = Math.min(...near.filter(({ x }) => x >= to - 1).map(({ x }) => x))
    const before = near.filter(({ x }) => x <= from + 1)
    const left = Math.max(...before.map(({ x }) => x))
    if (!Number.isFinite(left) || !Number.isFinite(right)) continue
    const own = rules.filter((rule) => rule.from <= from + 1 && rule.to >= to - 1).map((rule) => rule.y)
    const sides = before.filter(({ x }) => x > left - 1)
    const top = Math.min(...sides.map(({ high }) => high), ...own.filter((at) => at > y + height * 0.3))
    const bottom = Math.max(...sides.map(({ low }) => low), ...own.filter((at) => at < y + height * 0.3))
    const ends = [
      ...rules.filter((rule) => rule.to < left + 2 || rule.from > right - 2).map((rule) => rule.y),
      ...walls.filter(({ x }) => x < left - 2 || x > right - 2).flatMap(({ low, high }) => [low, high]),
    ]
    const end = Math.max(...ends.filter((at) => at > bottom + 2 && at < top - 2))
    const within = texts.filter((one) => one !== text && one.y > bottom && one.y < top)
    const first = Math.max(...within.map((one) => one.y))
    const isAlone = !within.some((one) => one.from < right && one.to > left)
    if (isAlone && first > end && first > y && within.some((one) => one.y < end)) text.y = first
  }
}

/** @returns undefined if the line does not fit: two of its cells would share a column, or a text stands across columns */
function addLine(
  columns: readonly Interval[],
  line: readonly Segment[],
  cells: Cells,
): Interval[] | undefined {
  const next = mergeIntervals([...columns, ...line.map((one) => cells.get(one) ?? one)])
  const isAcross = columns.some(
    (column, index) =>
      index > 0 && findColumn(next, column) === findColumn(next, columns[index - 1] ?? column),
  )
  const taken = line.map((segment) => findColumn(next, segment))
  return isAcross || new Set(taken).size < line.length ? undefined : next
}

const joinLine = (line: readonly Segment[]) => line.map(({ text }) => text.trim()).join('\t')

const isNumeric = (text: string) => /\d/.test(text) && !/\p{L}{3}/u.test(text)
const isValue = (text: string) =>
  isNumeric(text) || /^(?:[-–—−]|\d{1,2}\.? \p{L}{3,20} \d{4}|\p{L}{3,20} \d{1,2}, \d{4})$/u.test(text)

function groupAt(lines: readonly Row[], begins: (index: number) => boolean): number[][] {
  const groups: number[][] = []
  for (const index of lines.keys())
    if (index > 0 && !begins(index)) groups.at(-1)?.push(index)
    else groups.push([index])
  return groups
}

const findIn = (line: Row | undefined, column: Interval) =>
  line?.find(({ from }) => from >= column.from && from <= column.to)
const findGaps = (lines: readonly Row[]) =>
  lines.slice(1).map((line, index) => (lines[index]?.[0]?.y ?? 0) - (line[0]?.y ?? 0))

/** Lines between rules. Those outside of the first and the last rule belong to the row beside it if they follow it as lines of a text do. */
function groupByRules(
  lines: readonly Row[],
  columns: readonly Interval[],
  rules: readonly Line[],
): number[][] | undefined {
  const left = Math.min(...lines.flatMap((row) => row[0]?.from ?? []))
  const right = Math.max(...lines.flatMap((row) => row.at(-1)?.to ?? []))
  const isRuled = (low: number, high: number) => {
    // the cells of a row may have a rule each
    const between = rules.filter(({ y }) => y < high && y > low)
    const covered = mergeIntervals(between.map(({ from, to }) => ({ from: from - 1, to: to + 1 })))
    const width = covered.reduce((sum, { from, to }) => sum + Math.min(to, right) - Math.max(from, left), 0)
    return width > (right - left) * 0.8
  }
  const places = lines.map(([{ y, height } = { y: 0, height: 0 }]) => ({ y, middle: y + height * 0.5 }))
  const begins = places.map(({ middle }, index) => index > 0 && isRuled(middle, places[index - 1]?.y ?? 0))
  const count = begins.filter(Boolean).length
  if (count < 2 || count >= lines.length - 1) return undefined
  const gaps = findGaps(lines)
  const follows = (index: number) => (gaps[index - 1] ?? Infinity) < Math.min(...gaps) * 1.1
  const goes = (index: number) =>
    (lines[index]?.length ?? 0) > 1 ||
    columns.some((column) => goesOn(findIn(lines[index - 1], column), findIn(lines[index], column), column))
  let [from, to] = [begins.indexOf(true) - 1, begins.lastIndexOf(true) + 1]
  while (follows(from)) from -= 1
  while (follows(to) && goes(to)) to += 1
  const [{ y: top, middle } = { y: 0, middle: 0 }, { y: bottom } = { y: 0 }] = [places[0], places.at(-1)]
  const reach = (middle - top) * 5
  if (!isRuled(middle, top + reach)) begins.fill(true, 0, from + 1)
  if (!isRuled(bottom - reach, bottom)) begins.fill(true, to)
  return groupAt(lines, (index) => begins[index] === true)
}

/** Whether a text goes on in the next line, because its first word did not fit behind it. */
function goesOn(above: Segment | undefined, below: Segment | undefined, column: Interval): boolean {
  if (!above || !below) return false
  const text = below.text.trim()
  const [first = ''] = text.split(/\s/, 1)
  const wordWidth = ((below.to - below.from) * (first.length + 1)) / Math.max(1, text.length)
  return /\S\s+\S/.test(above.text.trim()) && above.to + wordWidth > column.to
}

/** Lines without a first cell go on with the row above. @returns undefined unless that holds for all of them, and each leaves a cell out */
function groupByWrapping(lines: readonly Row[], columns: readonly Interval[]): number[][] | undefined {
  const [first] = columns
  if (!first || columns.length < 3) return undefined
  const isFurther = lines.map((line, index) => index > 0 && findIn(line, first) === undefined)
  if (!isFurther.includes(true)) return undefined
  let row: Row | undefined
  for (const [index, line] of lines.entries()) {
    if (!isFurther[index]) {
      row = line
      continue
    }
    const wraps = columns.every((column) => {
      const below = findIn(line, column)
      return !below || (!isNumeric(below.text) && goesOn(findIn(lines[index - 1], column), below, column))
    })
    if (!row || !wraps || line.length >= row.length - 1) return undefined
  }
  return groupAt(lines, (index) => isFurther[index] === false)
}

/** Lines of a table whose cells belong together: between two rules, closer to each other than rows are, or wrapped. */
function groupLines(lines: readonly Row[], columns: readonly Interval[], rules: readonly Line[]): number[][] {
  const ruled = groupByRules(lines, columns, rules)
  if (ruled) return ruled
  const gaps = findGaps(lines)
  const sorted = gaps.toSorted((a, b) => a - b)
  const height = lines[0]?.[0]?.height ?? 0
  // within a cell, lines are set closely
  const split = sorted.findLastIndex(
    (gap, index) => gap <= height * 1.7 && (sorted[index + 1] ?? 0) >= gap * 1.2,
  )
  if (split < 0) return groupByWrapping(lines, columns) ?? lines.map((_, index) => [index])
  const most = sorted[split] ?? 0
  return groupAt(lines, (index) => (gaps[index - 1] ?? 0) > most)
}

/** Merges a column that has only a header with the one beside it that has none: headers are centred above their cells. */
function mergeHeaders([header = [], ...lines]: readonly Row[], columns: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const column of columns) {
    const last = merged.at(-1)
    const isHeaderOf = (title: Interval, cells: Interval) =>
      findIn(header, title) && !findIn(header, cells) && !lines.some((line) => findIn(line, title))
    if (last && (isHeaderOf(last, column) || isHeaderOf(column, last)))
      merged[merged.length - 1] = { from: last.from, to: column.to }
    else merged.push(column)
  }
  return merged
}

/** Writes lines whose cells stand below each other as rows, with an empty cell where a line has none, and wrapped cells joined. */
function formatRows(lines: readonly Row[], places: readonly Interval[], rules: readonly Line[]): string {
  const columns = mergeHeaders(lines, places)
  const cells = lines.map((line) => {
    const row = columns.map(() => '')
    // no slot is assigned to twice
    for (const segment of line) {
      const column = findColumn(columns, segment)
      row[column] = `${row[column] ?? ''} ${segment.text.trim()}`.trimStart()
    }
    return row
  })
  // a label and a value: such a line is a row of its own
  const isRecord = (line: number) => {
    const [label = '', ...values] = cells[line] ?? []
    return label !== '' && values.some(isValue)
  }
  const rows = groupLines(lines, columns, rules).flatMap((group) => {
    const filled = columns.map((_, column) =>
      group.map((line) => cells[line]?.[column] ?? '').filter((text) => text !== ''),
    )
    const isWrapped =
      group.length > 1 &&
      group.filter(isRecord).length <= 1 &&
      filled.some((texts) => texts.length > 1) &&
      filled.some((texts) => texts.length > 0 && texts.length < group.length) &&
      // values below each other are rows, whatever their title
      filled.every((texts) => {
        const count = texts.filter(isValue).length
        return count < 2 || count < texts.length / 2
      })
    return isWrapped ? [filled.map((texts) => texts.join(' '))] : group.map((line) => cells[line] ?? [])
  })
  return formatTable(rows).slice(0, -1)
}

/** Writes rows: those with wide gaps that stand below each other are a table. */
export function formatRun(
  lines: readonly Row[],
  rules: readonly Line[],
  walls: readonly Wall[] = [],
  onPlain: () => void = () => undefined,
): string[] {
  const cells = findCells(lines, walls)
  const parts: string[] = []
  let rows: Row[] = []
  let columns: Interval[] = []
  const endTable = () => {
    // text below the last row that happens to fit into a column; a wrapped cell stands close to its row
    const last = rows.findLastIndex((row) => row.length > 1)
    const groups = last > 0 ? groupLines(rows, columns, rules) : []
    const end = (groups.find((group) => group.includes(last))?.at(-1) ?? last) + 1
    const table = rows.slice(0, end)
    const text = table.length > 1 ? formatRows(table, columns, rules) : ''
    // a table that would lose a text is none
    const isWhole =
      table.length < 2 ||
      haveSameLetters(
        table.flat().map((segment) => segment.text),
        [text],
      )
    if (table.length > 1 && !isWhole) onPlain()
    if (table.length > 1 && isWhole) parts.push(text)
    else parts.push(...table.map(joinLine))
    parts.push(...rows.slice(end).map(joinLine))
    rows = []
    columns = []
  }
  for (const line of lines) {
    const next = rows.length > 0 || line.length > 1 ? addLine(columns, line, cells) : undefined
    if (!next) endTable()
    if (next || line.length > 1) {
      columns = next ?? addLine([], line, cells) ?? mergeIntervals(line)
      rows.push(line)
    } else parts.push(joinLine(line))
  }
  endTable()
  return parts
}
