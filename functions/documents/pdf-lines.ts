import { LetterLedger } from './letter-ledger.ts'
import { divideColumns, listRows } from './pdf-columns.ts'
import { divideAtColumns } from './pdf-joints.ts'
import { dropRepeated, findAngle, joinPieces, toPieces, type PageMarks, type TextItem } from './pdf-pieces.ts'
import { formatRun, raiseSpans } from './pdf-tables.ts'

const maxRule = 3

/** How much of the layout of a page could be kept. */
export interface LaidOut {
  text: string
  /** undefined: all of it; tables: some of them are given line by line; page: lines only; drawn: texts in the order of their drawing */
  plain?: 'tables' | 'page' | 'drawn'
  difference: { lost: string; added: string }
}

type Layout = (items: readonly TextItem[], marks: PageMarks, onPlain: () => void) => string

const layouts: [plain: LaidOut['plain'], layout: Layout][] = [
  [undefined, formatLines],
  ['page', layOutLines],
  [
    'drawn',
    (items, { links = [], ledger }) => {
      const urls = links.map(({ url }) => `(${url})`)
      ledger?.write(urls.join(''))
      const texts = items.filter(hasLetters)
      return [
        texts.map((item, at) => (isBelow(item, texts[at - 1]) ? '' : '\n') + item.str.trim()).join(''),
        ...urls,
      ]
        .join('\n')
        .trim()
    },
  ],
]

const hasLetters = ({ str }: TextItem) => str.trim() !== ''
const isIdeograph = ({ str }: TextItem) =>
  /^[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]$/u.test(str.trim())

/** Letters that a program draws one below the other; rows of a table stand further apart. */
function isBelow(item: TextItem, above: TextItem | undefined): boolean {
  if (!above || !isIdeograph(item) || !isIdeograph(above)) return false
  const [x, y] = [4, 5].map((at) => (above.transform[at] ?? 0) - (item.transform[at] ?? 0)) as [
    number,
    number,
  ]
  return Math.abs(x) < above.height * 0.3 && y > above.height * 0.7 && y < above.height * 1.35
}

/** Vertical writing is not laid out: its columns are given as they are drawn. */
const isVertical = (texts: readonly TextItem[]) =>
  texts.some(({ dir }) => dir === 'ttb') ||
  texts.filter((item, at) => isBelow(item, texts[at - 1])).length > texts.length / 2

/** The text of a page with each of its letters once: with its layout, or with less of it where the layout would lose or double some. */
export function formatWholePage(items: readonly TextItem[], marks: PageMarks = {}): LaidOut {
  let least: LaidOut = { text: '', difference: { lost: '', added: '' } }
  for (const [plain, layout] of isVertical(items.filter(hasLetters)) ? layouts.slice(-1) : layouts) {
    const ledger = new LetterLedger()
    let tables = 0
    for (const { str } of items) ledger.receive(str)
    const text = layout(items, { ...marks, ledger }, () => (tables += 1))
    const difference = ledger.compare([text], true)
    const given = plain ?? (tables > 0 ? 'tables' : undefined)
    least = { text, difference, ...(given && { plain: given }) }
    if (difference.lost === '' && difference.added === '') break
  }
  return least
}

function listAngles(items: readonly TextItem[], ledger: LetterLedger | undefined): [number, TextItem[]][] {
  const angles = new Map<number, TextItem[]>()
  let angle = 0
  for (const item of dropRepeated(items, ledger)) {
    // a gap has the direction of its line
    if (item.str.trim() !== '') angle = findAngle(item.transform)
    const list = angles.get(angle) ?? []
    list.push(item)
    angles.set(angle, list)
  }
  const countLetters = (list: readonly TextItem[]) => list.reduce((sum, { str }) => sum + str.length, 0)
  return [...angles].toSorted(([, a], [, b]) => countLetters(b) - countLetters(a))
}

/**
 * The text of a page: columns of text one after the other, texts of other directions behind the rest. Lines with wide gaps that stand below
 * each other are a table: its cells are separated by tabs, empty ones are kept.
 */
function formatLines(items: readonly TextItem[], marks: PageMarks, onPlain: () => void): string {
  return listAngles(items, marks.ledger)
    .flatMap(([angle, list]) => {
      const rules = angle === 0 ? (marks.lines ?? []).filter(({ thickness }) => thickness < maxRule) : []
      const walls = angle === 0 ? (marks.walls ?? []) : []
      const segments = joinPieces(toPieces(list, angle, marks), walls, marks.ledger)
      raiseSpans(segments, rules, walls)
      const runs = divideColumns(divideAtColumns(listRows(segments)))
      return runs.flatMap((run) => formatRun(run, rules, walls, onPlain))
    })
    .join('\n')
}

/** Reading order without a layout: line by line from the top, a tab where texts stand wide apart; other directions behind the rest. */
function layOutLines(items: readonly TextItem[], marks: PageMarks): string {
  return listAngles(items, marks.ledger)
    .flatMap(([angle, list]) => listRows(joinPieces(toPieces(list, angle, marks), [], marks.ledger)))
    .map((row) => row.map(({ text }) => text.trim()).join('\t'))
    .join('\n')
}
