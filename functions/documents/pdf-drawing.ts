import { OPS } from 'unpdf/pdfjs'
import * as z from 'zod'
import {
  toBounds,
  findUnseen,
  initialText,
  intersect,
  maxBoxes,
  type Bounds,
  type PaintedBox,
  type TextState,
  type Unseen,
} from './pdf-unseen.ts'

// What pdf.js draws on a page, for what its text layer does not tell: lines through text, stamps, ligatures and fonts.

export type Matrix = readonly [number, number, number, number, number, number]
/** A horizontal line, in the space of the page before its rotation. */
export interface Line {
  from: number
  to: number
  y: number
  thickness: number
}
/** A vertical line, such as between the cells of a table. */
export interface Wall {
  x: number
  low: number
  high: number
}
/** Letters that are drawn without a gap between them. */
export interface LetterGroup {
  text: string
  from: number
  to: number
  /** whether a blank is drawn in front of it, and nothing else makes its gap */
  isBehindBlank: boolean
  /** whether all of its letters have the same width */
  isFixedPitch: boolean
}
/** Glyphs that are shown together, as the text layer has its items. */
export interface GlyphRun {
  fontName: string
  letters: LetterGroup[]
  glyphs: { text: string; from: number; to: number }[]
  /** of glyphs; -1 for a gap */
  codes: number[]
  transform: Matrix
  width: number
  height: number
  /** why the text cannot be seen, unless something is painted there */
  unseen?: Unseen
  /** what lies beyond is not painted */
  clip?: Bounds | undefined
}
export interface Drawing {
  lines: Line[]
  boxes: PaintedBox[]
  walls: Wall[]
  groups: unknown[]
  /** what is drawn of the texts of annotations, by their ids */
  stamps: Map<string, string>
  /** words that the text layer has with the letters of a ligature in the wrong order */
  words: Map<string, string>
  runs: GlyphRun[]
  isBlank: boolean
}

/** Of one page. A map has hundreds of thousands. */
const maxLines = 2_000
const identity: Matrix = [1, 0, 0, 1, 0, 0]

const multiply = (a: Matrix, b: Matrix): Matrix => [
  a[0] * b[0] + a[2] * b[1],
  a[1] * b[0] + a[3] * b[1],
  a[0] * b[2] + a[2] * b[3],
  a[1] * b[2] + a[3] * b[3],
  a[0] * b[4] + a[2] * b[5] + a[4],
  a[1] * b[4] + a[3] * b[5] + a[5],
]
const toMatrix = (value: unknown): Matrix => {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<number>) : []
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : identity
}

const glyphs = z
  .array(
    z
      .union([
        z.object({
          unicode: z.string(),
          width: z.number().catch(0),
          originalCharCode: z.number().catch(0),
        }),
        z.number(),
      ])
      .catch(0),
  )
  .catch([])
/** pdf.js passes a matrix on as a list of numbers, or as an object with them. */
const toList = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? Object.values(value) : value
const isRightToLeft = (text: string) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text)

const pathNumbers = [2, 2, 6, 4, 0]

type Box = readonly [x0: number, y0: number, x1: number, y1: number]
const unite = (boxes: readonly Box[]): Box => [
  Math.min(...boxes.map(([x]) => x)),
  Math.min(...boxes.map(([, y]) => y)),
  Math.max(...boxes.map(([, , x]) => x)),
  Math.max(...boxes.map(([, , , y]) => y)),
]

function* listPathBoxes(paths: unknown): Generator<Box> {
  const path = (Array.isArray(paths) ? paths[0] : undefined) as ArrayLike<number> | undefined
  if (!ArrayBuffer.isView(path)) return
  let box: Box | undefined
  for (let at = 0; at < path.length;) {
    const command = path[at] ?? 0
    const count = pathNumbers[command]
    if (count === undefined) return
    if (command === 0) {
      if (box) yield box
      box = undefined
    }
    for (let index = at + 1; index < at + count; index += 2) {
      const [x, y] = [path[index] ?? 0, path[index + 1] ?? 0]
      box = box
        ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
        : [x, y, x, y]
    }
    at += count + 1
  }
  if (box) yield box
}

