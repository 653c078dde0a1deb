import { markText, type TextMark } from './mark-text.ts'
import type { Line } from './pdf-drawing.ts'
import { formatTable } from './write-table.ts'

/** A piece of text on a page, as pdf.js reports it. */
export interface TextItem {
  str: string
  /** a matrix: scaling and rotation, then x and y of its start */
  transform: readonly number[]
  width: number
  /** of its letters; 0 for a gap */
  height: number
  /** 'rtl' for Arabic and Hebrew */
  dir?: string
}

/** An address behind a part of a page. */
export interface Link {
  /** x and y of two corners */
  rect: readonly number[]
  url: string
}

export interface PageMarks {
  /** horizontal lines: through text they strike it */
  lines?: readonly Line[]
  links?: readonly Link[]
}

interface Interval {
  from: number
  to: number
}
/** Text between wide gaps, with the place that it takes on its line. */
interface Segment extends Interval {
  text: string
  /** of its base line, upwards */
  y: number
  height: number
}
type Row = Segment[]

/** Gaps between words are narrower, even in justified text; in heights of the letters. */
const wideGap = 1.2

/** Thicker lines are bars and backgrounds. */
const maxRule = 3

/** Pieces of a line whose places are compared. */
const maxRowPieces = 200

/** The angle of a text on its page, in quarters of a turn where it is nearly one. */
const findAngle = ([a = 1, b = 0]: readonly number[]) => {
  const angle = Math.atan2(b, a)
  const quarter = Math.round(angle / (Math.PI / 2)) * (Math.PI / 2)
  return Math.abs(angle - quarter) < 0.02 ? quarter : angle
}

/** Turns a point so that text of this angle is horizontal. */
const turn = (x: number, y: number, angle: number): [number, number] => [
  x * Math.cos(angle) + y * Math.sin(angle),
  y * Math.cos(angle) - x * Math.sin(angle),
]

interface Piece extends Segment {
  /** a gap, as pdf.js writes it */
  isGap: boolean
  mark?: TextMark
}

/** Puts addresses behind the texts that they belong to, and marks around those that a line strikes. */
function markPiece(piece: Piece, x: number, y: number, { lines = [], links = [] }: PageMarks): string {
  const { text, to, from, height } = piece
  const width = to - from
  if (width <= 0 || text.trim() === '') return text
  /** the part of the text between two places, in whole words */
  const findPart = (start: number, end: number): [number, number] | undefined => {
    const [first, last] = [start, end].map((place) => Math.round(((place - x) / width) * text.length)) as [
      number,
      number,
    ]
    if (last <= 0 || first >= text.length || last - first < 1) return undefined
    const before = text.slice(0, Math.max(0, first + 1)).lastIndexOf(' ') + 1
    const wordStart = first <= 0 ? 0 : first - before <= 1 ? before : first
    const after = text.indexOf(' ', Math.min(text.length, Math.max(wordStart + 1, last - 1)))
    const wordEnd = after < 0 || last >= text.length ? text.length : after - last <= 2 ? after : last
    // a sign behind the last word is not a part of it
    const trimmed = text.slice(0, wordEnd).replace(/[.,;:!?]$/, '').length
    return [wordStart, trimmed > wordStart ? trimmed : wordEnd]
  }
  const inserts: [at: number, text: string][] = []
  for (const line of lines) {
    const isThrough = line.y > y + height * 0.15 && line.y < y + height * 0.5 && line.thickness < height * 0.2
    // longer ones are rules, shorter ones are dashes
    if (
      !isThrough ||
      line.from < x - height ||
      line.to > x + width + height ||
      line.to - line.from < height * 0.6
    )
      continue
    const part = findPart(line.from, line.to)
    if (part) inserts.push([part[0], '~~'], [part[1], '~~'])
  }
  for (const { rect, url } of links) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect
    const middle = y + height * 0.3
    if (middle < Math.min(y0, y1) || middle > Math.max(y0, y1)) continue
    const part = findPart(Math.min(x0, x1), Math.max(x0, x1))
    const shown = part && text.slice(part[0], part[1]).trim()
    if (part && shown && !url.includes(shown)) inserts.push([part[1], ` (${url})`])
    else if (part && shown && url !== `mailto:${shown}` && url.replace(/\/$/, '') !== shown)
      inserts.push([part[1], ` (${url})`])
  }
  let marked = text
  for (const [at, insert] of inserts.toSorted((a, b) => b[0] - a[0])) {
    // blanks stay outside
    let position = at
    while (insert !== '~~' && position > 0 && marked[position - 1] === ' ') position -= 1
    marked = marked.slice(0, position) + insert + marked.slice(position)
  }
  return marked
}

