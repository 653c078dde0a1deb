import type { Interval, Row, Segment } from './pdf-pieces.ts'

// Columns of text on a page: what stands beside each other is read one after the other.

const maxRowPieces = 200

export function listRows(segments: readonly Segment[]): Row[] {
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
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
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

const minIndependentLines = 8

/** Whether texts beside each other have lines of their own, which follow each other closely: the names beside the texts of a table stand apart. */
function areIndependent(left: readonly Row[], right: readonly Row[], count: number): boolean {
  const shared = left.length + right.length - count
  const isDense = (side: readonly Row[]) =>
    side.filter((row, index) => {
      const [segment, next] = [row[0], side[index + 1]?.[0]]
      return segment && next && segment.y - next.y < segment.height * 1.8
    }).length >
    side.length * 0.6
  return [left, right].every(
    (side) => side.length >= minIndependentLines && shared < side.length * 0.7 && isDense(side),
  )
}

const maxColumnDepth = 4
const maxRuns = 10_000
const maxGutters = 8

/** Orders rows for reading: columns of text one after the other, tables as they are. */
export function divideColumns(rows: readonly Row[], depth = 0): Row[][] {
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
    if (left.length === 0 || right.length === 0) continue
    const areProse = [left, right].map((side) => isProse(side, toWidth(side)))
    const areColumns =
      areProse.every(Boolean) || (areProse.some(Boolean) && areIndependent(left, right, rows.length))
    if (areColumns) return [left, right]
  }
  return undefined
}
