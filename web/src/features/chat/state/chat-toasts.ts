import { t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { showToast } from '../../../components/ui/toast.ts'

/** Shows a toast that a message is too long to be sent. */
export function notifyTooLong(): void {
  showToast('warning', t`This message is too long`, {
    id: 'too-long',
    description: t`A message can have up to ${{ max: formatCount(maxMessageCharacters) }} characters.`,
  })
}

/** Shows a toast that a reply could not be stopped. */
export const notifyNotStopped = (cause: unknown) =>
  showToast('error', t`Chat Error`, {
    description: t`The reply could not be stopped. Please try again.`,
    cause,
  })
