import type { QuietHours } from '#shared/contracts/account.ts'

/** Whether it is a quiet hour; `to` is the first minute that is not. */
export function isQuiet({ from, to, time_zone }: QuietHours, nowMs: number): boolean {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(nowMs)
  return from <= to ? from <= time && time < to : from <= time || time < to
}
