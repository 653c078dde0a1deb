import { t } from '@lingui/core/macro'
import { parseRefusal } from '#shared/sign-in-refusal.ts'
import { showToast } from '../../components/ui/toast.ts'
import { refusalKey } from '../../lib/stored-tokens.ts'
import { readStored, removeStored } from '../../lib/storage.ts'
import { createErrorDetails } from '../../lib/error-details.ts'
import { describeRefusal } from './auth-errors.ts'

/** Tells a user why the session has ended, if the user pool has refused the account. */
export function showAccountRefusal(): void {
  const reason = readStored('session', refusalKey)
  removeStored('session', refusalKey)
  if (reason === null) return
  const refusal = describeRefusal(reason)
  showToast('error', t`Signed out`, {
    id: 'account-refused',
    cause: createErrorDetails(parseRefusal(reason)?.code ?? 'account_refused'),
    ...(refusal && { description: refusal.userMessage }),
  })
}
