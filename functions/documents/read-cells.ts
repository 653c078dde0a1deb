import { readAttribute, parseXml, type XmlAttributes } from './read-package.ts'
import { formatRuns, type TextRun } from './format-runs.ts'
import type { FormatNumber } from './number-format.ts'
import { decodeSymbols } from './symbol-fonts.ts'
import { toNumberCell, type Cell } from './tables/cells.ts'

export type CellLook = Omit<TextRun, 'text'> & { font?: string }

export const showText = (text: string, { font = '', ...look }: CellLook = {}) =>
  formatRuns([{ ...look, text: decodeSymbols(text, font) }])

export function readFontProperty(name: string, attributes: XmlAttributes): CellLook {
  const value = readAttribute(attributes, 'val')
  if (name === 'strike') return { isStruck: !/^(?:0|false)$/.test(value) }
  if (name === 'vertAlign')
    return { position: value === 'superscript' ? '^' : value === 'subscript' ? '_' : undefined }
  return name === 'name' || name === 'rFont' ? { font: value } : {}
}

export interface CellContext {
  strings: readonly string[]
  formats: readonly FormatNumber[]
  looks: readonly CellLook[]
  richValues: ReadonlyMap<number, string>
  /** whether the program shall calculate all formulas when it opens the file: then values are placeholders, such as 0 */
  hasPlaceholders: boolean
}

export interface Formula {
  /** its cell, or the range that it was copied to */
  ref: string
  formula: string
}

export interface CellHandlers {
  /** @param cells as they are shown, by column; those that are missing are undefined @param number from 1 @param values for calculations */
  row: (cells: string[], number: number, isHidden: boolean, values: readonly Cell[]) => void
  formula: (formula: Formula) => void
  /** the next row is given as a list of its cells, because they have no place of their own */
  plainRow: () => void
  /** any other element of the sheet, and `cellPicture` for a picture in a cell */
  element: (name: string, attributes: XmlAttributes) => void
  header: (text: string) => void
  annotate: (ref: string) => string
}

const maxColumns = 16_384
const maxGap = 200

const targets = new Map<string, 'value' | 'formula' | 'header'>([
  ['v', 'value'],
  ['f', 'formula'],
  ...['odd', 'even', 'first'].flatMap((pages) =>
    ['Header', 'Footer'].map((kind) => [`${pages}${kind}`, 'header'] as const),
  ),
])

function parseColumn(ref: string): number {
  let column = 0
  for (let index = 0; index < ref.length; index += 1) {
    const value = ref.charCodeAt(index)
    const digit = value >= 97 ? value - 96 : value - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
    if (column > maxColumns) return -1
  }
  return column - 1
}

export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
        const character = String.fromCharCode(Number.parseInt(code, 16))
        return /[\t\n\r]|[^\p{Cc}\p{Cs}]/u.test(character) ? character : ''
      })
    : text

interface OpenCell {
  ref: string
  type: string
  style: number
  metadata: number
  value: string
  typed: Cell
  runs: TextRun[]
  formula: string | undefined
  formulaRange: string
  sharedIndex: string
}

