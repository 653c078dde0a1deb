import { removeStored, writeStored } from '../browser/storage.ts'
import { isTokenKey, readTokens } from './stored-tokens.ts'

/**
 * A change of the sign-in, in this tab or in another:
 * - `changed`: there are new tokens, of this user or of another, or the API refused a token for a claim that the page has not noticed
 * - `expired`: the tokens are no longer valid
 * - `revoked`: the API rejects tokens that the user pool would still refresh
 * - `disabled`: an administrator has disabled the account
 * - `signed-out`: the user chose to sign out, and none of their data may stay in this browser
 * - `ended`: the page has ended the sign-in, for whatever reason
 */
export type AuthEvent = 'changed' | 'expired' | 'revoked' | 'disabled' | 'signed-out' | 'ended'

/** Whether the user pool refuses an account because it is disabled. It says so only after the right password, or to a refresh. */
export const isAccountDisabled = (error: unknown): boolean =>
  error instanceof Error && error.name.startsWith('NotAuthorized') && /user is disabled/i.test(error.message)

const listeners = new Set<(event: AuthEvent) => void>()

/** Written when the user signs out. It tells other tabs why the tokens disappear, before they do: storage events keep their order. */
const signOutKey = 'juno.sign-out'

/** Calls back on each change of the sign-in, in this tab and in others. @returns unsubscribes */
export function onAuthEvent(listener: (event: AuthEvent) => void): () => void {
  listeners.add(listener)
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === signOutKey && newValue !== null) listener('signed-out')
    // removed ones may be those of a sign-in that another has replaced
    if (isTokenKey(key)) listener(readTokens() ? 'changed' : 'expired')
  }
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** Emits a change of the sign-in in this tab. Other tabs notice by themselves what happens to the tokens. */
export function emitAuthEvent(event: AuthEvent): void {
  for (const listener of listeners) listener(event)
}

/** Tells the other tabs that the user signs out. Call it before the tokens are removed. */
export function announceSignOut(): void {
  writeStored('local', signOutKey, String(Date.now()))
  removeStored('local', signOutKey)
}