const images = [
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
  OPS.paintSolidColorImageMask,
]
const paints = new Set<number>([...images, OPS.shadingFill, OPS.rawFillPath])
/** A shading fills what is clipped, and pictures of a group have places of their own. */
const spreads = new Set<number>([
  OPS.shadingFill,
  OPS.rawFillPath,
  OPS.paintImageMaskXObjectGroup,
  OPS.paintInlineImageXObjectGroup,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectRepeat,
])
/** Pictures are left out, of which the scale remains: from a unit square to their size. */
const isScaled = ([a, b, c, d]: Matrix) => Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d)) > 2
const isPaint = (operator: number, values: readonly unknown[]) =>
  paints.has(operator) ||
  (operator === OPS.constructPath && values[0] !== OPS.endPath && values[0] !== OPS.clip) ||
  (operator === OPS.transform && isScaled(toMatrix(values)))

/** Some programs paint the white of the paper first. */
const isPaper = (operator: number, [fill]: readonly unknown[], state: TextState) =>
  operator === OPS.constructPath && (fill === OPS.fill || fill === OPS.eoFill) && state.fill === '#ffffff'

export function readDrawing({
  fnArray,
  argsArray,
}: {
  fnArray: readonly number[]
  argsArray: readonly unknown[]
}): Drawing {
  const drawing: Drawing = {
    lines: [],
    boxes: [],
    walls: [],
    groups: [],
    stamps: new Map(),
    words: new Map(),
    runs: [],
    isBlank: true,
  }
  // the distance of lines, which `T*` and its like go down
  const initial = { ...initialText, ...noSpacing, leading: 0 }
  let state: TextState & TextSpacing & { leading: number; clip?: Bounds } = initial
  const stack: { matrix: Matrix; state: typeof state }[] = []
  let matrix = identity
  const save = () => stack.push({ matrix, state })
  const restore = () => ({ matrix, state } = stack.pop() ?? { matrix: identity, state: initial })
  const clip = (box: readonly [number, number, number, number]) => {
    const bounds = toBounds(matrix, box)
    state = { ...state, clip: state.clip ? intersect(state.clip, bounds) : bounds }
  }
  let isClip = false
  let width = 1
  let annotation: { id: string; text: string } | undefined
  const words = new WordReader(drawing.words)
  let font = ''
  const divideAnnotation = () => {
    if (annotation && annotation.text !== '' && !/\s$/.test(annotation.text)) annotation.text += ' '
  }
  const move = (x: unknown, y: unknown) => {
    divideAnnotation()
    words.move(Number(x) || 0, Number(y) || 0)
  }
  const nextIsClip = () => (isClip = true)
  const operators: Readonly<Record<number, (values: readonly unknown[]) => void>> = {
    [OPS.save]: save,
    [OPS.restore]: restore,
    [OPS.transform]: (values) => {
      matrix = multiply(matrix, toMatrix(values))
      if (isScaled(toMatrix(values))) addPicture(drawing, matrix)
    },
    [OPS.setTextRenderingMode]: ([mode]) => (state = { ...state, mode: Number(mode) }),
    [OPS.setCharSpacing]: ([spacing]) => (state = { ...state, letterSpacing: Number(spacing) || 0 }),
    [OPS.setWordSpacing]: ([spacing]) => (state = { ...state, wordSpacing: Number(spacing) || 0 }),
    [OPS.setHScale]: ([percent]) => (state = { ...state, stretch: (Number(percent) || 100) / 100 }),
    [OPS.setFillRGBColor]: ([fill]) => (state = { ...state, fill: String(fill) }),
    [OPS.setFillColorN]: () => (state = { ...state, fill: '' }),
    [OPS.setFillTransparent]: () => (state = { ...state, fill: '' }),
    [OPS.setGState]: ([entries]) => (state = { ...state, alpha: findAlpha(entries) ?? state.alpha }),
    [OPS.paintFormXObjectBegin]: ([own, bounds]) => {
      save()
      matrix = multiply(matrix, toMatrix(own))
      const box = bounds as ArrayLike<number> | null
      if (box?.length === 4) clip([box[0] ?? 0, box[1] ?? 0, box[2] ?? 0, box[3] ?? 0])
    },
    [OPS.paintFormXObjectEnd]: restore,
    [OPS.beginAnnotation]: ([id]) => (annotation = { id: String(id), text: '' }),
    [OPS.endAnnotation]: () => {
      if (annotation) drawing.stamps.set(annotation.id, annotation.text)
      annotation = undefined
    },
    [OPS.beginMarkedContentProps]: ([tag, group]) => {
      if (tag === 'OC' && !annotation) drawing.groups.push(group)
    },
    [OPS.setLineWidth]: ([points]) => (width = Number(points) || 1),
    [OPS.setFont]: ([name, size]) => {
      words.setSize(size)
      font = String(name)
    },
    [OPS.clip]: nextIsClip,
    [OPS.eoClip]: nextIsClip,
    [OPS.constructPath]: (values) => {
      const boxes = isClip ? [...listPathBoxes(values[1])] : []
      if (boxes.length > 0) clip(unite(boxes))
      isClip = false
      if (annotation) return
      addLines(drawing, values, matrix, width)
      addSurfaces(drawing, values, { matrix, fill: state.fill, width })
    },
    [OPS.setLeading]: ([leading]) => (state = { ...state, leading: Number(leading) || 0 }),
    [OPS.beginText]: () => {
      divideAnnotation()
      words.begin()
    },
    [OPS.nextLine]: () => move(0, -state.leading),
    [OPS.moveText]: ([x, y]) => move(x, y),
    [OPS.setLeadingMoveText]: ([x, y]) => {
      state = { ...state, leading: -Number(y) || 0 }
      move(x, y)
    },
    [OPS.setTextMatrix]: ([own]) => {
      divideAnnotation()
      words.place(toMatrix(toList(own)))
    },
    [OPS.showText]: ([list]) => {
      const shown = glyphs.parse(list)
      const unseen = findUnseen(state)
      if (annotation)
        annotation.text += shown
          .map((glyph) => (typeof glyph === 'number' ? (glyph < -200 ? ' ' : '') : glyph.unicode))
          .join('')
      else
        drawing.runs.push({
          fontName: font,
          ...words.show(shown, matrix, state),
          ...(unseen && { unseen }),
          clip: state.clip,
        })
    },
  }
  for (const [index, operator] of fnArray.entries()) {
    const values = (argsArray[index] ?? []) as readonly unknown[]
    if (isPaint(operator, values) && !isPaper(operator, values, state)) drawing.isBlank = false
    if (operators[operator]) operators[operator](values)
    else if (spreads.has(operator)) drawing.boxes.push(everywhere)
    else if (paints.has(operator)) addPicture(drawing, matrix)
  }
  words.end()
  return drawing
}

