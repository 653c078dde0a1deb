import { t } from '@lingui/core/macro'
import { formatDate } from '../../../lib/dates.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** Age of the catalogue: 'Never', 'Just now', '3h ago', '2d ago'. */
export function formatLastSync(lastSync: string | null | undefined, now: Date): string {
  const at = Date.parse(lastSync ?? '')
  if (Number.isNaN(at)) return t`Never`
  const age = now.getTime() - at
  if (age < hour) return t`Just now`
  return age < day ? t`${{ hours: Math.floor(age / hour) }}h ago` : t`${{ days: Math.floor(age / day) }}d ago`
}

/** 'Connected Nov 3, 2026', or 'Connected recently' without a date. */
export function formatConnected(connectedAt: string | null | undefined): string {
  const at = Date.parse(connectedAt ?? '')
  return Number.isNaN(at) ? t`Connected recently` : t`Connected ${{ day: formatDate(at) }}`
}

/** 'Updated Nov 3, 2026', or 'Recently updated' without a valid date. */
export function formatCatalogueUpdate(updatedAt: string | null | undefined): string {
  const at = Date.parse(updatedAt ?? '')
  return Number.isNaN(at) ? t`Recently updated` : t`Updated ${{ day: formatDate(at) }}`
}
