import { OPS } from 'unpdf/pdfjs'
import * as z from 'zod'

// What pdf.js draws on a page, for what its text layer does not tell: lines through text, stamps, ligatures and fonts.

type Matrix = readonly [number, number, number, number, number, number]
/** A horizontal line, in the space of the page before its rotation. */
export interface Line {
  from: number
  to: number
  y: number
  thickness: number
}
export interface Drawing {
  lines: Line[]
  /** texts of annotations whose text is only drawn, by their ids */
  stamps: Map<string, string>
  /** words that the text layer has with the letters of a ligature in the wrong order */
  words: Map<string, string>
  /** names of the fonts in use */
  fonts: Set<string>
  /** nothing but text is drawn */
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

const glyphs = z.array(z.union([z.object({ unicode: z.string() }), z.number()]).catch(0)).catch([])
const isRightToLeft = (text: string) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text)

/** Numbers behind each command of a path: move, line, curve, quadratic curve, close. */
const pathNumbers = [2, 2, 6, 4, 0]

/** The boxes of a path's parts. */
function* listBoxes(path: ArrayLike<number>): Generator<[number, number, number, number]> {
  let box: [number, number, number, number] | undefined
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

const paints = new Set<number>([
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
  OPS.paintSolidColorImageMask,
  OPS.shadingFill,
  OPS.rawFillPath,
])
/** Pictures are left out, of which the scale remains: from a unit square to their size. */
const isScaled = ([a, b, c, d]: Matrix) => Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d)) > 2
const isPaint = (operator: number, values: readonly unknown[]) =>
  paints.has(operator) ||
  (operator === OPS.constructPath && values[0] !== OPS.endPath && values[0] !== OPS.clip) ||
  (operator === OPS.transform && isScaled(toMatrix(values)))

/** Reads what pdf.js draws, in the order of its commands. */
export function readDrawing({
  fnArray,
  argsArray,
}: {
  fnArray: readonly number[]
  argsArray: readonly unknown[]
}): Drawing {
  const drawing: Drawing = { lines: [], stamps: new Map(), words: new Map(), fonts: new Set(), isBlank: true }
  const stack: Matrix[] = []
  let matrix = identity
  let width = 1
  let annotation: { id: string; text: string } | undefined
  for (const [index, operator] of fnArray.entries()) {
    const values = (argsArray[index] ?? []) as readonly unknown[]
    if (isPaint(operator, values)) drawing.isBlank = false
    switch (operator) {
      case OPS.save:
        stack.push(matrix)
        break
      case OPS.restore:
        matrix = stack.pop() ?? identity
        break
      case OPS.transform:
        matrix = multiply(matrix, toMatrix(values))
        break
      case OPS.paintFormXObjectBegin:
        stack.push(matrix)
        matrix = multiply(matrix, toMatrix(values[0]))
        break
      case OPS.paintFormXObjectEnd:
        matrix = stack.pop() ?? identity
        break
      case OPS.beginAnnotation:
        annotation = { id: String(values[0]), text: '' }
        break
      case OPS.endAnnotation:
        if (annotation && annotation.text.trim() !== '')
          drawing.stamps.set(annotation.id, annotation.text.trim())
        annotation = undefined
        break
      case OPS.setLineWidth:
        width = Number(values[0]) || 1
        break
      case OPS.setFont:
        drawing.fonts.add(String(values[0]))
        break
      case OPS.constructPath:
        if (!annotation) addLines(drawing.lines, values, matrix, width)
        break
      case OPS.beginText:
      case OPS.nextLine:
      case OPS.moveText:
      case OPS.setTextMatrix:
        if (annotation && annotation.text !== '' && !/\s$/.test(annotation.text)) annotation.text += ' '
        break
      case OPS.showText: {
        const letters = glyphs
          .parse(values[0])
          .map((glyph) => (typeof glyph === 'number' ? (glyph < -200 ? ' ' : '') : glyph.unicode))
        if (annotation) annotation.text += letters.join('')
        else addWords(drawing.words, letters)
        break
      }
      default:
    }
  }
  return drawing
}

function addLines(lines: Line[], values: readonly unknown[], matrix: Matrix, width: number): void {
  const [operator, paths] = values
  if (operator === OPS.endPath || operator === OPS.clip) return
  const isStroke = operator === OPS.stroke || operator === OPS.closeStroke
  const path = Array.isArray(paths) ? (paths[0] as unknown) : undefined
  if (!ArrayBuffer.isView(path)) return
  for (const [x0, y0, x1, y1] of listBoxes(path as unknown as ArrayLike<number>)) {
    if (lines.length >= maxLines) return
    const [a, b, c, d, e, f] = matrix
    const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e]
    const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f]
    const thickness = Math.abs((ys[0] ?? 0) - (ys[1] ?? 0)) + (isStroke ? width * Math.hypot(c, d) : 0)
    lines.push({
      from: Math.min(...xs),
      to: Math.max(...xs),
      y: ((ys[0] ?? 0) + (ys[1] ?? 0)) / 2,
      thickness,
    })
  }
}

/** A ligature is one letter of the font. The text layer reverses its letters with those of the word. */
function addWords(words: Map<string, string>, letters: readonly string[]): void {
  if (!letters.some((letter) => letter.length > 1 && isRightToLeft(letter))) return
  let word: string[] = []
  const endWord = () => {
    const right = word.toReversed().join('').normalize('NFKC')
    const wrong = Array.from(word.join('').normalize('NFKC')).toReversed().join('')
    if (right !== wrong) words.set(wrong, right)
    word = []
  }
  for (const letter of letters)
    if (isRightToLeft(letter)) word.push(letter)
    else if (letter !== '') endWord()
  endWord()
}
