import type { LetterLedger } from './letter-ledger.ts'
import { markText, type TextMark } from './format-runs.ts'
import type { Line, Wall } from './pdf-drawing.ts'

export interface TextItem {
  str: string
  /** a matrix: scaling and rotation, then x and y of its start */
  transform: readonly number[]
  width: number
  /** of its letters; 0 for a gap */
  height: number
  /** 'rtl' for Arabic and Hebrew */
  dir?: string
  joints?: readonly Joint[]
  /** whether nothing but a blank of the same string stands between it and the text before */
  isBehindBlank?: boolean
}

export interface Link {
  /** x and y of two corners */
  rect: readonly number[]
  url: string
}

export interface PageMarks {
  lines?: readonly Line[]
  walls?: readonly Wall[]
  links?: readonly Link[]
  ledger?: LetterLedger | undefined
}

export interface Interval {
  from: number
  to: number
}
export interface Segment extends Interval {
  text: string
  y: number
  height: number
  /** where texts stand apart, but no further than words may */
  joints?: Joint[]
}
export interface Joint {
  at: number
  before: number
  from: number
  /** whether nothing but a blank of the same string stands between them */
  isBlank?: boolean
  /** whether only the drawing tells of it */
  isDrawn?: boolean
}
export type Row = Segment[]

/** Gaps between words of most texts are narrower; in heights of the letters. */
const jointGap = 0.35

/** Gaps between words are narrower, even in justified text; in heights of the letters. */
const wideGap = 1.2

export const findAngle = ([a = 1, b = 0]: readonly number[]) => {
  const angle = Math.atan2(b, a)
  const quarter = Math.round(angle / (Math.PI / 2)) * (Math.PI / 2)
  return Math.abs(angle - quarter) < 0.02 ? quarter : angle
}

const turn = (x: number, y: number, angle: number): [number, number] => [
  x * Math.cos(angle) + y * Math.sin(angle),
  y * Math.cos(angle) - x * Math.sin(angle),
]

/** Links as they are where text of this angle is horizontal. @returns none for a slanted text, whose box is much larger than it */
function turnLinks(links: readonly Link[] = [], angle: number): readonly Link[] {
  if (angle === 0) return links
  if (Math.abs(Math.sin(angle * 2)) > 0.01) return []
  return links.map(({ rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0], url }) => ({
    rect: [...turn(x0, y0, angle), ...turn(x1, y1, angle)],
    url,
  }))
}

interface Piece extends Segment {
  isGap: boolean
  isBehindBlank: boolean
  mark?: TextMark
}

const indexTolerance = 3

function snapToBoundary(index: number, one: number, other: number): number {
  const nearest = Math.abs(one - index) <= Math.abs(other - index) ? one : other
  return Math.abs(nearest - index) <= indexTolerance ? nearest : index
}

