const monthsOfQuarter = 3
const dayMs = 86_400_000

function readDay(year: string, month = '1', day = '1'): Date {
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // there is no thirteenth month, and no 31 February
  return date.getMonth() === Number(month) - 1 ? date : new Date(Number.NaN)
}

/** Forms of a date without a time, which mean the same day everywhere. */
const dayForms: readonly [RegExp, (...parts: string[]) => Date][] = [
  [/^(\d{4})$/, readDay],
  [/^(\d{4})[-/](\d{1,2})$/, readDay],
  // as accounting programs write them
  [/^((?:19|20)\d{2})(\d{2})$/, readDay],
  [/^((?:19|20)\d{2})(\d{2})(\d{2})$/, readDay],
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, readDay],
  // what is meant as a day is often written as its midnight in UTC
  [/^(\d{4})-(\d{2})-(\d{2})[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|\+00:?00)$/, readDay],
  [/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/, (day = '', month, year = '') => readDay(year, month, day)],
  [/^(\d{4})[- ]?Q([1-4])$/i, (year = '', quarter) => readQuarter(year, quarter)],
  [/^Q([1-4])[- /]?(\d{4})$/i, (quarter, year = '') => readQuarter(year, quarter)],
  [/^(\d{4})-?W(\d{2})$/, (year = '', week) => readWeek(Number(year), Number(week))],
]

const readQuarter = (year: string, quarter: string | undefined) =>
  new Date(Number(year), (Number(quarter) - 1) * monthsOfQuarter)

/** The Monday of a week by ISO 8601: the first week of a year has its fourth of January. */
function readWeek(year: number, week: number): Date {
  const fourth = new Date(year, 0, 4)
  const sinceMonday = (fourth.getDay() + 6) % 7
  return new Date(year, 0, 4 - sinceMonday + (week - 1) * 7)
}

/**
 * A date as data of charts has it. A day is that day wherever it is read: JavaScript takes `2026-01-01` as UTC, so that west of London it
 * would be shown as the last day of December.
 * @param value a text, milliseconds since 1970, or a year
 * @returns null for what is no date
 */
export function parseChartDate(value: unknown): Date | null {
  if (value instanceof Date) return value
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= 1000 && value < 3000) return new Date(value, 0)
    // a month or a day as one number: so few milliseconds since 1970 nobody draws
    if (Number.isInteger(value) && value >= 190_001 && value < 21_000_000) {
      const compact = parseChartDate(String(value))
      if (compact) return compact
    }
    const date = new Date(isSeconds(value) ? value * 1_000 : value)
    // whole days are written as their midnight in UTC
    return date.getTime() % dayMs === 0
      ? new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
      : valid(date)
  }
  if (typeof value !== 'string') return null
  const text = value.trim()
  for (const [form, read] of dayForms) {
    const parts = form.exec(text)
    if (parts) return valid(read(...parts.slice(1)))
  }
  return valid(new Date(text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')))
}

/** Whether a number counts seconds since 1970, from 2001 on: as milliseconds it were a day of early 1970. */
const isSeconds = (value: number) => value >= 1e9 && value < 1e10

const valid = (date: Date) => (Number.isNaN(date.getTime()) ? null : date)
