import { formatDate } from '../../../lib/dates.ts'
import * as texts from './date-texts.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** Age of the catalogue: 'Never', 'Just now', '3h ago', '2d ago'. */
export function formatLastSync(lastSync: string | null | undefined, now: Date): string {
  const at = Date.parse(lastSync ?? '')
  if (Number.isNaN(at)) return texts.never
  const age = now.getTime() - at
  if (age < hour) return texts.justNow
  return age < day ? texts.hoursAgo(Math.floor(age / hour)) : texts.daysAgo(Math.floor(age / day))
}

/** 'Connected Nov 3, 2026', or 'Connected recently' without a date. */
export function formatConnected(connectedAt: string | null | undefined): string {
  const at = Date.parse(connectedAt ?? '')
  return Number.isNaN(at) ? texts.connectedRecently : texts.connectedOn(formatDate(at))
}

/** 'Updated Nov 3, 2026', or 'Recently updated' without a valid date. */
export function formatCatalogueUpdate(updatedAt: string | null | undefined): string {
  const at = Date.parse(updatedAt ?? '')
  return Number.isNaN(at) ? texts.recentlyUpdated : texts.updatedOn(formatDate(at))
}
