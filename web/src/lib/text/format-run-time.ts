import { t } from '@lingui/core/macro'
import { locale } from './locale.ts'

/**
 * A time of a schedule by the clock of its zone: 'Mon, Nov 30, 8:00 AM'; with the year if it is not the current one.
 * @param at ISO 8601, or milliseconds since 1970
 */
export function formatRunTime(at: string | number, timeZone: string): string {
  const date = new Date(at)
  try {
    return formatInZone(date, timeZone)
  } catch {
    // a newer zone than this browser knows
    return `${formatInZone(date, 'UTC')} UTC`
  }
}

function formatInZone(date: Date, timeZone: string): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone })
  const isThisYear = year.format(date) === year.format(new Date())
  const day = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone,
  }).format(date)
  // formatted alone, as in the rule of the schedule (`describeRule`): with the day, some locales write the hour differently
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(date)
  return t`${day}, ${time}`
}
