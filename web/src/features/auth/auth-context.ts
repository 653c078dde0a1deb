import { createContext, use } from 'react'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import type { ToastMessage } from './hosted-ui.ts'

/** Why a session is over without the user: its tokens are no longer valid, the API has revoked the sign-in, or the account is disabled. */
export type EndReason = 'expired' | 'revoked' | 'disabled'

export interface SessionEnd {
  reason: EndReason
  /** by the clock of the service, milliseconds since 1970 */
  atMs: number
}

/** The state of the sign-in. `ended` is set when the session is over without the user, whom `RequireAuth` tells. */
export type AuthState =
  | { status: 'loading' }
  /** with `ended`: the page is still shown, but has no tokens any more */
  | { status: 'signed-in'; user: SignedInUser; ended?: SessionEnd | undefined }
  /** `isByUser`: by signing out, so that the next user does not return to this user's page */
  | { status: 'signed-out'; isByUser: boolean; ended?: SessionEnd | undefined }

/** How a sign-out ends. */
export interface SignOutOptions {
  /** the tokens are revoked already */
  isRevoked?: boolean
  /** shown after a success: `signedOutMessage` by default, null for none. A failure always has a toast */
  toast?: ToastMessage | null
}

/** The sign-in of the page, and what changes it. */
export interface Auth {
  state: AuthState
  /** reads again who is signed in */
  refresh: () => Promise<void>
  /** drops tokens that the service no longer accepts; after signing in again the user returns to the same page */
  expireSignIn: () => Promise<void>
  /** signs out in all tabs, and revokes the refresh token */
  signOut: (options?: SignOutOptions) => Promise<void>
}

/** Provided by `AuthProvider`. */
export const AuthContext = createContext<Auth | undefined>(undefined)

/** @throws outside an AuthProvider */
export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}
