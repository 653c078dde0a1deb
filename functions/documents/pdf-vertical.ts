import type { LetterLedger } from './letter-ledger.ts'
import type { Link, TextItem } from './pdf-pieces.ts'

// Japanese and Chinese in vertical writing: columns from the top to the bottom, one after the other from the right to the left. A font may say
// that it writes downwards; other programs draw letter below letter.

/** Columns beside each other. */
export interface VerticalBlock {
  /** of its highest column, upwards */
  top: number
  text: string
}

interface Column {
  x: number
  top: number
  bottom: number
  /** of its letters */
  size: number
  text: string
}

const ideograph = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u
/** What stands in a column: a letter, or a short number or word across it. */
const isColumnLetter = ({ str }: TextItem) => str.trim().length <= 4 && str.trim() !== ''
const isIdeograph = ({ str }: TextItem) => Array.from(str.trim()).length === 1 && ideograph.test(str)

/** Letters that stand below each other in less are cells or signs. */
const minLetters = 4
/** From letter to letter, in their heights: rows of a table stand further apart. */
const [minStep, maxStep] = [0.7, 1.35]

const getX = ({ transform, width }: TextItem) => (transform[4] ?? 0) + width / 2
const getY = ({ transform }: TextItem) => transform[5] ?? 0

const isBelow = (item: TextItem, last: TextItem) => {
  const step = getY(last) - getY(item)
  return (
    Math.abs(getX(item) - getX(last)) < last.height * 0.3 &&
    item.height < last.height * 1.3 &&
    step > last.height * minStep &&
    step < last.height * maxStep
  )
}

/** Letters that are drawn below each other. Those beside other texts of their lines are cells of a table. */
function listStacks(items: readonly TextItem[]): TextItem[][] {
  const stacks: TextItem[][] = []
  for (const item of items) {
    const stack = stacks.at(-1)
    const last = stack?.at(-1)
    if (!isColumnLetter(item)) stacks.push([])
    else if (last && isBelow(item, last)) stack?.push(item)
    else stacks.push([item])
  }
  const lines = new Set(items.filter((item) => !isColumnLetter(item)).map((item) => Math.round(getY(item))))
  return stacks.filter((stack) => {
    const isWriting = stack.filter(isIdeograph).length >= Math.max(minLetters, stack.length * 0.6)
    return isWriting && stack.filter((item) => lines.has(Math.round(getY(item)))).length < stack.length / 2
  })
}

const toColumn = (stack: readonly TextItem[]): Column => {
  const [first, last] = [stack[0] as TextItem, stack.at(-1) as TextItem]
  const text = stack.map(({ str }) => str.trim()).join('')
  return { x: getX(first), top: getY(first) + first.height, bottom: getY(last), size: first.height, text }
}

/** A text of a font that writes downwards begins at its upper end. */
const toPart = (item: TextItem): Column => {
  const [a = 0, b = 0, , , x = 0, y = 0] = item.transform
  return { x, top: y, bottom: y - item.height, size: Math.hypot(a, b) || 1, text: item.str }
}

/** Joins the parts of a column, whose fonts differ or which stand apart. */
function joinParts(parts: readonly Column[]): Column[] {
  const columns: Column[] = []
  for (const part of parts.toSorted((a, b) => b.top - a.top)) {
    const above = columns.find(
      ({ x, bottom, size }) =>
        Math.abs(x - part.x) < size * 0.3 && bottom - part.top > -size * 0.5 && bottom - part.top < size * 2,
    )
    if (!above) columns.push({ ...part })
    else {
      above.text += (above.bottom - part.top > above.size * 0.6 ? '\u3000' : '') + part.text
      above.bottom = part.bottom
    }
  }
  return columns
}

function addLinks(column: Column, links: readonly Link[], ledger?: LetterLedger): Column {
  const urls = links
    .filter(({ rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
      return Math.abs(x - column.x) < column.size && y < column.top && y > column.bottom
    })
    .map(({ url }) => ` (${url})`)
  ledger?.write('links', urls.join(''))
  return { ...column, text: column.text + urls.join('') }
}

/** Columns of more letters are a page that nobody reads. */
const maxColumns = 2_000

/** Takes vertical writing out of the texts of a page. @returns blocks from the top to the bottom */
export function takeVerticalBlocks(
  items: readonly TextItem[],
  links: readonly Link[] = [],
  ledger?: LetterLedger,
): { blocks: VerticalBlock[]; rest: readonly TextItem[] } {
  const isDownwards = ({ dir, str }: TextItem) => dir === 'ttb' && str.trim() !== ''
  const texts = items.filter((item) => item.dir !== 'ttb' && item.str.trim() !== '')
  const stacks = texts.some(isIdeograph) ? listStacks(texts) : []
  const parts = [...items.filter(isDownwards).map(toPart), ...stacks.map(toColumn)]
  if (parts.length === 0 || parts.length > maxColumns) return { blocks: [], rest: items }
  const blocks: { top: number; bottom: number; columns: Column[] }[] = []
  for (const column of joinParts(parts).toSorted((a, b) => b.top - a.top)) {
    const block = blocks.find(({ bottom }) => column.top > bottom)
    if (!block) blocks.push({ top: column.top, bottom: column.bottom, columns: [column] })
    else {
      block.columns.push(column)
      block.bottom = Math.min(block.bottom, column.bottom)
    }
  }
  const taken = new Set([...items.filter(({ dir }) => dir === 'ttb'), ...stacks.flat()])
  return {
    rest: items.filter((item) => !taken.has(item)),
    blocks: blocks.map(({ top, columns }) => ({
      top,
      text: columns
        .toSorted((a, b) => b.x - a.x)
        .map((column) => addLinks(column, links, ledger).text)
        .join('\n'),
    })),
  }
}
