import { t } from '@lingui/core/macro'
import { showToast } from '../../components/ui/toast.ts'
import { refusalKey } from '../../lib/auth-tokens.ts'
import { describeRefusal } from './auth-errors.ts'
import * as errorTexts from './error-texts.ts'

/** Tells a user whose account was refused why the session has ended, and how to sign in instead. */
export function showAccountRefusal(): void {
  const reason = sessionStorage.getItem(refusalKey)
  sessionStorage.removeItem(refusalKey)
  if (reason === null) return
  const description = describeRefusal(reason) ?? errorTexts.passwordsOff
  showToast('error', t`Signed out`, { id: 'account-refused', description })
}
