import type { GlyphRun, LetterGroup } from './pdf-drawing.ts'
import type { TextItem } from './pdf-pieces.ts'

// pdf.js joins texts of a line whose gap is no wider than one between words, and writes one blank for each gap between the letters of a
// spaced heading. What is drawn tells where each text begins.

/** A page with more texts is a plan or a map. */
const maxGroups = 30_000
/** A line with more is no text. */
const maxLineRuns = 1_000
/** In heights of the letters. */
const minGap = 0.15

interface Found {
  item: TextItem
  letters: readonly LetterGroup[]
}

const isHorizontal = ({ transform: [a = 0, b = 0] }: Pick<TextItem, 'transform'>) => b === 0 && a > 0
const simplify = (text: string) => text.normalize('NFKC').replaceAll(/\s/g, '')

/** The letters that are drawn within each horizontal text. Texts that are drawn with other letters, or twice, are left out. */
class DrawnLetters {
  readonly #runs = new Map<number, GlyphRun[]>()

  constructor(runs: readonly GlyphRun[]) {
    for (const run of runs) {
      if (!isHorizontal(run) || run.letters.length === 0) continue
      const line = Math.round(run.transform[5])
      const list = this.#runs.get(line)
      if (list) list.push(run)
      else this.#runs.set(line, [run])
    }
  }

