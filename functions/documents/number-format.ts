import { format, getFormatDateInfo, isDateFormat } from 'numfmt'
import { listPairs } from './list-pairs.ts'

// Cells show numbers by a format code. Dates are written in ISO 8601, because the order of day and month in other formats can be mistaken;
// everything else as the spreadsheet shows it.

const builtInCodes = new Map(
  listPairs(
    '1:0|2:0.00|3:#,##0|4:#,##0.00|9:0%|10:0.00%|11:0.00E+00|12:# ?/?|13:# ??/??|18:h:mm AM/PM|19:h:mm:ss AM/PM|20:h:mm|21:h:mm:ss|37:#,##0;(#,##0)|38:#,##0;(#,##0)|39:#,##0.00;(#,##0.00)|40:#,##0.00;(#,##0.00)|41:#,##0;(#,##0);"-"|42:$#,##0;($#,##0);"-"|43:#,##0.00;(#,##0.00);"-"|44:$#,##0.00;($#,##0.00);"-"|45:mm:ss|46:[h]:mm:ss|47:mm:ss.0|48:##0.0E+0',
    '|',
  ),
)
/** Dates in all languages; 27 to 36 and 50 to 58 are dates or times of Chinese, Japanese and Korean versions. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

export interface FormatNumber {
  (value: string): string
  /** whether it counts hours, minutes or seconds without end, such as `[h]:mm` */
  readonly isDuration?: boolean
}

const isDurationCode = (code: string) => /\[[hms]+\]/i.test(code.replaceAll(/"[^"]*"|\\./g, ''))

/** Fifteen digits, as spreadsheets calculate with. */
export function formatGeneral(value: string): string {
  if (/^-?\d*$/.test(value)) return value
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))).replace('e', 'E') : value
}

const secondsPerDay = 86_400
const unixEpoch = 25_569

/** @param serial days since 1899-12-30, or, before 1900-03-01, since 1899-12-31: spreadsheets count a 29 February 1900 */
export function formatDate(serial: string, is1904 = false): string {
  const days = Number(serial) + (is1904 ? 1_462 : 0)
  if (serial === '' || !Number.isFinite(days) || days < 0 || days >= 2_958_466) return formatGeneral(serial)
  const seconds = Math.round(days * secondsPerDay)
  const toIso = (offset: number) => new Date((seconds + offset * secondsPerDay) * 1_000).toISOString()
  const [day = '', time = ''] = toIso(days < 60 ? 1 - unixEpoch : -unixEpoch).split('T')
  const clock = time.slice(0, 8)
  if (seconds < secondsPerDay) return clock
  const date = Math.floor(days) === 60 ? '1900-02-29' : day
  return clock === '00:00:00' ? date : `${date} ${clock}`
}

/** Locales would write `1.200` for 1,200; what matters of them is the currency. AM and PM in Chinese are not known to the library. */
const simplify = (code: string) =>
  code
    .replaceAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, currency: string) => currency && `"${currency}"`)
    .replaceAll('上午/下午', 'AM/PM')

export const formatDuration = (days: number) => {
  const seconds = Math.round(days * secondsPerDay)
  const pair = (count: number) => String(Math.floor(count) % 60).padStart(2, '0')
  return `${Math.floor(seconds / 3_600)}:${pair(seconds / 60)}:${pair(seconds)}`
}

/** From here on a number is a day, and no duration: more than 27 years. */
export const minDay = 10_000

/** Whether a format counts days that passed, such as `d "days" h:mm`. */
function hasDayCount(code: string): boolean {
  const plain = code.replaceAll(/"[^"]*"|\\./g, '')
  return /h/i.test(plain) && /d/i.test(plain) && !/y|ddd/i.test(plain) && !getFormatDateInfo(code).month
}

/**
 * What a format does not show of its number, though it matters: that it is not zero, on which day a time is, or how many hours a duration
 * has.
 */
function findHidden(code: string, shown: string, number: number, is1904: boolean): string {
  if (number === 0) return ''
  const isClock = isDateFormat(code) && !/\[[hms]+\]/i.test(code)
  if (isClock && number > 0) {
    if (number >= minDay) return formatDate(String(number), is1904)
    if (hasDayCount(code)) return formatDuration(number)
    const hasHours = /h/i.test(code.replaceAll(/"[^"]*"/g, ''))
    return number >= (hasHours ? 1 : 1 / 24) ? formatDuration(number) : ''
  }
  return /\d/.test(shown) && !/[1-9]/.test(shown) && !isDateFormat(code) ? formatGeneral(String(number)) : ''
}

function formatWith(code: string, value: string, is1904: boolean): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  // a long number may be an id, and formats round to fifteen digits
  if (/^0+$/.test(code) && /^\d+$/.test(value)) return value.padStart(code.length, '0')
  try {
    // programs show signs alone for a time below zero
    if (number < 0 && isDateFormat(code) && !isDurationCode(code)) return formatGeneral(value)
    const shown = format(code, number).trim()
    // a format may hide its number
    if (shown === '') return formatGeneral(value)
    const hidden = findHidden(code, shown, number, is1904)
    return hidden === '' ? shown : `${shown} (${hidden})`
  } catch {
    return formatGeneral(value)
  }
}

function hasDate(code: string): boolean {
  const plain = code.replaceAll(/"[^"]*"|\\./g, '')
  // the minutes of `mm:ss` are no months
  if (/\[[hms]+\]/i.test(code) || !isDateFormat(code) || (/[hs]/i.test(plain) && !/[dy]/i.test(plain)))
    return false
  if (hasDayCount(code)) return false
  const { year, month, day } = getFormatDateInfo(code)
  return Boolean(year) || Boolean(month) || Boolean(day)
}

/** @param id of a built-in format; higher ones come with their code. Codes that are not understood show the plain number */
export function compileFormat(id: number, code = '', is1904 = false): FormatNumber {
  const known = code === '' ? builtInCodes.get(String(id)) : simplify(code)
  if (known === undefined) return isBuiltInDate(id) ? (value) => formatDate(value, is1904) : formatGeneral
  if (['', 'general', '@', 'standard'].includes(known.trim().toLowerCase())) return formatGeneral
  try {
    if (hasDate(known)) return (value) => formatDate(value, is1904)
  } catch {
    return formatGeneral
  }
  const formatNumber = (value: string) => formatWith(known, value, is1904)
  return isDurationCode(known) ? Object.assign(formatNumber, { isDuration: true }) : formatNumber
}
