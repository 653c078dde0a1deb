import type { Joint, Row, Segment } from './pdf-pieces.ts'

// Cells that nearly touch the next: their gap is as narrow as one between words, but other lines have a cell that begins, or a number that
// ends, exactly there.

const maxLines = 12
const minLines = 2
const tolerance = 0.1
/** Gaps between words of most texts are narrower; in heights of the letters. */
const usualGap = 0.35
/** Of cells behind such gaps, which begin exactly below each other; in heights of the letters. */
const narrowTolerance = 0.02

/** Texts of more words are sentences, where words may begin below each other. */
const maxCellWords = 7
const countWords = (text: string) => text.trim().split(/\s+/).length

const isNumber = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text)
const isNarrow = ({ before, from }: Pick<Joint, 'before' | 'from'>, height: number) =>
  from - before < height * usualGap

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

function findSharedJoints({ text, joints = [], height, to }: Segment, near: readonly Edges[]): Joint[] {
  const isLong = countWords(text) > maxCellWords
  return joints.filter((joint, index) => {
    if (isNarrow(joint, height) || (joint.isDrawn && isLong)) return false
    const next = joints[index + 1]
    const part = text.slice(joint.at, next?.at)
    const isShared = (find: (edges: Edges) => readonly number[], coordinate: number) =>
      near.filter((edges) => find(edges).some((one) => Math.abs(one - coordinate) < height * tolerance))
        .length >= minLines
    return (
      isShared(({ starts }) => starts, joint.from) ||
      (isNumber(part) && isShared(({ ends }) => ends, next?.before ?? to))
    )
  })
}

function divideSegment(segment: Segment, cuts: readonly Joint[]): Segment[] {
  const { text, joints = [], ...rest } = segment
  return [undefined, ...cuts].map((cut, index) => {
    const next = cuts[index]
    const within = joints.filter(
      ({ at }) => at > (cut?.at ?? 0) && at < (next?.at ?? Infinity) && cut?.at !== at,
    )
    return {
      ...rest,
      text: text.slice(cut?.at, next?.at),
      from: cut?.from ?? rest.from,
      to: next?.before ?? rest.to,
      ...(within.length > 0 && {
        joints: within.map((joint) => ({ ...joint, at: joint.at - (cut?.at ?? 0) })),
      }),
    }
  })
}

export function divideAtColumns(rows: readonly Row[]): Row[] {
  const edges = rows.map(findEdges)
  const divided = rows.map((row, index) => {
    // a line of text alone has no cells
    if (row.length < 2 || !row.some(({ joints }) => joints)) return row
    const near = [
      ...edges.slice(Math.max(0, index - maxLines), index),
      ...edges.slice(index + 1, index + 1 + maxLines),
    ]
    return row.flatMap((segment) => divideSegment(segment, findSharedJoints(segment, near)))
  })
  return divideAtGutters(divided)
}

/** Where a text begins behind another one of its line. */
interface Edge {
  /** undefined where the gap divides cells already */
  joint: Joint | undefined
  /** of the text in front of it */
  leftFrom: number
  before: number
  leftText: string
  isFirst: boolean
  words: number
  from: number
  to: number
  isNumber: boolean
}

function listEdges(row: Row): Edge[] {
  const parts = row.flatMap((segment) => {
    const joints = (segment.joints ?? []).filter(({ isBlank }) => !isBlank)
    return [undefined, ...joints].map((joint, index) => ({
      joint,
      from: joint?.from ?? segment.from,
      to: joints[index]?.before ?? segment.to,
      text: segment.text.slice(joint?.at, joints[index]?.at).trim(),
      words: countWords(segment.text),
    }))
  })
  return parts.slice(1).flatMap(({ joint, from, to, text, words }, index) => {
    const left = parts[index] as (typeof parts)[number]
    if (isLeader(text) || isLeader(left.text) || !isWord(text)) return []
    if (joint && isNarrow(joint, row[0]?.height ?? 0) && isDigitGroup(left.text, text)) return []
    return {
      joint,
      leftFrom: left.from,
      before: left.to,
      leftText: left.text,
      isFirst: index === 0,
      words,
      from,
      to,
      isNumber: isNumber(text),
    }
  })
}

const minGutterLines = 5
/** With wide gaps in all of them but one, whose text is no longer than cells are. */
const minWideLines = 3
const maxGutterLines = 60
/** In heights of the letters: a wider one is never between words that are set evenly. */
const evenGap = 0.6
/** Extents that differ by less are the same; in heights of the letters. */
const minSpread = 0.3