  find(item: TextItem): readonly LetterGroup[] | undefined {
    const [, , , , x = 0, y = 0] = item.transform
    const line = Math.round(y)
    const lines = [line - 1, line, line + 1].flatMap((one) => this.#runs.get(one) ?? [])
    if (lines.length > maxLineRuns) return undefined
    const near = lines.filter(
      ({ transform, width }) =>
        Math.abs(transform[5] - y) < Math.max(item.height * 0.1, 0.1) &&
        transform[4] <= x + item.width &&
        transform[4] + width >= x - 0.5,
    )
    const letters = near.flatMap((run) => {
      const offset = run.transform[4] - x
      return run.letters.map((group) => ({ ...group, from: group.from + offset, to: group.to + offset }))
    })
    const within = letters.filter(({ from }) => from > -0.5 && from < item.width - 0.1)
    return within.map(({ text }) => simplify(text)).join('') === simplify(item.str) ? within : undefined
  }
}

/** Texts of a fixed pitch, whose gap is as wide as a letter, have a blank there. */
function isTypedBlank(before: LetterGroup, next: LetterGroup): boolean {
  const width = (next.to - next.from) / next.text.length
  return (
    before.isFixedPitch &&
    next.isFixedPitch &&
    Math.abs((before.to - before.from) / before.text.length - width) < width * 0.02 &&
    Math.abs(next.from - before.to - width) < width * 0.05
  )
}

function addJoints({ item, letters }: Found): TextItem {
  const starts: number[] = []
  // where each of the letters stands in the text, without its blanks
  for (let at = 0; at < item.str.length; at += 1) if (item.str[at]?.trim() !== '') starts.push(at)
  if (letters.some(({ text }) => simplify(text) !== text)) return item
  let count = 0
  const joints = letters.flatMap((group, index) => {
    const at = starts[count]
    count += group.text.length
    const before = letters[index - 1]
    const isApart = before && !group.isBehindBlank && group.from - before.to >= item.height * minGap
    if (at === undefined || !isApart || isTypedBlank(before, group)) return []
    return [{ at, before: before.to, from: group.from, isDrawn: true }]
  })
  return joints.length > 0 && count === starts.length ? { ...item, joints } : item
}

const minSpacedLetters = 5
/** Wider ones, in heights of the letters, are cells. */
const maxSpacing = 1

const isSpaced = ({ item, letters }: Found) =>
  letters.every(({ text }) => Array.from(text).length === 1) &&
  item.str.trim().split(/\s+/).length === letters.length
const isLetter = (text: string) => /[\p{L}\p{M}]/u.test(text)
const findMedian = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0

/** Letters in the order of an alphabet are the heads of columns, or an index. */
const isSequence = (texts: readonly string[]) =>
  texts.every((text, index) => index === 0 || text > (texts[index - 1] ?? ''))

interface SpacedLetter extends LetterGroup {
  item: TextItem
}

function* listSpacedLines(found: readonly (Found | undefined)[]): Generator<SpacedLetter[]> {
  let line: SpacedLetter[] = []
  for (const one of found) {
    const last = line.at(-1)
    const start = one?.item.transform[4] ?? 0
    const isNext =
      one &&
      last &&
      isSpaced(one) &&
      one.item.transform[5] === last.item.transform[5] &&
      one.item.height === last.item.height &&
      start > last.from
    if (!isNext) {
      if (line.length > 0) yield line
      line = []
    }
    if (one && isSpaced(one))
      for (const letter of one.letters)
        line.push({ ...letter, from: letter.from + start, to: letter.to + start, item: one.item })
  }
  if (line.length > 0) yield line
}

/** Typed blanks between all letters do not tell where a word ends: a line without wider ones may be a single word that is no longer. */
const maxTypedLetters = 10

/** @returns undefined if the letters are not spaced evenly */
function findWordGap(line: readonly SpacedLetter[]): { measure: Measure; above: number } | undefined {
  const height = line[0]?.item.height ?? 0
  const texts = line.map(({ text }) => text)
  if (texts.filter(isLetter).length < minSpacedLetters || isSequence(texts)) return undefined
  if (texts.filter((text) => /[\p{L}\p{N}]/u.test(text)).length < texts.length * 0.8) return undefined
  // letters are spaced by equal gaps, or begin at equal distances
  for (const measure of ['gap', 'pitch'] as const) {
    const distances = line.slice(1).map((next, index) => measures[measure](line[index] ?? next, next))
    const median = findMedian(distances)
    const above = median * 1.4 + height * 0.05
    const inWords = distances.filter((distance) => distance <= above)
    if (measure === 'gap' && median > height * maxSpacing) return undefined
    const isEven = inWords.every((distance) => distance > median * 0.7 - height * 0.05)
    const isTyped = line.slice(1).every(({ isBehindBlank }) => isBehindBlank)
    const isOneWord = inWords.length === distances.length
    if (isTyped && isOneWord && line.length > maxTypedLetters) return undefined
    if (isEven && inWords.length >= distances.length * 0.6) return { measure, above }
  }
  return undefined
}
type Measure = 'gap' | 'pitch'
const measures: Readonly<Record<Measure, (before: LetterGroup, next: LetterGroup) => number>> = {
  gap: (before, next) => next.from - before.to,
  pitch: (before, next) => next.from - before.from,
}

/** Writes spaced letters as words. Words of one line are one text; those of others on its line begin a text of their own. */
function joinSpaced(line: readonly SpacedLetter[], joined: Map<TextItem, TextItem>): void {
  const gap = findWordGap(line)
  if (!gap) return
  let first: TextItem | undefined
  let end = 0
  for (const [index, next] of line.entries()) {
    const before = line[index - 1]
    const distance = before ? measures[gap.measure](before, next) : 0
    const text = (distance > gap.above ? ' ' : '') + next.text
    const isApart = before !== undefined && next.from - before.to > 3 * gap.above + next.item.height
    if (!first || isApart) first = next.item
    else if (next.item !== first) joined.set(next.item, { ...next.item, str: '', width: 0, height: 0 })
    const { str } = joined.get(first) ?? { str: '' }
    end = next.to
    joined.set(first, {
      ...first,
      str: str + text.slice(str === '' ? text.length - next.text.length : 0),
      width: end - (first.transform[4] ?? 0),
    })
  }
}

export function refineItems<Item extends TextItem>(
  items: readonly Item[],
  runs: readonly GlyphRun[],
): Item[] {
  if (runs.reduce((sum, { letters }) => sum + letters.length, 0) > maxGroups) return [...items]
  const drawn = new DrawnLetters(runs)
  const found = items.map((item): Found | undefined => {
    if (!isHorizontal(item) || item.str.trim() === '' || item.dir !== 'ltr') return undefined
    const letters = drawn.find(item)
    return letters && { item, letters }
  })
  const joined = new Map<TextItem, TextItem>()
  for (const line of listSpacedLines(found.filter((one, index) => one ?? items[index]?.str.trim() !== '')))
    joinSpaced(line, joined)
  // pdf.js writes the gaps within a spaced heading as texts of their own
  let isWithin = false
  return items.map((item, index) => {
    const one = found[index]
    const changed = joined.get(item)
    if (item.str.trim() === '' && isWithin && joined.get(items[index + 1] ?? item)?.str === '')
      return { ...item, str: '', width: 0 }
    if (item.str.trim() !== '') isWithin = changed !== undefined
    const isBehindBlank = one?.letters[0]?.isBehindBlank === true
    return { ...item, ...(changed ?? (one && addJoints(one))), ...(isBehindBlank && { isBehindBlank }) }
  })
}