/** A small raised number in front of the text of its note. */
const isNoteMark = (mark: Segment, { from, y, height }: Piece) =>
  /^\s*[\d*†‡]{1,3}\s*$/.test(mark.text) &&
  mark.height < height * 0.85 &&
  mark.y > y + height * 0.1 &&
  mark.y < y + height * 0.8 &&
  from - mark.to < height * 1.5 &&
  from > mark.from

/** Joins pieces to segments: texts of one line without a wide gap between them. Raised and lowered pieces belong to the one before. */
function joinPieces(pieces: readonly Piece[]): Segment[] {
  const segments: Segment[] = []
  let segment: Segment | undefined
  let mark: TextMark | undefined
  let raised = ''
  const endMark = () => {
    if (segment && raised !== '')
      segment.text += markText(raised.trim(), mark ?? '^') + (/\s$/.test(raised) ? ' ' : '')
    raised = ''
    mark = undefined
  }
  for (const piece of pieces) {
    const { text, from, to, y, height, isGap } = piece
    if (isGap) {
      if (segment && height === 0 && to - from > wideGap * segment.height) {
        endMark()
        segment = undefined
      } else if (raised !== '') raised += ' '
      else if (segment && !segment.text.endsWith(' ')) segment.text += ' '
      continue
    }
    const rise = segment ? y - segment.y : 0
    const isNear =
      segment !== undefined && from - segment.to < segment.height * 0.8 && from > segment.to - segment.height
    const isSmaller = segment !== undefined && height < segment.height * 0.9
    const isRaised =
      isNear &&
      segment !== undefined &&
      rise > segment.height * (isSmaller ? 0.12 : 0.2) &&
      rise < segment.height * 0.9
    const isLowered =
      isNear &&
      segment !== undefined &&
      rise < -segment.height * (isSmaller ? 0.06 : 0.15) &&
      rise > -segment.height * 0.55
    // a line above or below ends before, or begins after
    if (
      segment &&
      (isRaised || isLowered) &&
      (isSmaller || /^[\d+−-]{1,5}$/.test(text.trim())) &&
      text.trim().length < 20
    ) {
      const next: TextMark = isRaised ? '^' : '_'
      if (mark !== next) endMark()
      mark = next
      raised += text
      segment.to = Math.max(segment.to, to)
      continue
    }
    endMark()
    const isSameLine = segment !== undefined && Math.abs(y - segment.y) < Math.max(1, segment.height * 0.3)
    const goesOn =
      isSameLine &&
      segment !== undefined &&
      from >= segment.to - segment.height &&
      from - segment.to <= wideGap * segment.height
    if (segment && goesOn) {
      const isApart =
        from - segment.to > segment.height * 0.2 && !/\s$/.test(segment.text) && !/^\s/.test(text)
      segment.text += isApart ? ` ${text}` : text
      segment.to = Math.max(segment.to, to)
      segment.height = Math.max(segment.height, height)
    } else if (segment && isNoteMark(segment, piece)) {
      segment.text = `${markText(segment.text.trim(), '^')} ${text.trimStart()}`
      Object.assign(segment, { to, y, height })
    } else {
      segment = { text, from, to, y, height }
      segments.push(segment)
    }
  }
  endMark()
  return segments.filter(({ text }) => text.trim() !== '')
}

