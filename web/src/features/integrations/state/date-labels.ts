import { shortDate } from '../../../lib/dates.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** INT-09, DEC-079: how long ago the catalogue was filled: 'Never', 'Just now', '3h ago', '2d ago'. */
export function lastSyncLabel(lastSync: string | null | undefined, now: Date): string {
  const at = Date.parse(lastSync ?? '')
  if (Number.isNaN(at)) return 'Never'
  const age = now.getTime() - at
  if (age < hour) return 'Just now'
  return age < day ? `${Math.floor(age / hour)}h ago` : `${Math.floor(age / day)}d ago`
}

/** TOP-14, DEC-079: 'Connected Nov 3, 2026', 'Connected recently' without a date. */
export function connectedLabel(connectedAt: string | null | undefined): string {
  const at = Date.parse(connectedAt ?? '')
  return Number.isNaN(at) ? 'Connected recently' : `Connected ${shortDate(at)}`
}

/** INT-77, DEC-079: a date of the catalogue, 'Recently updated' where there is none that can be read. */
export function updatedLabel(updatedAt: string | null | undefined): string {
  const at = Date.parse(updatedAt ?? '')
  return Number.isNaN(at) ? 'Recently updated' : `Updated ${shortDate(at)}`
}