const unitSquare = [0, 0, 1, 1] as const

const everywhere: PaintedBox = {
  left: -Infinity,
  right: Infinity,
  low: -Infinity,
  high: Infinity,
  isWhite: false,
  isPicture: true,
}

function addPicture({ boxes }: Drawing, matrix: Matrix): void {
  if (boxes.length <= maxBoxes)
    boxes.push({ ...toBounds(matrix, unitSquare), isWhite: false, isPicture: true })
}

function addSurfaces(
  { boxes }: Drawing,
  [operator, paths]: readonly unknown[],
  { matrix, fill, width }: { matrix: Matrix; fill: string; width: number },
): void {
  if (operator === OPS.endPath || operator === OPS.clip) return
  const isStroke = operator === OPS.stroke || operator === OPS.closeStroke
  // a thick line may be the background of a title
  const edge = isStroke ? width / 2 : 0
  for (const [x0, y0, x1, y1] of listPathBoxes(paths)) {
    if (boxes.length > maxBoxes) return
    const box = toBounds(matrix, [x0 - edge, y0 - edge, x1 + edge, y1 + edge])
    boxes.push({ ...box, isWhite: fill === '#ffffff' && !isStroke, isPicture: false })
  }
}

function findAlpha(value: unknown): number | undefined {
  if (!Array.isArray(value)) return undefined
  const entry = value.find((one): one is [string, number] => Array.isArray(one) && one[0] === 'ca')
  return entry ? Number(entry[1]) : undefined
}

