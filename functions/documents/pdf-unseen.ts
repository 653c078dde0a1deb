import type { GlyphRun, Matrix } from './pdf-drawing.ts'

// Text that nobody sees on its page: drawn invisibly (ISO 32000-1, 9.3.6), in white on the white of the paper, or in letters that are too small.
// Where a picture or the shapes of letters stand, invisible text is what somebody has read there, such as the text of a scan.

export interface Bounds {
  left: number
  right: number
  low: number
  high: number
}
export const intersect = (a: Bounds, b: Bounds): Bounds => ({
  left: Math.max(a.left, b.left),
  right: Math.min(a.right, b.right),
  low: Math.max(a.low, b.low),
  high: Math.min(a.high, b.high),
})

export interface PaintedBox extends Bounds {
  isWhite: boolean
  isPicture: boolean
}

export interface TextState {
  /** of rendering: 3 is invisible, 7 is a clip */
  mode: number
  fill: string
  alpha: number
}
export const initialText: TextState = { mode: 0, fill: '#000000', alpha: 1 }

export type Unseen = 'invisible' | 'white'

export const findUnseen = ({ mode, fill, alpha }: TextState): Unseen | undefined => {
  if (mode === 3 || mode === 7 || alpha === 0) return 'invisible'
  return mode === 0 && fill === '#ffffff' ? 'white' : undefined
}

export const maxBoxes = 5_000
const maxUnseen = 2_000

export function toBounds(
  [a, b, c, d, e, f]: Matrix,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): Bounds {
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) }
}

interface Placed {
  transform: readonly number[]
  width: number
  height: number
}

function locate({ transform, width, height }: Placed) {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform
  const length = Math.hypot(a, b) || 1
  const [cos, sin] = [a / length, b / length]
  return {
    x,
    y,
    cos,
    sin,
    middleX: x + cos * (width / 2) - sin * height * 0.35,
    middleY: y + sin * (width / 2) + cos * height * 0.35,
  }
}

function isWithin(run: Placed, item: Placed): boolean {
  const { x, y, cos, sin } = locate(item)
  const [dx, dy] = [(run.transform[4] ?? 0) - x, (run.transform[5] ?? 0) - y]
  const along = dx * cos + dy * sin
  const across = Math.abs(dy * cos - dx * sin)
  return across < Math.max(item.height * 0.3, 0.5) && along > -1 && along < Math.max(item.width - 0.5, 1)
}

function isCovered(run: Placed & { unseen: Unseen }, boxes: readonly PaintedBox[]): boolean {
  const { middleX, middleY } = locate(run)
  return boxes.some(({ left, right, low, high, isWhite, isPicture }) => {
    const isBelow = left <= middleX && right >= middleX && low <= middleY && high >= middleY
    if (run.unseen === 'white') return isBelow && !isWhite
    if (isPicture) return isBelow
    // shapes as high as the letters
    const isLetter = high - low > run.height * 0.3 && high - low < run.height * 4
    const isNear = Math.abs((low + high) / 2 - middleY) < run.height
    return isLetter && isNear && right > middleX - run.width && left < middleX + run.width
  })
}

const minHeight = 1

/** Whether the letters of a text are too small to be seen. The height that some fonts state is not theirs: then the width tells. */
const isTiny = ({ str, width, height }: Placed & { str: string }, unit: number) =>
  height * unit < minHeight && (width * unit) / str.length < minHeight

/** @returns none if the page has too much on it, or no text that can be seen */
export function findUnseenItems<Item extends Placed & { str: string }>(
  items: readonly Item[],
  drawing: { runs: readonly GlyphRun[]; boxes: readonly PaintedBox[] },
  unit = 1,
): Set<Item> {
  const texts = items.filter(({ str }) => str.trim() !== '')
  const tiny = texts.filter((item) => isTiny(item, unit))
  // with more, it is a plan that is read enlarged
  const found = new Set([...findUndrawnItems(texts, drawing), ...(tiny.length > maxUnseen ? [] : tiny)])
  return found.size === texts.length ? new Set() : found
}

function findUndrawnItems<Item extends Placed & { str: string }>(
  items: readonly Item[],
  { runs, boxes }: { runs: readonly GlyphRun[]; boxes: readonly PaintedBox[] },
): Set<Item> {
  const none = new Set<Item>()
  const count = runs.filter(({ unseen }) => unseen).length
  if (count === 0 || count > maxUnseen || boxes.length > maxBoxes) return none
  const { hidden = [], others = [] } = Object.groupBy(runs, (run) =>
    run.unseen && !isCovered({ ...run, unseen: run.unseen }, boxes) ? 'hidden' : 'others',
  )
  if (hidden.length === 0 || others.length === 0) return none
  const found = items.filter(
    (item) => hidden.some((run) => isWithin(run, item)) && !others.some((run) => isWithin(run, item)),
  )
  return new Set(found)
}

/** Without those that stand where the same text can be seen. */
export const dropSeen = <Item extends Placed & { str: string }>(
  hidden: readonly Item[],
  seen: readonly Item[],
): Item[] => {
  if (hidden.length === 0) return []
  const seenByText = Map.groupBy(seen, ({ str }) => str)
  return hidden.filter((item) => !seenByText.get(item.str)?.some((other) => isWithin(item, other)))
}

// Layers of a PDF that are off (ISO 32000-1, 8.11): drafts, other languages, notes of a drawing. What stands in them is not on the page.

export interface Layers {
  [Symbol.iterator]: () => Iterator<[id: string, group: unknown]>
  isVisible: (group: unknown) => boolean
}

interface LayeredDocument {
  getOptionalContentConfig: () => Promise<unknown>
}

export async function findHiddenLayers(pdf: LayeredDocument): Promise<Layers | undefined> {
  const layers = (await pdf.getOptionalContentConfig().catch(() => undefined)) as Layers | undefined
  if (!layers) return undefined
  const isHidden = [...layers].some(([id]) => !layers.isVisible({ type: 'OCG', id }))
  return isHidden ? layers : undefined
}

interface Mark {
  type?: string
  tag?: string
}

/** @returns none if the texts have other layers than the drawing */
export function findHiddenItems<Item extends object>(
  content: readonly (Item | Mark)[],
  groups: readonly unknown[],
  layers: Layers,
): Set<Item> {
  const hidden = new Set<Item>()
  /** of the marks that are open, whether they hide */
  const open: boolean[] = []
  let found = 0
  for (const item of content) {
    const { type, tag } = item as Mark
    if (type?.startsWith('beginMarkedContent')) {
      const isLayer = tag === 'OC'
      open.push(isLayer && !layers.isVisible(groups[found]))
      if (isLayer) found += 1
    } else if (type === 'endMarkedContent') open.pop()
    else if (open.includes(true)) hidden.add(item as Item)
  }
  return found === groups.length ? hidden : new Set()
}
