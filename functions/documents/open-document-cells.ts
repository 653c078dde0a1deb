import { formatDate, formatDuration, minDay } from './number-format.ts'
import { readAttribute, type XmlAttributes } from './read-package.ts'
import { columnLetters, toNumberCell, type Cell } from './tables/cells.ts'

interface Duration {
  sign: '' | '-'
  hours: number
  minutes: number
  seconds: string
}

function readDuration(text: string): Duration | undefined {
  const [whole, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^(-)?P(?:(\d{1,5})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:[.,]\d{1,9})?)S)?)?$/.exec(text) ??
    []
  if (whole === undefined) return undefined
  return {
    sign: sign === '-' ? '-' : '',
    hours: Number(days) * 24 + Number(hours),
    minutes: Number(minutes),
    seconds: seconds.replace(',', '.'),
  }
}

export function readValue(attributes: XmlAttributes): string {
  const value = readAttribute(attributes, 'value') || readAttribute(attributes, 'string-value')
  if (value !== '') {
    const isPercentage =
      readAttribute(attributes, 'value-type') === 'percentage' && Number.isFinite(Number(value))
    return isPercentage ? `${Number((Number(value) * 100).toPrecision(12))}%` : value
  }
  const time = readDuration(readAttribute(attributes, 'time-value'))
  if (time) {
    const { sign, hours, minutes, seconds } = time
    return `${sign}${hours}:${String(minutes).padStart(2, '0')}:${seconds.padStart(2, '0')}`
  }
  return readAttribute(attributes, 'boolean-value').toUpperCase()
}

const countDays = ({ sign, hours, minutes, seconds }: Duration) =>
  ((sign === '-' ? -1 : 1) * (hours * 3_600 + minutes * 60 + Number(seconds))) / 86_400

export function showTime(attributes: XmlAttributes, written: string): string {
  const time =
    readAttribute(attributes, 'value-type') === 'time'
      ? readDuration(readAttribute(attributes, 'time-value'))
      : undefined
  const [, first, second, third] = /^-?(\d{1,9})(?::(\d\d))?(?::(\d\d))?/.exec(written) ?? []
  if (!time || first === undefined) return written
  const days = countDays(time)
  // LibreOffice writes a day and its time as hours since 1899-12-30
  if (days >= minDay) return `${written} (${formatDate(String(days))})`
  const isHalfDay = /[ap]\.?m\.?/i.test(written) && Math.abs(days) < 1
  const total = Math.abs(days) * 86_400
  // the first number counts hours, minutes or seconds, and the last is rounded
  const shown = (Number(first) * 60 + Number(second ?? 0)) * 60 + Number(third ?? 0)
  const isShown = [1, 60, 3_600].some((unit) => Math.abs(shown / unit - total) <= Math.max(1, 60 / unit))
  return isShown || isHalfDay
    ? written
    : `${written} (${days < 0 ? '-' : ''}${formatDuration(Math.abs(days))})`
}

/** What a cell holds for calculations (OpenDocument 1.3, 19.387): its type decides, not what it shows. */
export function readTypedCell(attributes: XmlAttributes, shown: string, isDuration = false): Cell {
  const read = (name: string) => readAttribute(attributes, name)
  switch (read('value-type')) {
    case 'float':
      return toNumberCell(read('value'), shown)
    case 'percentage':
      return toNumberCell(read('value'), '')
    case 'currency': {
      const value = Number(read('value'))
      const unit = read('currency')
      return unit === '' || read('value') === '' ? toNumberCell(read('value'), shown) : { value, unit }
    }
    case 'date':
      return (
        read('date-value')
          .replace('T', ' ')
          .replace(/ 00:00:00(?:\.0+)?$/, '') || undefined
      )
    case 'time': {
      const time = readDuration(read('time-value'))
      if (!time) return shown === '' ? undefined : shown
      const days = countDays(time)
      return days >= minDay
        ? formatDate(String(days))
        : { value: days * 24, unit: isDuration ? 'duration' : 'clock' }
    }
    case 'boolean':
      return read('boolean-value') === 'true'
    default:
      return shown || read('string-value') || undefined
  }
}

export const formatColumn = (column: number, from: number, to: number) =>
  `${columnLetters(column)}${from}:${columnLetters(column)}${to}`

export function addTypedCells(row: { cells: Cell[]; column: number }, cell: Cell, repeat: number): void {
  const end = Math.min(maxColumns, row.column + repeat)
  if (cell !== undefined) for (let column = row.column; column < end; column += 1) row.cells[column] = cell
  row.column = end
}

/** Columns whose visibility is kept. */
export const maxColumns = 16_384
