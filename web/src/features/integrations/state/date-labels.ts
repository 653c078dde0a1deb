import { t } from '@lingui/core/macro'
import { formatDate, formatDateTime } from '../../../lib/text/dates.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Age of the catalogue: 'Never' without a valid date, 'Just now' within an hour, '3h ago', '2d ago'. */
export function formatLastSync(lastSync: string | null | undefined, now: Date): string {
  const at = Date.parse(lastSync ?? '')
  if (Number.isNaN(at)) return t`Never`
  const age = now.getTime() - at
  if (age < hourMs) return t`Just now`
  return age < dayMs
    ? t`${{ hours: Math.floor(age / hourMs) }}h ago`
    : t`${{ days: Math.floor(age / dayMs) }}d ago`
}

/** 'Connected Nov 3, 2026', or 'Connected recently' without a date. */
export function formatConnected(connectedAt: string | null | undefined): string {
  const at = Date.parse(connectedAt ?? '')
  return Number.isNaN(at) ? t`Connected recently` : t`Connected ${{ day: formatDate(at) }}`
}

/** The day and time beside an age or a day, for a tooltip; undefined without a valid date. */
export function formatMoment(moment: string | null | undefined): string | undefined {
  const at = Date.parse(moment ?? '')
  return Number.isNaN(at) ? undefined : formatDateTime(at)
}

/** 'Updated Nov 3, 2026', or 'Recently updated' without a valid date. */
export function formatCatalogueUpdate(updatedAt: string | null | undefined): string {
  const at = Date.parse(updatedAt ?? '')
  return Number.isNaN(at) ? t`Recently updated` : t`Updated ${{ day: formatDate(at) }}`
}
