const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const hoursAndMinutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const month = new Intl.DateTimeFormat('en', { month: 'long' })
const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** Days of the calendar between two moments, in the reader's time zone, whatever the clocks did in between. */
function calendarDays(from: Date, to: Date): number {
  const noon = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((noon(to) - noon(from)) / day)
}

/** HIST-05: HH:mm today, otherwise relative such as '3 days ago'. */
export function updatedLabel(at: Date, now: Date): string {
  const days = calendarDays(at, now)
  if (days <= 0) return hoursAndMinutes.format(at)
  if (days < 30) return ago.format(-days, 'day')
  if (days < 365) return ago.format(-Math.floor(days / 30), 'month')
  return ago.format(-Math.floor(days / 365), 'year')
}

/** The heading that a conversation stands under. */
export function dayGroup(at: Date, now: Date): string {
  const days = calendarDays(at, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Previous 7 days'
  return (at.getFullYear() === now.getFullYear() ? month : monthAndYear).format(at)
}

/** Whether two moments, in milliseconds since 1970, lie in the same day of the reader's calendar. */
export const isSameDay = (one: number, other: number): boolean =>
  calendarDays(new Date(one), new Date(other)) === 0

/** A day: 'Today', 'Yesterday', or its date in the reader's own way of writing it, without the year if it is this one. */
export function formatDay(at: Date, now: Date): string {
  const days = calendarDays(at, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return at.toLocaleDateString(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  })
}

/** The whole date and time, in the reader's own way of writing it. */
export const fullTime = (at: Date): string => full.format(at)
