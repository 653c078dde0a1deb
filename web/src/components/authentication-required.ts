import * as texts from './texts.ts'
import { showToast } from './ui/toast.ts'

/** Tells the user that they have to sign in again. One toast, because several calls may fail at once. */
export function showAuthenticationRequired(description: string): void {
  showToast('error', texts.authenticationRequired, { id: 'authentication-required', description })
}
