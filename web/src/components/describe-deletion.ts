import { t } from '@lingui/core/macro'
import { ApiError, getErrorMessage } from '../lib/api/api-errors.ts'
import { formatLongDate } from '../lib/text/dates.ts'

/** Tells until when an operator can restore deleted data, as far as the service knows of backups. @param endAt ISO 8601 */
export const describeBackups = (endAt: string): string =>
  t`The database's own backups end on ${{ day: formatLongDate(new Date(endAt)) }}. Until then an operator could restore what was in it. Files are not in them. Backups that the operator may have made elsewhere stay as they are: ask to be removed from them.`

/** Tells why a deletion failed. Unless the server refused it, a part may be deleted already, so the text asks to try again. */
export function describeDeletionFailure(error: unknown): string {
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused
    ? getErrorMessage(error)
    : t`${{ problem: getErrorMessage(error) }} Try again to delete the rest.`
}
