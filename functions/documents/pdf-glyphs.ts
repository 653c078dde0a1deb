import { haveSameLetters } from './letter-ledger.ts'
import type { GlyphRun } from './pdf-drawing.ts'
import type { TextItem } from './pdf-pieces.ts'

// The letters of a page as they are drawn, one by one: which of its texts a clip path cuts, which letters are drawn twice, and where a hyphen
// is soft.

interface Glyph {
  run: GlyphRun
  from: number
  to: number
  isHidden: boolean
  /** at the place of another one */
  isRepeated: boolean
}
/** One letter, of which a ligature has several. */
interface Letter {
  text: string
  glyph: Glyph
}

const simplify = (text: string) =>
  /^[!-~]$/.test(text) ? text : text.normalize('NFKC').replaceAll(/\s/g, '')

function locate({ transform: [a, b, , , x, y] }: GlyphRun, along: number) {
  const length = Math.hypot(a, b) || 1
  const [cos, sin] = [a / length, b / length]
  return { x: x + cos * along, y: y + sin * along, cos, sin }
}

function isOutside({ clip, height, ...run }: GlyphRun, middle: number): boolean {
  if (!clip) return false
  const { x, y, cos, sin } = locate({ height, ...run }, middle)
  const [centreX, centreY] = [x - sin * height * 0.3, y + cos * height * 0.3]
  return centreX < clip.left || centreX > clip.right || centreY < clip.low || centreY > clip.high
}

const maxBoldHeight = 40
const cellSize = 8
const toCell = (value: number) => Math.floor(value / cellSize)

/** Finds letters that are drawn where the same letter is drawn already. */
class PlacedGlyphs {
  readonly #cells = new Map<number, { text: string; x: number; y: number }[]>()

  #find(column: number, line: number) {
    return this.#cells.get(line * 65_536 + column) ?? []
  }

  /** Whether all letters of a run stand where others do. If not, they are added. */
  repeats(run: GlyphRun): boolean {
    if (run.unseen || run.height > maxBoldHeight) return false
    const isRepeated = run.glyphs.every((glyph) => this.#has(run, glyph))
    if (!isRepeated) for (const { text, from } of run.glyphs) this.#add(text, locate(run, from))
    return isRepeated
  }

  #add(text: string, { x, y }: { x: number; y: number }): void {
    const key = toCell(y) * 65_536 + toCell(x)
    const cell = this.#cells.get(key)
    if (cell) cell.push({ text, x, y })
    else this.#cells.set(key, [{ text, x, y }])
  }

  #has(run: GlyphRun, { text, from, to }: GlyphRun['glyphs'][number]): boolean {
    const { x, y } = locate(run, from)
    // two letters beside each other are never as near
    const near = Math.min(run.height * 0.12, (to - from) * 0.6)
    for (let column = toCell(x - near); column <= toCell(x + near); column += 1)
      for (let line = toCell(y - near); line <= toCell(y + near); line += 1)
        for (const other of this.#find(column, line))
          if (other.text === text && Math.abs(other.x - x) <= near && Math.abs(other.y - y) <= near)
            return true
    return false
  }
}

function listLetters(runs: readonly GlyphRun[]): Letter[] {
  const placed = new PlacedGlyphs()
  return runs.flatMap((run) => {
    const isCut = run.glyphs.map(({ from, to }) => isOutside(run, (from + to) / 2))
    const isRepeated = !isCut.includes(true) && placed.repeats(run)
    return run.glyphs.flatMap(({ text, from, to }, index) => {
      const glyph: Glyph = { run, from, to, isHidden: isCut[index] === true, isRepeated }
      return Array.from(simplify(text), (letter) => ({ text: letter, glyph }))
    })
  })
}

/** What pdf.js leaves out: signs of format, which no letter is. */
const isFormat = (text: string) => text > '~' && /\p{Cf}/u.test(text)

/** Texts of the text layer that were not found: then it has another order than the drawing. */
const maxMisses = 50
const maxSkipped = 2_000

class LetterFinder {
  readonly #letters: readonly Letter[]
  #at = 0
  #misses = 0

  constructor(letters: readonly Letter[]) {
    this.#letters = letters
  }

