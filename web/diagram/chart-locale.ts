import { locale as createLocale, type LocaleFormatters } from 'vega'

/** The parts of dates and times, in the letters of the library. */
const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
  weekday: '%a',
  day: '%d',
  month: '%m',
  year: '%Y',
  minute: '%M',
  second: '%S',
  dayPeriod: '%p',
}

/** The order and the signs of a language for dates or times. */
function readPattern(locale: string, options: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat(locale, options)
  const hour = format.resolvedOptions().hour12 === true ? '%-I' : '%H'
  return format
    .formatToParts(new Date(2023, 0, 1))
    .map(({ type, value }) => {
      if (type === 'hour') return hour
      // Japanese has the number of a month, and its sign as a text between
      if (type === 'month' && options.month === 'short') return /^\d+$/.test(value) ? '%-m' : '%b'
      if (type === 'day' && options.day === 'numeric') return '%-d'
      return letters[type] ?? value.replaceAll('%', '%%')
    })
    .join('')
}

/** A day, and the time of it where there are times. */
export const dayPattern = (locale: string, hasTimes: boolean): string =>
  readPattern(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(hasTimes && { hour: '2-digit', minute: '2-digit' }),
  })

/** Numbers and dates as a language writes them, on axes and in tooltips. A `$` in a format stays a dollar. */
export function createChartLocale(locale: string): LocaleFormatters {
  // the first of January 2023 was a Sunday
  const days = Array.from({ length: 7 }, (_, index) => new Date(2023, 0, 1 + index))
  const months = Array.from({ length: 12 }, (_, index) => new Date(2023, index, 1))
  const parts = new Intl.NumberFormat(locale).formatToParts(-1_234_567.8)
  const find = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  const nameAll = (dates: readonly Date[], options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options)
    return dates.map((date) => format.format(date))
  }
  const namePeriod = (hour: number) =>
    new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true })
      .formatToParts(new Date(2023, 0, 1, hour))
      .find(({ type }) => type === 'dayPeriod')?.value ?? ''
  const date = readPattern(locale, { day: '2-digit', month: '2-digit', year: 'numeric' })
  const time = readPattern(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const minutes = readPattern(locale, { hour: '2-digit', minute: '2-digit' })
  const formatters = createLocale(
    {
      decimal: find('decimal') ?? '.',
      thousands: find('group') ?? ',',
      grouping: [3],
      currency: ['$', ''],
    },
    {
      dateTime: `${date} ${time}`,
      date,
      time,
      periods: [namePeriod(9), namePeriod(15)],
      days: nameAll(days, { weekday: 'long' }),
      shortDays: nameAll(days, { weekday: 'short' }),
      months: nameAll(months, { month: 'long' }),
      shortMonths: nameAll(months, { month: 'short' }),
    },
  )
  /** How an axis names times, by what they differ in. */
  const byUnit = {
    minutes,
    hours: minutes,
    date: readPattern(locale, { weekday: 'short', day: 'numeric' }),
    week: readPattern(locale, { day: 'numeric', month: 'short' }),
    month: '%b',
    quarter: '%b',
  }
  const withUnits =
    (format: LocaleFormatters['timeFormat']): LocaleFormatters['timeFormat'] =>
    (specifier: unknown) =>
      format(
        (typeof specifier === 'string'
          ? specifier
          : { ...byUnit, ...(specifier as object | undefined) }) as string,
      )
  return {
    ...formatters,
    timeFormat: withUnits(formatters.timeFormat),
    utcFormat: withUnits(formatters.utcFormat),
  }
}
