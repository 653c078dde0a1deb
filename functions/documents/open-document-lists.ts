import { readAttribute, type XmlAttributes } from './read-package.ts'
import { formatNumber } from './word-numbering.ts'

const numberFormats: ReadonlyMap<string, string> = new Map([
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
])

/** `1.`, `a)`, `2.1`: how a level is numbered; without a format it has bullets */
export interface LevelStyle {
  format: string
  before: string
  after: string
  start: number
  /** how many levels its number shows */
  shown: number
  /** such as `(%1%.%2%)`, of newer writers */
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