/** Thicker ones are bars and backgrounds; shorter ones are letters and ticks. */
const maxWallWidth = 3
const minWallHeight = 8

function addWalls(walls: Wall[], xs: readonly number[], ys: readonly number[], isStroke: boolean): void {
  const [low, high] = [Math.min(...ys), Math.max(...ys)]
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  if (high - low < minWallHeight || walls.length >= maxLines) return
  if (right - left < maxWallWidth) walls.push({ x: (left + right) / 2, low, high })
  else if (isStroke) walls.push({ x: left, low, high }, { x: right, low, high })
}

/** A box that is filled around another one is a border: its four sides. */
const listEdges = (operator: unknown, boxes: readonly Box[]): readonly Box[] =>
  operator !== OPS.eoFill
    ? boxes
    : boxes.flatMap((box, index): Box[] => {
        const [inner, outer] = [boxes[index - 1], boxes[index + 1]]
        const isRing = (around: Box, within: Box) =>
          around[0] <= within[0] && around[1] <= within[1] && around[2] >= within[2] && around[3] >= within[3]
        for (const [around, within] of [
          [box, inner],
          [box, outer],
        ] as const)
          if (within && isRing(around, within)) {
            const [x0, y0, x1, y1] = around
            const [left, low, right, high] = within
            return [
              [x0, y0, left, y1],
              [right, y0, x1, y1],
              [x0, y0, x1, low],
              [x0, high, x1, y1],
            ]
          }
        return [inner, outer].some((other) => other && isRing(other, box)) ? [] : [box]
      })

function addLines(
  { lines, walls }: Drawing,
  values: readonly unknown[],
  matrix: Matrix,
  width: number,
): void {
  const [operator, paths] = values
  if (operator === OPS.endPath || operator === OPS.clip) return
  const isStroke = operator === OPS.stroke || operator === OPS.closeStroke
  for (const [x0, y0, x1, y1] of listEdges(operator, [...listPathBoxes(paths)])) {
    if (lines.length >= maxLines) return
    const [a, b, c, d, e, f] = matrix
    const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e]
    const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f]
    addWalls(walls, xs, ys, isStroke)
    const thickness = Math.abs((ys[0] ?? 0) - (ys[1] ?? 0)) + (isStroke ? width * Math.hypot(c, d) : 0)
    lines.push({
      from: Math.min(...xs),
      to: Math.max(...xs),
      y: ((ys[0] ?? 0) + (ys[1] ?? 0)) / 2,
      thickness,
    })
  }
}

/** What is added to the widths of letters, in units of the text, and what they are multiplied with (ISO 32000-1, 9.3). */
interface TextSpacing {
  letterSpacing: number
  wordSpacing: number
  stretch: number
}
const noSpacing: TextSpacing = { letterSpacing: 0, wordSpacing: 0, stretch: 1 }

/** Narrower gaps stand between the letters of words; in heights of the letters. */
const minGap = 0.1

class LetterGrouper {
  readonly groups: LetterGroup[] = []
  readonly glyphs: GlyphRun['glyphs'] = []
  #width: number | undefined
  #isAfterBlank = false
  #isMoved = true

  move(): void {
    this.#isMoved = true
  }