/** Puts segments of the same base line beside each other, from the top. */
function listRows(segments: readonly Segment[]): Row[] {
  const rows: { y: number; height: number; row: Row }[] = []
  for (const segment of segments.toSorted((a, b) => b.y - a.y)) {
    const last = rows.at(-1)
    const isSame = last && last.y - segment.y < Math.min(last.height, segment.height) * 0.35
    // two texts in one place are two lines
    const isFree =
      (last?.row.length ?? 0) > maxRowPieces ||
      last?.row.every(({ from, to }) => segment.from >= to - 1 || segment.to <= from + 1)
    if (last && isSame && isFree) last.row.push(segment)
    else rows.push({ y: segment.y, height: segment.height, row: [segment] })
  }
  return rows.map(({ row }) => row.toSorted((a, b) => a.from - b.from))
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

const countWords = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length

/** Whether lines are sentences that go on in the next, and no cells. */
function isProse(lines: readonly Row[], width: number): boolean {
  if (lines.length < 4) return false
  const count = (has: (row: Row) => boolean) => lines.filter(has).length
  const toText = (row: Row) => row.map(({ text }) => text).join(' ')
  const isFilled = (row: Row) => (row.at(-1)?.to ?? 0) - (row[0]?.from ?? 0) > width * 0.6
  // Chinese and Japanese have no blanks between their words
  const countAll = (row: Row) =>
    countWords(toText(row)) + (toText(row).match(/[\u3040-\u9fff]/g)?.length ?? 0) / 3
  return (
    count((row) => row.length === 1) >= lines.length * 0.8 &&
    count(isFilled) >= lines.length * 0.6 &&
    lines.reduce((sum, row) => sum + countAll(row), 0) >= lines.length * 3
  )
}

const maxColumnDepth = 4
/** Lines of a page that are looked at for gaps between them. */
const maxRuns = 10_000
/** More columns are a table. */
const maxGutters = 8

/** Orders rows for reading: columns of text one after the other, tables as they are. */
function divideColumns(rows: readonly Row[], depth = 0): Row[][] {
  const runs: Row[][] = []
  let start = 0
  while (start < rows.length) {
    let places = mergeIntervals(rows[start] ?? [])
    let end = start + 1
    for (; end < rows.length; end += 1) {
      const next = mergeIntervals([...places, ...(rows[end] ?? [])])
      if (next.length < 2 && places.length > 1) break
      // a single column ends where two begin
      if (places.length === 1 && next.length === 1 && (rows[end]?.length ?? 0) > 1) break
      places = next
    }
    const run = rows.slice(start, end)
    runs.push(...(divideRun(run, places, depth) ?? [run]))
    start = end
  }
  return runs
}

/** @returns undefined if there are no columns of text */
function divideRun(run: Row[], places: readonly Interval[], depth: number): Row[][] | undefined {
  if (places.length < 2 || depth >= maxColumnDepth) return undefined
  // with rows of more cells, a table stands above or below the columns
  const hasTable = run.some((row) => row.length > 2)
  return (
    (hasTable ? divideAtGap(run, depth) : undefined) ??
    splitColumns(run, places)?.flatMap((side) => divideColumns(side, depth + 1)) ??
    (hasTable ? undefined : divideAtGap(run, depth))
  )
}

/** @returns undefined unless there are columns of text on one side of the widest gap */
function divideAtGap(run: Row[], depth: number): Row[][] | undefined {
  const gaps = run.slice(1).map((row, index) => (run[index]?.[0]?.y ?? 0) - (row[0]?.y ?? 0))
  const widest = Math.max(0, ...gaps.slice(0, maxRuns))
  const at = gaps.indexOf(widest) + 1
  if (run.length < 8 || widest < (run[0]?.[0]?.height ?? 0) * 1.8) return undefined
  const parts = [run.slice(0, at), run.slice(at)]
  const divided = parts.map((part) => divideRun(part, mergeIntervals(part.flat()), depth + 1))
  if (divided.filter((one) => one !== undefined).length !== 1) return undefined
  return divided.flatMap((one, index) => one ?? [parts[index] ?? []])
}

function splitColumns(rows: readonly Row[], places: readonly Interval[]): [Row[], Row[]] | undefined {
  for (let index = 1; index < Math.min(places.length, maxGutters); index += 1) {
    const gutter = places[index]?.from ?? 0
    const take = (isLeft: boolean) =>
      rows.map((row) => row.filter(({ from }) => from < gutter === isLeft)).filter((row) => row.length > 0)
    const [left, right] = [take(true), take(false)]
    const toWidth = (side: readonly Row[]) =>
      Math.max(...side.flatMap((row) => row.map(({ to }) => to))) -
      Math.min(...side.flatMap((row) => row.map(({ from }) => from)))
    if (left.length > 0 && right.length > 0 && isProse(left, toWidth(left)) && isProse(right, toWidth(right)))
      return [left, right]
  }
  return undefined
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

const joinLine = (line: readonly Segment[]) => line.map(({ text }) => text.trim()).join('\t')

const isNumeric = (text: string) => /\d/.test(text) && !/\p{L}{3}/u.test(text)

/** Divides lines before those that begin a row. */
function groupAt(lines: readonly Row[], begins: (index: number) => boolean): number[][] {
  const groups: number[][] = []
  for (const index of lines.keys())
    if (index > 0 && !begins(index)) groups.at(-1)?.push(index)
    else groups.push([index])
  return groups
}

/** @returns undefined unless rules stand between some lines, and none between others */
function groupByRules(lines: readonly Row[], rules: readonly Line[]): number[][] | undefined {
  const left = Math.min(...lines.flatMap((row) => row[0]?.from ?? []))
  const right = Math.max(...lines.flatMap((row) => row.at(-1)?.to ?? []))
  const isRuled = lines.map((line, index) => {
    const [above, below] = [lines[index - 1]?.[0], line[0]]
    if (!above || !below) return false
    // the cells of a row may have a rule each
    const between = rules.filter(({ y }) => y < above.y && y > below.y + below.height * 0.5)
    const covered = mergeIntervals(between.map(({ from, to }) => ({ from: from - 1, to: to + 1 })))
    const width = covered.reduce((sum, { from, to }) => sum + Math.min(to, right) - Math.max(from, left), 0)
    return width > (right - left) * 0.8
  })
  const count = isRuled.filter(Boolean).length
  return count >= 2 && count < lines.length - 1
    ? groupAt(lines, (index) => isRuled[index] === true)
    : undefined
}

/** Whether a text goes on in the next line, because its first word did not fit behind it. */
function goesOn(above: Segment, below: Segment, column: Interval): boolean {
  const text = below.text.trim()
  const [first = ''] = text.split(/\s/, 1)
  const wordWidth = ((below.to - below.from) * (first.length + 1)) / Math.max(1, text.length)
  return /\S\s+\S/.test(above.text.trim()) && above.to + wordWidth > column.to
}

/**
 * Lines that stand as closely as rows do: those without a first cell go on with the row above, if all of their cells do.
 * @returns undefined unless that holds for all of them, and each leaves a cell out
 */
function groupByWrapping(lines: readonly Row[], columns: readonly Interval[]): number[][] | undefined {
  const [first] = columns
  if (!first || columns.length < 3) return undefined
  const find = (line: Row | undefined, column: Interval) =>
    line?.find(({ from }) => from >= column.from && from <= column.to)
  const isFurther = lines.map((line, index) => index > 0 && find(line, first) === undefined)
  if (!isFurther.includes(true)) return undefined
  let row: Row | undefined
  for (const [index, line] of lines.entries()) {
    if (!isFurther[index]) {
      row = line
      continue
    }
    const wraps = columns.every((column) => {
      const [above, below] = [find(lines[index - 1], column), find(line, column)]
      return !below || (above !== undefined && !isNumeric(below.text) && goesOn(above, below, column))
    })
    if (!row || !wraps || line.length >= row.length - 1) return undefined
  }
  return groupAt(lines, (index) => isFurther[index] === false)
}

/** Lines of a table whose cells belong together: between two rules, closer to each other than rows are, or wrapped. */
function groupLines(lines: readonly Row[], columns: readonly Interval[], rules: readonly Line[]): number[][] {
  const ruled = groupByRules(lines, rules)
  if (ruled) return ruled
  const gaps = lines.slice(1).map((line, index) => (lines[index]?.[0]?.y ?? 0) - (line[0]?.y ?? 0))
  const each = lines.map((_, index) => [index])
  const sorted = gaps.toSorted((a, b) => a - b)
  const height = lines[0]?.[0]?.height ?? 0
  // within a cell, lines are set closely
  const split = sorted.findLastIndex(
    (gap, index) => gap <= height * 1.7 && (sorted[index + 1] ?? 0) >= gap * 1.2,
  )
  if (split < 0) return groupByWrapping(lines, columns) ?? each
  const most = sorted[split] ?? 0
  return groupAt(lines, (index) => (gaps[index - 1] ?? 0) > most)
}

/** Merges a column that has only a header with the one beside it that has none: headers are centred above their cells. */
function mergeHeaders([header = [], ...lines]: readonly Row[], columns: readonly Interval[]): Interval[] {
  const has = (row: Row, column: Interval) => row.some(({ from }) => from >= column.from && from <= column.to)
  const merged: Interval[] = []
  for (const column of columns) {
    const last = merged.at(-1)
    const isHeaderOf = (title: Interval, cells: Interval) =>
      has(header, title) && !has(header, cells) && !lines.some((line) => has(line, title))
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
    for (const segment of line) row[findColumn(columns, segment)] = segment.text.trim()
    return row
  })
  const rows = groupLines(lines, columns, rules).flatMap((group) => {
    const filled = columns.map((_, column) =>
      group.map((line) => cells[line]?.[column] ?? '').filter((text) => text !== ''),
    )
    const isWrapped =
      group.length > 1 &&
      filled.some((texts) => texts.length > 1) &&
      filled.some((texts) => texts.length < group.length) &&
      filled.every((texts) => texts.filter(isNumeric).length < 2 || texts.some((text) => !isNumeric(text)))
    return isWrapped ? [filled.map((texts) => texts.join(' '))] : group.map((line) => cells[line] ?? [])
  })
  return formatTable(rows).slice(0, -1)
}

/** Writes rows: those with wide gaps that stand below each other are a table. */
function formatRun(lines: readonly Row[], rules: readonly Line[]): string[] {
  const parts: string[] = []
  let rows: Row[] = []
  let columns: Interval[] = []
  const endTable = () => {
    // text below the last row that happens to fit into a column; a wrapped cell stands close to its row
    const last = rows.findLastIndex((row) => row.length > 1)
    const groups = last > 0 ? groupLines(rows, columns, rules) : []
    const end = (groups.find((group) => group.includes(last))?.at(-1) ?? last) + 1
    const table = rows.slice(0, end)
    if (table.length > 1) parts.push(formatRows(table, columns, rules))
    else parts.push(...table.map(joinLine))
    parts.push(...rows.slice(end).map(joinLine))
    rows = []
    columns = []
  }
  for (const line of lines) {
    const next = rows.length > 0 || line.length > 1 ? addLine(columns, line) : undefined
    if (!next) endTable()
    if (next || line.length > 1) {
      columns = next ?? mergeIntervals(line)
      rows.push(line)
    } else parts.push(joinLine(line))
  }
  endTable()
  return parts
}

/** The items of one angle, in pieces as if they were horizontal. */
function toPieces(items: readonly TextItem[], angle: number, marks: PageMarks): Piece[] {
  const rightToLeft =
    items.reduce((sum, { dir, str }) => sum + (dir === 'rtl' ? str.length : -str.length), 0) > 0
  let lastHeight = 0
  const pieces = items.map((item): Piece => {
    const { str, transform, width, height } = item
    if (height > 0) lastHeight = height
    const [x, y] = turn(transform[4] ?? 0, transform[5] ?? 0, angle)
    const piece: Piece = {
      text: str,
      from: x,
      to: x + width,
      y,
      height: height || lastHeight,
      isGap: str.trim() === '',
    }
    if (angle === 0) piece.text = markPiece(piece, x, y, marks)
    if (piece.isGap) piece.height = 0
    return piece
  })
  // lines that go from right to left are mirrored: their first column is on the right
  return rightToLeft ? pieces.map((piece) => ({ ...piece, from: -piece.to, to: -piece.from })) : pieces
}

/** Without texts and letters that are drawn again at their place, which makes them bold. */
function dropRepeated(items: readonly TextItem[]): TextItem[] {
  const places = new Map<string, readonly number[]>()
  let before: TextItem | undefined
  return items.flatMap((item) => {
    const { str, transform, height } = item
    const last = str.trim() === '' ? undefined : places.get(str)
    if (last && [4, 5].every((at) => Math.abs((transform[at] ?? 0) - (last[at] ?? 0)) < height * 0.1))
      return []
    places.set(str, transform)
    const repeats = before !== undefined && beginsWithLastLetter(item, before)
    before = item
    const rest = repeats ? str.slice(1) : str
    return rest === '' && repeats ? [] : [{ ...item, str: rest }]
  })
}

/** Whether a text begins on the last letter of the one before, with the same letter: each letter of the line is drawn twice. */
function beginsWithLastLetter({ str, transform, height }: TextItem, before: TextItem): boolean {
  const [from = 0, y = 0] = transform.slice(4)
  const [beforeFrom = 0, beforeY = 0] = before.transform.slice(4)
  const overlap = beforeFrom + before.width - from
  return (
    str.trim() !== '' &&
    before.str.endsWith(str.charAt(0)) &&
    findAngle(transform) === 0 &&
    Math.abs(y - beforeY) < height * 0.1 &&
    from > beforeFrom - height * 0.1 &&
    overlap > height * 0.2 &&
    overlap < height * 1.2
  )
}

/**
 * The text of a page: columns of text one after the other, texts of other directions behind the rest. Lines with wide gaps that stand below
 * each other are a table: its cells are separated by tabs, empty ones are kept.
 */
export function formatPage(items: readonly TextItem[], marks: PageMarks = {}): string {
  const angles = new Map<number, TextItem[]>()
  let angle = 0
  for (const item of dropRepeated(items)) {
    // a gap has the direction of its line
    if (item.str.trim() !== '') angle = findAngle(item.transform)
    const list = angles.get(angle) ?? []
    list.push(item)
    angles.set(angle, list)
  }
  const countLetters = (list: readonly TextItem[]) => list.reduce((sum, { str }) => sum + str.length, 0)
  return [...angles]
    .toSorted(([, a], [, b]) => countLetters(b) - countLetters(a))
    .flatMap(([angle, list]) => {
      const rules = angle === 0 ? (marks.lines ?? []).filter(({ thickness }) => thickness < maxRule) : []
      const runs = divideColumns(listRows(joinPieces(toPieces(list, angle, marks))))
      return runs.flatMap((run) => formatRun(run, rules))
    })
    .join('\n')
}