export function readCells(
  part: Uint8Array,
  { strings, formats, looks, richValues, hasPlaceholders }: CellContext,
  handlers: CellHandlers,
): void {
  const shared = new Map<string, string>()
  let cells: string[] = []
  let given: string[] = []
  let values: Cell[] = []
  let rowNumber = 0
  let nextColumn = 0
  let cell: OpenCell | undefined
  let target: 'value' | 'formula' | 'header' | undefined
  let header = ''
  let hintDepth = 0
  let isHiddenRow = false
  let look: CellLook | undefined

  parseXml(part, {
    open(name, attributes) {
      if (name === 'row') {
        cells = []
        given = []
        values = []
        nextColumn = 0
        isHiddenRow = /^(?:1|true)$/.test(readAttribute(attributes, 'hidden'))
        const number = Number(readAttribute(attributes, 'r'))
        rowNumber = Number.isSafeInteger(number) && number > rowNumber ? number : rowNumber + 1
      } else if (name === 'c') {
        cell = {
          ref: readAttribute(attributes, 'r'),
          type: readAttribute(attributes, 't'),
          style: Number(readAttribute(attributes, 's')),
          metadata: Number(readAttribute(attributes, 'vm')),
          value: '',
          typed: undefined,
          runs: [],
          formula: undefined,
          formulaRange: '',
          sharedIndex: '',
        }
      } else if (name === 'f' && cell) {
        cell.formula = ''
        cell.formulaRange = readAttribute(attributes, 'ref')
        cell.sharedIndex = readAttribute(attributes, 't') === 'shared' ? readAttribute(attributes, 'si') : ''
      } else if (name === 'rPh') hintDepth += 1
      else if (cell && name === 'r') look = {}
      else if (cell && look) Object.assign(look, readFontProperty(name, attributes))
      else if (!cell) handlers.element(name, attributes)
      target = name === 't' && hintDepth === 0 ? 'value' : targets.get(name)
    },
    text(text) {
      if (target === 'header') header += text
      if (!cell) return
      if (target === 'value' && look) cell.runs.push({ text: showText(decodeEscapes(text), look) })
      else if (target === 'value') cell.value += text
      if (target === 'formula') cell.formula = (cell.formula ?? '') + text
    },
    close(name) {
      if (target === 'header') handlers.header(header)
      header = ''
      target = undefined
      if (name === 'rPh') hintDepth -= 1
      if (name === 'r') look = undefined
      if (name === 'c' && cell) {
        closeCell(cell)
        cell = undefined
      }
      if (name !== 'row') return
      // a cell too far, or one that is there twice
      const isWhole = cells.filter((text) => text !== '').length === given.length
      if (!isWhole) handlers.plainRow()
      handlers.row(isWhole ? cells : given, rowNumber, isHiddenRow, isWhole ? values : [])
    },
  })

  function closeCell(closed: OpenCell): void {
    const named = parseColumn(closed.ref)
    const column = named < 0 ? nextColumn : named
    nextColumn = column + 1
    const note = handlers.annotate(closed.ref)
    const content = formatCell(closed)
    if (closed.typed !== undefined) values[column] = closed.typed
    const text = note === '' || content === '' ? content + note : `${content} ${note}`
    if (text === '') return
    given.push(closed.ref === '' ? text : `${closed.ref}: ${text}`)
    if (column >= maxColumns || (cells[column] ?? '') !== '') return
    if (named - cells.length > maxGap) cells.push(`${closed.ref}: ${text}`)
    else {
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    nextColumn = cells.length
  }

  function formatCell(closed: OpenCell): string {
    const { formula = '', sharedIndex, formulaRange, ref } = closed
    if (sharedIndex !== '' && formula !== '') shared.set(sharedIndex, `${formula} (as of ${ref})`)
    const known = formula === '' ? (shared.get(sharedIndex) ?? '') : formula
    const isCalculated = closed.value !== '' && !(hasPlaceholders && closed.value === '0')
    if (known !== '' && !isCalculated) return `=${known}`
    if (formula !== '') handlers.formula({ ref: formulaRange === '' ? ref : formulaRange, formula })
    const rich = richValues.get(closed.metadata)
    if (rich !== undefined && closed.type === 'e') {
      if (rich.startsWith('[picture')) handlers.element('cellPicture', {})
      return rich
    }
    const value = formatValue(closed)
    const cellLook = looks[closed.style]
    return value === '' || !cellLook ? value : showText(value, cellLook)
  }

  function formatValue(cell: OpenCell): string {
    const { type, value, style } = cell
    const shown = showValue(cell)
    if (shown === '') return ''
    if (type === '' || type === 'n') {
      const format = formats[style]
      cell.typed = toNumberCell(value, format ? shown : value, format?.isDuration)
    } else cell.typed = type === 'b' ? shown === 'TRUE' : shown
    return shown
  }

  function showValue({ type, value, style, runs }: OpenCell): string {
    if (runs.length > 0) return value + formatRuns(runs)
    if (value === '') return ''
    switch (type) {
      case 's':
        return strings[Number(value)] ?? ''
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
      case 'd':
        return value.replace(/T00:00:00(?:\.0*)?Z?$/, '').replace('T', ' ')
      case '':
      case 'n':
        return formats[style]?.(value) ?? value
      default:
        return decodeEscapes(value)
    }
  }
}
