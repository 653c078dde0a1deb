import { t } from '@lingui/core/macro'
import { locale } from './locale.ts'

/** An instant as a field of `datetime-local` has it: `2026-11-28T15:00`, by the clock of this browser. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const dayMs = 24 * 60 * 60_000

/** Creating a formatter takes a phone 25 ms, so none is created before it is used. */
function lazyFormatter(options: Intl.DateTimeFormatOptions, tag = locale) {
  let formatter: Intl.DateTimeFormat | undefined
  return (date: Date | number): string => (formatter ??= new Intl.DateTimeFormat(tag, options)).format(date)
}

/** A time on a 24-hour clock (`HH:mm`) in every locale, for lists of conversations. */
const formatListTime = lazyFormatter({ hour: '2-digit', minute: '2-digit' }, 'en-GB')
/** A time in the reader's locale, on its clock of 12 or 24 hours. */
export const formatTime = lazyFormatter({ timeStyle: 'short' })
/** A day in the reader's locale: 'Nov 3, 2026', '3 Nov 2026', '3. Nov. 2026'. */
export const formatDate = lazyFormatter({ dateStyle: 'medium' })
/** A day with the month's full name, in the reader's locale. */
export const formatLongDate = lazyFormatter({ dateStyle: 'long' })
/** A day and time in the reader's locale. */
export const formatDateTime = lazyFormatter({ dateStyle: 'medium', timeStyle: 'short' })
/** The full date and time, with the weekday, in the reader's locale. */
export const formatDateTimeLong = lazyFormatter({ dateStyle: 'full', timeStyle: 'short' })

let hours: Intl.DateTimeFormat | undefined
/** The hour that begins then, of which no minute is known: '3 Nov 2026, 10:00 – 11:00'. */
export const formatHour = (start: Date): string => {
  hours ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return hours.formatRange(start, start.getTime() + 60 * 60_000)
}

const formatMonth = lazyFormatter({ month: 'long' })
/** 'November 2026'. */
export const formatMonthAndYear = lazyFormatter({ month: 'long', year: 'numeric' })
const weekdayAndDate = { weekday: 'long', day: 'numeric', month: 'long' } as const
const formatWeekdayAndDate = lazyFormatter(weekdayAndDate)
const formatWeekdayAndFullDate = lazyFormatter({ ...weekdayAndDate, year: 'numeric' })
let relative: Intl.RelativeTimeFormat | undefined

function formatAgo(count: number, unit: 'day' | 'month' | 'year'): string {
  relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  return relative.format(-count, unit)
}

/** Calendar days between two dates in the reader's time zone, regardless of daylight saving. */
export function countCalendarDays(from: Date, to: Date): number {
  const toUtcDay = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((toUtcDay(to) - toUtcDay(from)) / dayMs)
}

/** HH:mm for today, and for later by a clock that is wrong; otherwise relative such as '3 days ago'. */
export function formatUpdated(date: Date, now: Date): string {
  const days = countCalendarDays(date, now)
  if (days <= 0) return formatListTime(date)
  if (days < 30) return formatAgo(days, 'day')
  if (days < 365) return formatAgo(Math.floor(days / 30), 'month')
  return formatAgo(Math.floor(days / 365), 'year')
}

/** The heading of the group that a conversation is listed in: 'Today', 'Yesterday', 'Previous 7 days', or the month, with another year. */
export function formatDayGroup(date: Date, now: Date): string {
  const days = countCalendarDays(date, now)
  if (days <= 0) return t`Today`
  if (days === 1) return t`Yesterday`
  if (days <= 7) return t`Previous 7 days`
  return date.getFullYear() === now.getFullYear() ? formatMonth(date) : formatMonthAndYear(date)
}

/** Whether two timestamps in milliseconds fall on the same day of the reader's calendar. */
export const isSameDay = (a: number, b: number): boolean => countCalendarDays(new Date(a), new Date(b)) === 0

/** 'Today', 'Yesterday', or the date in the reader's locale, without the year if it is the current one. */
export function formatDay(date: Date, now: Date): string {
  const days = countCalendarDays(date, now)
  if (days === 0) return t`Today`
  if (days === 1) return t`Yesterday`
  return (date.getFullYear() === now.getFullYear() ? formatWeekdayAndDate : formatWeekdayAndFullDate)(date)
}
