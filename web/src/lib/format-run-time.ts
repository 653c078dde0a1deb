import { t } from '@lingui/core/macro'
import { locale } from './locale.ts'

/** A time of a schedule by the clock of its zone: 'Mon, Nov 30, 8:00 AM'; with the year if it is another one. */
export function formatRunTime(iso: string, timeZone: string, now = new Date()): string {
  const date = new Date(iso)
  const formatIn = (zone: string) => {
    const format = (options: Intl.DateTimeFormatOptions, tag = locale, when = date) =>
      new Intl.DateTimeFormat(tag, { ...options, timeZone: zone }).format(when)
    const readYear = (when: Date) => format({ year: 'numeric' }, 'en', when)
    const isThisYear = readYear(date) === readYear(now)
    const day = format({
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...(!isThisYear && { year: 'numeric' }),
    })
    // as the rule has it: other options than a style would write the hour otherwise
    return t`${day}, ${{ time: format({ timeStyle: 'short' }) }}`
  }
  try {
    return formatIn(timeZone)
  } catch {
    // a newer zone than this browser knows
    return `${formatIn('UTC')} UTC`
  }
}
