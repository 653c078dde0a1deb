import { t } from '@lingui/core/macro'
import { showToast } from './ui/toast.ts'

/** Tells the user that they have to sign in again. One toast, because several calls may fail at once. */
export function showAuthenticationRequired(description: string, cause: unknown): void {
  showToast('error', t`Authentication Required`, { id: 'authentication-required', description, cause })
}
