import { t } from '@lingui/core/macro'
import { countCalendarDays } from './dates.ts'
import { locale } from './locale.ts'

/** Created when it is first used: that takes a phone 25 ms. */
let relativeTimeFormat: Intl.RelativeTimeFormat | undefined
const minuteMs = 60_000

/** How long ago something was, within a text: 'just now', '3 hours ago', 'yesterday'. */
export function formatAgo(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / minuteMs)
  if (minutes < 1) return t`just now`
  relativeTimeFormat ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (minutes < 60) return relativeTimeFormat.format(-minutes, 'minute')
  if (minutes < 24 * 60) return relativeTimeFormat.format(-Math.floor(minutes / 60), 'hour')
  // of the calendar: 'yesterday' is no length of time
  return relativeTimeFormat.format(-countCalendarDays(at, now), 'day')
}
