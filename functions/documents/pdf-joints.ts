import type { Row, Segment } from './pdf-pieces.ts'

// Cells that nearly touch the next: their gap is as narrow as one between words, but other lines have a cell that begins, or a number that
// ends, exactly there.

/** Lines above and below that are compared. */
const maxLines = 12
/** Such lines that a column needs. */
const minLines = 2
/** In heights of the letters. */
const tolerance = 0.1

const isNumber = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text)

/** Cells behind a wide gap. */
interface Edges {
  starts: readonly number[]
  /** of numbers, which are aligned right */
  ends: readonly number[]
}

const findEdges = (row: Row): Edges => {
  const cells = row.slice(1)
  return {
    starts: cells.map(({ from }) => from),
    ends: cells.filter(({ text }) => isNumber(text)).map(({ to }) => to),
  }
}

function divideSegment(segment: Segment, near: readonly Edges[]): Segment[] {
  const { text, joints = [], ...rest } = segment
  const isShared = (find: (edges: Edges) => readonly number[], place: number) =>
    near.filter((edges) => find(edges).some((one) => Math.abs(one - place) < rest.height * tolerance))
      .length >= minLines
  const cuts = joints.filter(({ at, from }, index) => {
    const next = joints[index + 1]
    const part = text.slice(at, next?.at)
    return (
      isShared(({ starts }) => starts, from) ||
      (isNumber(part) && isShared(({ ends }) => ends, next?.before ?? rest.to))
    )
  })
  return [undefined, ...cuts].map((cut, index) => ({
    ...rest,
    text: text.slice(cut?.at, cuts[index]?.at),
    from: cut?.from ?? rest.from,
    to: cuts[index]?.before ?? rest.to,
  }))
}

/** Divides texts of rows where lines near them have a column. */
export function divideAtColumns(rows: readonly Row[]): Row[] {
  const edges = rows.map(findEdges)
  return rows.map((row, index) => {
    // a line of text alone has no cells
    if (row.length < 2 || !row.some(({ joints }) => joints)) return row
    const near = [
      ...edges.slice(Math.max(0, index - maxLines), index),
      ...edges.slice(index + 1, index + 1 + maxLines),
    ]
    return row.flatMap((segment) => (segment.joints ? divideSegment(segment, near) : segment))
  })
}