/** What stands in front of the items of a list, hanging: a sign, a number, a label in brackets. */
const isListLabel = (text: string, isFirst: boolean) =>
  /^(?:[^\p{L}\p{N}]{1,3}|[([]?(?:\p{L}?[\d.:–-]{1,15}|\p{L}|[ivxlcIVXLC]{1,6})[.)\]:]|[([]\S{1,20}[\])])$/u.test(
    text,
  ) ||
  (isFirst && /^(?:\p{L}?[\d.:–-]{1,15}|\p{L}|[ivxlcIVXLC]{1,6})$/u.test(text))
const isLeader = (text: string) => /^[.·_…\s]+$|[.·_…]{3}$|^[.·_…]{3}|(?:[.-] ){2}[.-]$/.test(text)
const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text)
const isDigitGroup = (left: string, text: string) => /\d$/.test(left) && /^\d{3}(?!\d)/.test(text)
const spread = (numbers: readonly number[]) => Math.max(...numbers) - Math.min(...numbers)

/** Whether texts on both sides of a gutter are cells, and not words that happen to stand below each other. */
function areCells(edges: readonly Edge[], height: number): boolean {
  const wideCount = edges.filter(({ joint }) => !joint).length
  const areShort = edges.every(({ joint, words }) => !joint || words <= maxCellWords)
  const needed = wideCount >= minWideLines && areShort ? minWideLines + 1 : minGutterLines
  if (edges.length < needed || edges.length - wideCount < (areShort ? 1 : minGutterLines)) return false
  const isFrontAligned = spread(edges.map(({ leftFrom }) => leftFrom)) <= height * minSpread
  const labels = edges.filter(({ leftText, isFirst }) => isListLabel(leftText, isFirst))
  if (isFrontAligned && labels.length > edges.length / 2) return false
  // the words of lists begin below each other where the first ones are equally long
  return (
    !isFrontAligned ||
    spread(edges.map(({ before }) => before)) > height * minSpread ||
    edges.every(({ before, from }) => from - before >= height * evenGap)
  )
}

/**
 * The lines above and below that begin a text where an edge does, or end a number where it does. Lines without any text there are skipped,
 * a text across it ends the column.
 */
function findGutter(
  rows: readonly Row[],
  edges: readonly (readonly Edge[])[],
  index: number,
  { from, to }: Edge,
  side: 'from' | 'to',
): Map<number, Edge> {
  const height = rows[index]?.[0]?.height ?? 0
  const found = new Map<number, Edge>()
  for (const step of [-1, 1]) {
    for (
      let at = step < 0 ? index : index + 1, last = index;
      Math.abs(at - index) < maxGutterLines;
      at += step
    ) {
      const [row, above] = [rows[at], rows[last]]
      if (!row || !above || Math.abs((above[0]?.y ?? 0) - (row[0]?.y ?? 0)) > height * 3) break
      const edge = edges[at]?.find((one) =>
        side === 'from'
          ? Math.abs(one.from - from) < height * narrowTolerance
          : one.isNumber && Math.abs(one.to - to) < height * narrowTolerance,
      )
      if (edge) found.set(at, edge)
      const isAcross = row.some(
        (segment) => segment.from < from - height * 0.1 && segment.to > from + height * 0.1,
      )
      if (!edge && (isAcross || side === 'to')) break
      last = at
    }
  }
  return found
}

/** Divides lines that stand below each other where a text begins, or a number ends, at the same x-coordinate in all of them. */
function divideAtGutters(rows: readonly Row[]): Row[] {
  const edges = rows.map(listEdges)
  const cuts = new Map<Joint, true>()
  for (const [index, list] of edges.entries())
    for (const edge of list) {
      if (!edge.joint || cuts.has(edge.joint)) continue
      const height = rows[index]?.[0]?.height ?? 0
      for (const side of edge.isNumber ? (['from', 'to'] as const) : (['from'] as const)) {
        const gutter = [...findGutter(rows, edges, index, edge, side).values()]
        if (areCells(gutter, height)) for (const { joint } of gutter) if (joint) cuts.set(joint, true)
      }
    }
  if (cuts.size === 0) return [...rows]
  return rows.map((row) =>
    row.flatMap((segment) =>
      segment.joints
        ? divideSegment(
            segment,
            segment.joints.filter((joint) => cuts.has(joint)),
          )
        : segment,
    ),
  )
}