  /** @returns one glyph for each letter of the text that is not white, and what is drawn behind it */
  find({ str, transform, height }: TextItem): { glyphs: Glyph[]; next: number } | undefined {
    const [, , , , x = 0, y = 0] = transform
    const end = this.#misses > maxMisses ? this.#at + 1 : this.#at + maxSkipped
    for (let start = this.#at; start < Math.min(end, this.#letters.length); start += 1) {
      const { run, from } = (this.#letters[start] as Letter).glyph
      const origin = locate(run, from)
      const isNear =
        Math.abs(origin.x - x) < height * 0.3 + 0.5 && Math.abs(origin.y - y) < height * 0.3 + 0.5
      const found = isNear ? this.#match(str, start) : undefined
      if (!found) continue
      this.#at = found.next
      return found
    }
    this.#misses += 1
    return undefined
  }

  #match(str: string, start: number): { glyphs: Glyph[]; next: number } | undefined {
    const glyphs: Glyph[] = []
    let next = start
    for (const sign of str) {
      for (const [index, text] of Array.from(simplify(sign)).entries()) {
        while (isFormat(this.#letters[next]?.text ?? '') && text !== this.#letters[next]?.text) next += 1
        const letter = this.#letters[next]
        if (letter?.text !== text) return undefined
        if (index === 0) glyphs.push(letter.glyph)
        next += 1
      }
    }
    return { glyphs, next }
  }

  /** Whether a soft hyphen is drawn there, and the text goes on in another line. */
  endsSoftly(at: number): boolean {
    const [hyphen, next] = [this.#letters[at], this.#letters[at + 1]]
    if (hyphen?.text !== '\u00ad' || !next) return false
    const [here, there] = [hyphen, next].map(({ glyph: { run, from } }) => locate(run, from))
    return Math.abs((here?.y ?? 0) - (there?.y ?? 0)) > hyphen.glyph.run.height * 0.5
  }
}

/** A text without the letters that are drawn again, in parts of which a clip hides some. */
function divideItem<Item extends TextItem>(
  item: Item,
  glyphs: readonly Glyph[],
): (Item & { isClipped: boolean })[] {
  const parts: { text: string; first: Glyph; last: Glyph }[] = []
  let at = 0
  for (const sign of item.str) {
    const part = parts.at(-1)
    const glyph = simplify(sign) === '' ? undefined : glyphs[at++]
    if (glyph?.isRepeated) continue
    if (part && (!glyph || glyph.isHidden === part.first.isHidden)) {
      part.text += sign
      part.last = glyph ?? part.last
    } else if (glyph) parts.push({ text: sign, first: glyph, last: glyph })
  }
  const { joints: _, ...rest } = item
  return parts.map(({ text, first, last }) => {
    const { x, y } = locate(first.run, first.from)
    const end = locate(last.run, last.to)
    return {
      ...(rest as Item),
      str: text.trimEnd(),
      transform: [...item.transform.slice(0, 4), x, y],
      width: Math.hypot(end.x - x, end.y - y),
      isClipped: first.isHidden,
    }
  })
}

/**
 * The texts of a page without the letters that are drawn twice. What a clip hides is a text of its own, and a soft hyphen at the end of a
 * line is written.
 */
export function divideAtClips<Item extends TextItem>(
  items: readonly Item[],
  runs: readonly GlyphRun[],
): (Item & { isClipped?: boolean })[] {
  const letters = listLetters(runs)
  const isPlain = letters.every(
    ({ text, glyph }) => !glyph.isHidden && !glyph.isRepeated && text !== '\u00ad',
  )
  if (isPlain) return [...items]
  const finder = new LetterFinder(letters)
  const dropped: string[] = []
  const divided = items.flatMap((item) => {
    const found = item.str.trim() === '' || item.dir === 'ttb' ? undefined : finder.find(item)
    if (!found) return item
    const { glyphs, next } = found
    const soft = finder.endsSoftly(next) ? '\u00ad' : ''
    const repeated = Array.from(item.str.replaceAll(/\s/g, '')).filter((_, at) => glyphs[at]?.isRepeated)
    dropped.push(...repeated)
    const parts =
      repeated.length > 0 || glyphs.some(({ isHidden }) => isHidden) ? divideItem(item, glyphs) : [item]
    return parts.map((part, index) => (index === parts.length - 1 ? { ...part, str: part.str + soft } : part))
  })
  const texts = divided.map(({ str }) => str.replace(/\u00ad$/, ''))
  return haveSameLetters(
    items.map(({ str }) => str.replace(/\u00ad$/, '')),
    [...texts, ...dropped],
  )
    ? divided
    : [...items]
}