function markPiece(piece: Piece, x: number, y: number, { lines = [], links = [], ledger }: PageMarks): void {
  const { text, to, from, height } = piece
  const width = to - from
  if (width <= 0 || text.trim() === '') return
  /** the part of the text between two x-coordinates, in whole words */
  const findPart = (start: number, end: number): [number, number] | undefined => {
    const toIndex = (coordinate: number) => Math.round(((coordinate - x) / width) * text.length)
    const [first, last] = [toIndex(start), toIndex(end)]
    if (last <= 0 || first >= text.length || last - first < 1) return undefined
    const firstAt = Math.max(0, first)
    const nextStart = text.indexOf(' ', firstAt) + 1 || text.length
    const wordStart = snapToBoundary(firstAt, text.slice(0, firstAt + 1).lastIndexOf(' ') + 1, nextStart)
    const lastAt = Math.min(text.length, Math.max(wordStart + 1, last))
    const nextEnd = text.indexOf(' ', lastAt)
    const lastEnd = text.lastIndexOf(' ', lastAt)
    const wordEnd = snapToBoundary(
      lastAt,
      lastEnd > wordStart ? lastEnd : text.length,
      nextEnd < 0 ? text.length : nextEnd,
    )
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
  for (const [at, insert] of inserts.toSorted((a, b) => b[0] - a[0])) {
    // blanks stay outside
    let position = at
    while (insert !== '~~' && position > 0 && piece.text[position - 1] === ' ') position -= 1
    ledger?.write(insert)
    piece.text = piece.text.slice(0, position) + insert + piece.text.slice(position)
    piece.joints = (piece.joints ?? []).map((joint) =>
      joint.at > position ? { ...joint, at: joint.at + insert.length } : joint,
    )
  }
}

const isNoteMark = (mark: Segment, { from, y, height }: Piece) =>
  /^\s*[\d*†‡]{1,3}\s*$/.test(mark.text) &&
  mark.height < height * 0.85 &&
  mark.y > y + height * 0.1 &&
  mark.y < y + height * 0.8 &&
  from - mark.to < height * 1.5 &&
  from > mark.from

const isListSign = ({ text }: Segment, before: Segment | undefined, y: number) =>
  /^\s*[•◦▪▫‣●○■□]\s*$/u.test(text) && !(before && Math.abs(before.y - y) < before.height * 0.3)
const signGap = 2.2

const amount = /^[(+\-−–]?\s?[€$£]?\s?\d[\d.,'’]{0,20}[.,]\d{1,6}\s?%?\)?$/u

/** Amounts beside each other are cells, in narrow columns too; digits may be groups of one number. */
const areAmounts = (before: Segment, { text, from, height }: Piece) =>
  from - before.to > height * 0.4 && amount.test(before.text.trim()) && amount.test(text.trim())

/** pdf.js joins amounts of narrow columns to one text. */
function divideAmounts(item: TextItem): TextItem[] {
  const { str, transform, width } = item
  const texts = str.length > 200 ? [] : str.split(' ')
  if (texts.length < 2 || !texts.every((text) => amount.test(text))) return [item]
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const angle = Math.atan2(b, a)
  const letter = width / str.length
  let at = 0
  return texts.map((text) => {
    const from = at * letter
    at += text.length + 1
    const matrix = [a, b, c, d, x + from * Math.cos(angle), y + from * Math.sin(angle)]
    const { joints: _, ...rest } = item
    return { ...rest, str: text, transform: matrix, width: text.length * letter }
  })
}

/** Whether a line stands between two texts. Those of lines from right to left are mirrored. */
const isDivided = ({ to }: Segment, { from, y, height }: Piece, walls: readonly Wall[]) =>
  from - to > height * 0.2 &&
  walls.some(
    ({ x, low, high }) =>
      low < y + height * 0.3 && high > y + height * 0.3 && ((x > to && x < from) || (-x > to && -x < from)),
  )

function addJoints(segment: Segment, { joints = [] }: Piece): void {
  const offset = segment.text.length
  if (joints.length > 0)
    segment.joints = [
      ...(segment.joints ?? []),
      ...joints.map((joint) => ({ ...joint, at: joint.at + offset })),
    ]
}

/**
 * Joins pieces to segments: texts of one line without a wide gap, or a line, between them. Raised and lowered pieces belong to the one
 * before.
 */
export function joinPieces(
  pieces: readonly Piece[],
  walls: readonly Wall[] = [],
  ledger?: LetterLedger,
): Segment[] {
  const segments: Segment[] = []
  let segment: Segment | undefined
  let mark: TextMark | undefined
  let raised = ''
  const write = (text: string, by: TextMark) => {
    const marked = markText(text, by)
    // the sign, and brackets
    ledger?.write(marked.replace(text, ''))
    return marked
  }
  const endMark = () => {
    if (segment && raised !== '')
      segment.text += write(raised.trim(), mark ?? '^') + (/\s$/.test(raised) ? ' ' : '')
    raised = ''
    mark = undefined
  }
  const widest = () => (segment && isListSign(segment, segments.at(-2), segment.y) ? signGap : wideGap)
  for (const piece of pieces) {
    const { text, from, to, y, height, isGap } = piece
    if (isGap) {
      if (segment && height === 0 && to - from > widest() * segment.height) {
        endMark()
        segment = undefined
      } else if (raised !== '') raised += ' '
      else if (segment && !segment.text.endsWith(' ')) segment.text += ' '
      continue
    }
    // in heights of the letters before; of none, nothing holds
    const unit = segment?.height ?? NaN
    const [rise, gap, size] = [
      (y - (segment?.y ?? 0)) / unit,
      (from - (segment?.to ?? 0)) / unit,
      height / unit,
    ]
    const isNear = gap < 0.8 && gap > -1
    const isSmaller = size < 0.9
    const isRaised = isNear && rise > (isSmaller ? 0.12 : 0.2) && rise < 0.9
    const isLowered = isNear && rise < (isSmaller ? -0.06 : -0.15) && rise > -0.55
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
      from - segment.to <= widest() * segment.height &&
      !isDivided(segment, piece, walls) &&
      !areAmounts(segment, piece)
    if (segment && goesOn) {
      const isApart =
        from - segment.to > segment.height * 0.2 && !/\s$/.test(segment.text) && !/^\s/.test(text)
      if (isApart) segment.text += ' '
      if (from - segment.to > segment.height * jointGap && text.trim() !== '')
        (segment.joints ??= []).push({
          at: segment.text.length,
          before: segment.to,
          from,
          isBlank: piece.isBehindBlank,
        })
      addJoints(segment, piece)
      segment.text += text
      segment.to = Math.max(segment.to, to)
      segment.height = Math.max(segment.height, height)
    } else if (segment && isNoteMark(segment, piece)) {
      segment.text = `${write(segment.text.trim(), '^')} ${text.trimStart()}`
      Object.assign(segment, { to, y, height })
    } else {
      segment = { text: '', from, to, y, height }
      addJoints(segment, piece)
      segment.text = text
      segments.push(segment)
    }
  }
  endMark()
  return segments.filter(({ text }) => text.trim() !== '')
}

export function toPieces(items: readonly TextItem[], angle: number, marks: PageMarks): Piece[] {
  const rightToLeft =
    items.reduce((sum, { dir, str }) => sum + (dir === 'rtl' ? str.length : -str.length), 0) > 0
  // lines and walls are those of horizontal text
  const turned: PageMarks = {
    lines: angle === 0 ? (marks.lines ?? []) : [],
    links: turnLinks(marks.links, angle),
    ledger: marks.ledger,
  }
  let lastHeight = 0
  const pieces = items.flatMap(divideAmounts).map((item): Piece => {
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
      isBehindBlank: item.isBehindBlank === true,
      ...(item.joints &&
        !rightToLeft && {
          joints: item.joints.map((joint) => ({ ...joint, before: x + joint.before, from: x + joint.from })),
        }),
    }
    markPiece(piece, x, y, turned)
    if (piece.isGap) piece.height = 0
    return piece
  })
  // lines that go from right to left are mirrored: their first column is on the right
  return rightToLeft ? pieces.map((piece) => ({ ...piece, from: -piece.to, to: -piece.from })) : pieces
}

/** Without texts that are drawn again at their place, which makes them bold. */
export function dropRepeated(items: readonly TextItem[], ledger?: LetterLedger): TextItem[] {
  const places = new Map<string, readonly number[]>()
  return items.filter(({ str, transform, height }) => {
    const last = str.trim() === '' ? undefined : places.get(str)
    const isRepeated =
      last && [4, 5].every((at) => Math.abs((transform[at] ?? 0) - (last[at] ?? 0)) < height * 0.1)
    if (isRepeated) ledger?.drop(str)
    else places.set(str, transform)
    return !isRepeated
  })
}
