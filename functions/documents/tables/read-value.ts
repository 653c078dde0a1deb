// Reads numbers and dates that are written as text, in the forms that offices of the world export. Every pattern is linear, and texts
// that are longer than a number or date are not looked at.

const maxCharacters = 40

/** A number as text: by a decimal point, and by a decimal comma; both if they do not differ, or if the text does not tell. */
export interface NumberText {
  point: number | undefined
  comma: number | undefined
  /** symbol or code of a currency, or `%`; empty without one */
  unit: string
}

const currencyCodes =
  'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MAD MXN MYR NOK NZD PEN PHP PLN RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD VND ZAR'
const symbols = '$ € £ ¥ ￥ ₹ ₽ ₩ ₺ ₫ ₪ ฿ ₴ ₦ % ‰ US$ R$ C$ A$ Fr. kr kr. zł Kč Ft lei лв. руб. 円 元'
const units = new Set(`${currencyCodes} ${symbols}`.split(' '))

const numberForm =
  /^(\(|[+\-−–])? ?([^\d\s,+\-−–()]{1,4})? ?([+\-−–(])?((?:\d|[.,]\d)[\d.,'’ \u00a0\u202f]*)(?:[eE]([+-]?\d{1,3}))?[ \u00a0\u202f]?([^\d\s,+\-−–()]{1,4})?([-+])?(\))?$/u

/** How the format of accountants shows zero: a dash beside the currency. */
const zeroForm = /^(?:([^\d\s,+\-−–()]{1,4})[ \u00a0]{0,20}[-–]|[-–][ \u00a0]{0,20}([^\d\s,+\-−–()]{1,4}))$/u

const spacedGroups = /^\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/
const groups = {
  comma: /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/,
  point: /^[1-9]\d{0,2}(?:\.\d{3})+$/,
}
const groupedPoint = /^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}\.\d+$/
const groupedComma = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/

/** @returns 'id' for digits that are a name: with leading zeros, a plus sign, or more than a number holds; undefined for other texts */
export function readNumber(text: string): NumberText | 'id' | undefined {
  if (text.length > maxCharacters) return undefined
  if (!mayBeNumber(text)) return readZero(text)
  const plain = plainForm.exec(text)
  if (plain) return readPlain(text, plain)
  const [
    whole,
    open = '',
    unitBefore = '',
    sign = '',
    digits = '',
    exponent,
    after = '',
    behind = '',
    close = '',
  ] = numberForm.exec(text) ?? []
  // the point of .5 is no part of a currency
  const isPoint = unitBefore.endsWith('.') && !units.has(unitBefore)
  const [before, tail] = isPoint ? [unitBefore.slice(0, -1), `.${digits}`] : [unitBefore, digits]
  if (whole === undefined || (open === '(' || sign === '(') !== (close === ')')) return undefined
  if (open !== '' && sign === '(') return undefined
  if ((before !== '' && !units.has(before)) || (after !== '' && !units.has(after))) return undefined
  const body = tail.trim()
  if (/^0\d/.test(body) || (open === '+' && /^\d{7,}$/.test(body)))
    return /^[\d ]+$/.test(body) ? 'id' : undefined
  if (isLongNumber(body)) return 'id'
  // 12E4 is a code: programs write 1.2E5, with one digit before the point
  if (exponent !== undefined && /^\d{2,}$/.test(body) && /^\d/.test(exponent)) return 'id'
  const found = readBody(body)
  if (!found) return undefined
  const unit = after === '' ? before : after
  const factor =
    (/^[-−–(]$/.test(open) || /^[-−–(]$/.test(sign) || behind === '-' ? -1 : 1) *
    (exponent === undefined ? 1 : 10 ** Number(exponent))
  const finish = (value: number | undefined) => {
    if (value === undefined) return undefined
    // a quotient is exact where a product is not: 12.5 % is 0.125
    const scaled =
      unit === '%' ? (value * factor) / 100 : unit === '‰' ? (value * factor) / 1_000 : value * factor
    return exponent === undefined ? scaled : Number(`${value}e${exponent}`) * Math.sign(factor || 1)
  }
  return { point: finish(found.point), comma: finish(found.comma), unit }
}

function readZero(text: string): NumberText | undefined {
  const [, before = '', after = ''] = /[-–]/.test(text) ? (zeroForm.exec(text) ?? []) : []
  const unit = before || after
  return units.has(unit) && unit !== '%' && unit !== '‰' ? { point: 0, comma: 0, unit } : undefined
}

/** What most numbers look like. */
const plainForm = /^-?([1-9]\d{0,14}|0)(?:\.(\d{1,15}))?$/

function readPlain(text: string, [, whole = '', decimals]: RegExpExecArray): NumberText {
  const value = Number(text)
  if (decimals === undefined) return { point: value, comma: value, unit: '' }
  // 1.234 may be a thousand and more
  const isGroup = decimals.length === 3 && whole !== '0' && whole.length <= 3
  return { point: value, comma: isGroup ? Number(text.replace('.', '')) : undefined, unit: '' }
}

export const isLongNumber = (digits: string) =>
  digits.length > 15 && /^-?\d{16,}$/.test(digits) && /[1-9]/.test(digits.replace('-', '').slice(15))

/** Most texts begin with a letter. */
function mayBeNumber(text: string): boolean {
  let hasDigit = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      hasDigit = true
      break
    }
    if (at > 6) return false
  }
  return hasDigit
}

function readBody(body: string): { point: number | undefined; comma: number | undefined } | undefined {
  const both = (value: number) => ({ point: value, comma: value })
  if (/^\d+$/.test(body)) return both(Number(body))
  if (spacedGroups.test(body)) {
    const plain = body.replaceAll(/[ '’\u00a0\u202f]/g, '')
    if (plain.includes(',')) return { point: undefined, comma: Number(plain.replace(',', '.')) }
    return plain.includes('.') ? { point: Number(plain), comma: undefined } : both(Number(plain))
  }
  if (groupedPoint.test(body)) return { point: Number(body.replaceAll(',', '')), comma: undefined }
  if (groupedComma.test(body))
    return { point: undefined, comma: Number(body.replaceAll('.', '').replace(',', '.')) }
  const asPoint = /^\d*\.\d+$|^\d+\.$/.test(body)
    ? Number(body)
    : groups.comma.test(body)
      ? Number(body.replaceAll(',', ''))
      : undefined
  const asComma = /^\d*,\d+$|^\d+,$/.test(body)
    ? Number(body.replace(',', '.'))
    : groups.point.test(body)
      ? Number(body.replaceAll('.', ''))
      : undefined
  return asPoint === undefined && asComma === undefined ? undefined : { point: asPoint, comma: asComma }
}

/** A date as text, as SQLite writes it: by day before month, and by month before day; both if they do not differ, or if the text does not tell. */
export interface DateText {
  dayFirst: string | undefined
  monthFirst: string | undefined
  time: string
  /** whether the text names another zone than UTC, in which the date is */
  isShifted?: boolean
}

const timeForm = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?([AaPp]\.?[Mm]\.?)? ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?`
const withTime = (date: string) => new RegExp(`^${date}(?:(?:T|,? +(?:at )?)${timeForm})?$`, 'u')
const isoForm = withTime(String.raw`(\d{4})(?:[-/]|\. ?)(\d{1,2})(?:[-/]|\. ?)(\d{1,2})\.?`)
const cjkForm = withTime(String.raw`(\d{4})年(\d{1,2})月(\d{1,2})日`)
const numericForm = withTime(String.raw`(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})`)
const dayNameForm = withTime(
  String.raw`(\d{1,2})(?:\.|er|º)?(?: |-| de )(\p{L}{3,12})\.?(?: |-|, ?| de )(\d{4}|\d{2})`,
)
const nameDayForm = withTime(String.raw`(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`)

/** Long and short names in the languages of the page, with the places of their dates. */
const listNames = (dates: readonly number[], part: 'month' | 'weekday'): [name: string, at: number][] =>
  ['en', 'de', 'fr', 'es', 'pt'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((form) => {
      const formatter = new Intl.DateTimeFormat(language, { [part]: form, timeZone: 'UTC' })
      return dates.map((date, at): [string, number] => [
        formatter.format(date).toLowerCase().replace('.', ''),
        at,
      ])
    }),
  )
const middles = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15))
/** The last ones are usual, and not what `Intl` writes. */
const months = new Map([...listNames(middles, 'month'), ['sep', 8], ['sept', 8], ['mär', 2], ['mrz', 2]])
const findMonth = (name: string) => (months.get(name.toLowerCase()) ?? -1) + 1
const week = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 0, 4 + day))
const days = new Map(listNames(week, 'weekday'))

/** What SQLite, databases and workbooks write. */
const plainDate = /^(\d{4})-(\d\d)-(\d\d)(?: ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))?$/

/** Reads a date, with or without a time. @returns it by either order of day and month; undefined for other texts */
export function readDate(text: string): DateText | undefined {
  if (text.length < 6 || text.length > maxCharacters || !/\d/.test(text)) return undefined
  const plain = plainDate.exec(text)
  if (plain) {
    const day = formatDay(Number(plain[1]), Number(plain[2]), Number(plain[3]))
    return day === undefined ? undefined : { dayFirst: day, monthFirst: day, time: plain[4] ?? '' }
  }
  const dayName = /^(\p{L}{2,13})\.?,? {1,2}/u.exec(text)
  if (dayName && days.has((dayName[1] ?? '').toLowerCase())) {
    const date = readDate(text.slice(dayName[0].length))
    // `Mar` is a month, too: Tuesday in French and Spanish, and March
    if (date) return date
  }
  const first = text.charCodeAt(0)
  const isDigit = first >= 48 && first <= 57
  if (isDigit) {
    const iso = isoForm.exec(text) ?? (text.includes('年') ? cjkForm.exec(text) : null)
    if (iso) return build(iso[1], [[iso[2], iso[3]]], iso.slice(4))
    const numeric = numericForm.exec(text)
    if (numeric) {
      const [, a = '', mark, b = '', year = ''] = numeric
      // 1.2.20 is a version
      if (mark !== '/' && year.length === 2 && (a.length < 2 || b.length < 2)) return undefined
      return build(
        year,
        mark === '.'
          ? [[b, a]]
          : [
              [b, a],
              [a, b],
            ],
        numeric.slice(5),
        mark === '.',
      )
    }
    const named = dayNameForm.exec(text)
    const month = named && findMonth(named[2] ?? '')
    return named && month ? build(named[3], [[String(month), named[1]]], named.slice(4)) : undefined
  }
  const named = nameDayForm.exec(text)
  const month = named && findMonth(named[1] ?? '')
  return named && month ? build(named[3], [[String(month), named[2]]], named.slice(4)) : undefined
}

const clockForm = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))? ?([AaPp])\.?[Mm]\.?$/
const durationForm = /^([-−–])?(\d{1,5}):([0-5]\d):([0-5]\d)(?:[.,](\d{1,9}))?$/

/** The hours of a time of twelve, or of a duration. `3:45` may be minutes and seconds. */
export function readClock(text: string): number | undefined {
  const duration = durationForm.exec(text)
  if (duration) {
    const [, sign, whole, of60, of3600, fraction = '0'] = duration
    const seconds = Number(whole) * 3_600 + Number(of60) * 60 + Number(`${of3600}.${fraction}`)
    return (sign === undefined ? seconds : -seconds) / 3_600
  }
  const [, hours = '', minutes = '', seconds = '0', half = ''] = clockForm.exec(text) ?? []
  const hour = Number(hours)
  if (half === '' || hour < 1 || hour > 12) return undefined
  return (hour % 12) + (/p/i.test(half) ? 12 : 0) + Number(minutes) / 60 + Number(seconds) / 3_600
}

type Fields = (string | undefined)[]

/** @param orders month and day, by day first and by month first @param isDayFirst the mark between them is used with the day first alone */
function build(year = '', orders: Fields[], timeFields: Fields, isDayFirst = false): DateText | undefined {
  const time = readTime(timeFields)
  if (time === undefined) return undefined
  const fullYear = year.length === 2 ? Number(year) + (Number(year) < 69 ? 2_000 : 1_900) : Number(year)
  const days = orders.map(([month, day]) => formatDay(fullYear, Number(month), Number(day)))
  const first = days[0]
  const second = days.length > 1 ? days[1] : first
  const dayFirst = first === undefined ? undefined : shift(first, time)
  const monthFirst = isDayFirst || second === undefined ? undefined : shift(second, time)
  if (dayFirst === undefined && monthFirst === undefined) return undefined
  return {
    dayFirst: dayFirst?.date,
    monthFirst: monthFirst?.date,
    time: (dayFirst ?? monthFirst)?.time ?? '',
    ...(time.offset && { isShifted: true }),
  }
}

function formatDay(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || year < 1) return undefined
  if (day <= 28 && year >= 1_000)
    return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const date = new Date(Date.UTC(2_000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : undefined
}

interface Time {
  clock: string
  offset: number | undefined
}

function readTime([hours, minutes, seconds = '00', fraction = '', half, zone]: Fields): Time | undefined {
  if (hours === undefined) return { clock: '', offset: undefined }
  let hour = Number(hours)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const clock = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}${milliseconds === '000' ? '' : `.${milliseconds}`}`
  if (zone === undefined) return { clock, offset: undefined }
  const [, sign = '+', zoneHours = '0', zoneMinutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  return { clock, offset: (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) }
}

/** Times with a zone become UTC, as SQLite's functions do it. */
function shift(date: string, { clock, offset }: Time): { date: string; time: string } {
  if (clock === '' || !offset) return { date, time: clock }
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  const total = hour * 60 + minute - offset
  const days = Math.floor(total / 1_440)
  const rest = total - days * 1_440
  const moved = new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  const pair = (value: number) => String(value).padStart(2, '0')
  return { date: moved, time: `${pair(Math.floor(rest / 60))}:${pair(rest % 60)}${clock.slice(5)}` }
}