  /** @param size of the letters, in the unit of their extent */
  add(text: string, from: number, to: number, size: number): void {
    if (text.trim() === '') {
      this.#isAfterBlank = true
      return
    }
    this.glyphs.push({ text, from, to })
    const width = Math.round(((to - from) / size) * 1_000)
    const last = this.groups.at(-1)
    if (last && !this.#isAfterBlank && from - last.to < size * minGap) {
      last.text += text
      last.to = to
      last.isFixedPitch &&= width === this.#width
    } else {
      const isBehindBlank = this.#isAfterBlank && !this.#isMoved
      this.groups.push({ text, from, to, isBehindBlank, isFixedPitch: true })
    }
    this.#width = width
    this.#isAfterBlank = false
    this.#isMoved = false
  }
}

class WordReader {
  readonly #words: Map<string, string>
  #letters: string[] = []
  #size = 0
  /** of text, at the start of its line and at its end */
  #line: Matrix = identity
  #pen = { x: 0, y: 0 }

  constructor(words: Map<string, string>) {
    this.#words = words
  }

  /** A text begins; the word goes on if it stands beside the last letter. */
  begin(): void {
    this.#line = identity
  }

  setSize(size: unknown): void {
    this.#size = Math.abs(Number(size)) || 0
  }

  place(matrix: Matrix): void {
    this.#line = matrix
    const [x, y] = [matrix[4], matrix[5]]
    // beside the last letter the word goes on
    const room = this.#size * this.#scale * 0.15
    if (Math.abs(x - this.#pen.x) > room || Math.abs(y - this.#pen.y) > room) this.end()
    this.#pen = { x, y }
  }

  move(x: number, y: number): void {
    this.place(multiply(this.#line, [1, 0, 0, 1, x, y]))
  }

  get #scale(): number {
    return Math.hypot(this.#line[0], this.#line[1])
  }

  show(
    items: z.infer<typeof glyphs>,
    matrix: Matrix,
    spacing: TextSpacing = noSpacing,
  ): Omit<GlyphRun, 'fontName'> {
    const start = { ...this.#pen }
    const [a, b, c, d] = this.#line
    const size = this.#size
    const transform = multiply(matrix, [a * size, b * size, c * size, d * size, start.x, start.y])
    const grouper = new LetterGrouper()
    const advance = this.#read(items, spacing, grouper)
    const scale = this.#scale
    if (scale > 0) this.#pen = { x: start.x + (advance * a) / scale, y: start.y + (advance * b) / scale }
    const unit = Math.hypot(matrix[0], matrix[1])
    return {
      codes: items.flatMap((item) =>
        typeof item === 'number' ? (item < -200 ? [-1] : []) : [item.originalCharCode],
      ),
      letters: grouper.groups.map((group) => ({ ...group, from: group.from * unit, to: group.to * unit })),
      glyphs: grouper.glyphs.map(({ text, from, to }) => ({ text, from: from * unit, to: to * unit })),
      transform,
      width: advance * unit,
      height: Math.hypot(transform[2], transform[3]),
    }
  }

  #read(
    items: z.infer<typeof glyphs>,
    { letterSpacing, wordSpacing, stretch }: TextSpacing,
    grouper: LetterGrouper,
  ): number {
    const scale = this.#scale * stretch
    const unit = (this.#size * scale) / 1_000
    let advance = 0
    for (const item of items) {
      if (typeof item === 'number') {
        if (item < -200) this.end()
        // kerning moves letters, too
        if (Math.abs(item) > minGap * 1_000) grouper.move()
        advance -= item * unit
        continue
      }
      if (isRightToLeft(item.unicode)) this.#letters.push(item.unicode)
      else if (item.unicode !== '') this.end()
      grouper.add(item.unicode, advance, advance + item.width * unit, this.#size * this.#scale)
      advance += item.width * unit + (letterSpacing + (item.unicode === ' ' ? wordSpacing : 0)) * scale
    }
    return advance
  }

  /** A ligature is one letter of the font. The text layer reverses its letters with those of the word. */
  end(): void {
    const word = this.#letters
    this.#letters = []
    if (!word.some((letter) => letter.length > 1)) return
    const right = word.toReversed().join('').normalize('NFKC')
    const wrong = Array.from(word.join('').normalize('NFKC')).toReversed().join('')
    if (right !== wrong) this.#words.set(wrong, right)
  }
}
