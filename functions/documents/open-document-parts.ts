import type { Box } from './shape-order.ts'
import { type XmlAttributes, readAttribute } from './read-package.ts'
import { formatNumber, numberFormats } from './word-numbering.ts'

export interface Block {
  text: string
  isItem: boolean
}

export interface PlacedShape {
  /** undefined: nothing says it, as for groups, which stand where their first shape does */
  box: Box | undefined
  isTitle: boolean
  blocks: Block[]
}

/** Lengths in centimetres (OpenDocument 1.3, part 3, 18.3.18). */
const units = new Map(
  Object.entries({ cm: 1, mm: 0.1, in: 2.54, pt: 2.54 / 72, pc: 2.54 / 6, px: 2.54 / 96 }),
)
function toCentimetres(length: string): number | undefined {
  const [, number, unit = ''] = /^(-?\d{1,9}(?:\.\d{1,9})?)(\w\w)$/.exec(length.trim()) ?? []
  return number === undefined ? undefined : Number(number) * (units.get(unit) ?? 1)
}

export function readBox(attributes: XmlAttributes): Box | undefined {
  const [, movedX = '', movedY = ''] =
    /translate\s?\(([^\s,)]{1,30})[\s,]{1,3}([^\s,)]{1,30})\)/.exec(readAttribute(attributes, 'transform')) ??
    []
  const x = toCentimetres(readAttribute(attributes, 'x') || readAttribute(attributes, 'x1') || movedX)
  const y = toCentimetres(readAttribute(attributes, 'y') || readAttribute(attributes, 'y1') || movedY)
  if (x === undefined || y === undefined) return undefined
  return { x, y, height: toCentimetres(readAttribute(attributes, 'height')) ?? 0 }
}

/** `1.`, `a)`, `2.1`: how a level is numbered; without a format it has bullets */
export interface LevelStyle {
  format: string
  before: string
  after: string
  start: number
  /** how many levels its number shows */
  shown: number
  text: string
}
export type LevelStyles = Map<number, LevelStyle>

export const readLevelStyle = (attributes: XmlAttributes): LevelStyle => ({
  format: readAttribute(attributes, 'num-format'),
  before: readAttribute(attributes, 'num-prefix'),
  after: readAttribute(attributes, 'num-suffix'),
  start: Number(readAttribute(attributes, 'start-value')) || 1,
  shown: Math.max(1, Math.min(10, Number(readAttribute(attributes, 'display-levels')) || 1)),
  text: readAttribute(attributes, 'num-list-format').slice(0, 200),
})

/** `2.1`, `(a)` (OpenDocument 1.3, part 3, 19.798). @param numbers of the levels down to its own */
export function formatLevel(styles: LevelStyles | undefined, numbers: readonly number[]): string | undefined {
  const own = styles?.get(numbers.length)
  if (!own || own.format === '') return undefined
  const format = (level: number) => {
    const { format: name = '' } = styles?.get(level) ?? {}
    return name === '' ? '' : formatNumber(numbers[level - 1] ?? 1, numberFormats.get(name) ?? '')
  }
  if (own.text !== '') return own.text.replaceAll(/%(\d{1,2})%/g, (_, level: string) => format(Number(level)))
  const levels = numbers.map((_, index) => index + 1).slice(-own.shown)
  const shown = levels.map(format).filter((number) => number !== '')
  return `${own.before}${shown.join('.')}${own.after}`
}
