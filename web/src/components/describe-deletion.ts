import { t } from '@lingui/core/macro'
import { ApiError, getErrorMessage } from '../lib/api-errors.ts'
import { formatLongDate } from '../lib/dates.ts'

/** Tells until when an operator can restore deleted data. @param endAt ISO 8601 */
export const describeBackups = (endAt: string): string =>
  t`The database's own backups end on ${{ day: formatLongDate(new Date(endAt)) }}. Until then an operator could restore what was in it. Files and credentials have no backup.`

/** Tells why a deletion failed. Unless the server refused it, a part may be deleted already, so the text asks to try again. */
export function describeDeletionFailure(error: unknown): string {
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused
    ? getErrorMessage(error)
    : t`${{ problem: getErrorMessage(error) }} Try again to delete the rest.`
}
