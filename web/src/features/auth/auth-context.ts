import { createContext, use } from 'react'
import type { SignedInUser } from '../../lib/auth-tokens.ts'
import type { ToastMessage } from './hosted-ui.ts'

/** AUTH-13: loading, then signed in or signed out. */
export type AuthState =
  | { status: 'loading' }
  | { status: 'signed-in'; user: SignedInUser }
  /** `left`: by signing out, so that the next one to sign in does not land where the last one was */
  | { status: 'signed-out'; isByUser: boolean }

export interface SignOutOptions {
  /** the service has ended the session already */
  isRevoked?: boolean
  /** what to say when it is done; null for nothing */
  message?: ToastMessage | null
}

export interface Auth {
  state: AuthState
  /** reads the session again, after a sign-in */
  refresh: () => Promise<void>
  /** forgets a session that the service no longer accepts; the page one was on comes back after signing in again (DEC-017) */
  expireSignIn: () => Promise<void>
  /** signs out here at once, in all tabs, then tells the service; toasts which of the two happened (DEC-031) */
  signOut: (options?: SignOutOptions) => Promise<void>
}

export const AuthContext = createContext<Auth | undefined>(undefined)

/** @throws outside an AuthProvider (AUTH-36) */
export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}
