import { divideColumns, listRows } from './pdf-columns.ts'
import { divideAtColumns } from './pdf-joints.ts'
import { dropRepeated, findAngle, joinPieces, toPieces, type PageMarks, type TextItem } from './pdf-pieces.ts'
import { formatRun } from './pdf-tables.ts'
import { takeVerticalBlocks } from './pdf-vertical.ts'

/** Thicker lines are bars and backgrounds. */
const maxRule = 3

/**
 * The text of a page: columns of text one after the other, texts of other directions behind the rest. Lines with wide gaps that stand below
 * each other are a table: its cells are separated by tabs, empty ones are kept. Vertical writing stands where its upper end is.
 */
export function formatPage(items: readonly TextItem[], marks: PageMarks = {}): string {
  const { blocks, rest } = takeVerticalBlocks(items, marks.links)
  if (blocks.length === 0) return formatLines(rest, marks)
  let below = rest
  const parts = blocks.flatMap(({ top, text }) => {
    const above = below.filter(({ transform }) => (transform[5] ?? 0) >= top)
    below = below.filter(({ transform }) => (transform[5] ?? 0) < top)
    return [formatLines(above, marks), text]
  })
  return [...parts, formatLines(below, marks)].filter((part) => part !== '').join('\n')
}

function formatLines(items: readonly TextItem[], marks: PageMarks): string {
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
      const walls = angle === 0 ? (marks.walls ?? []) : []
      const segments = joinPieces(toPieces(list, angle, marks), walls)
      const runs = divideColumns(divideAtColumns(listRows(segments)))
      return runs.flatMap((run) => formatRun(run, rules, walls))
    })
    .join('\n')
}
