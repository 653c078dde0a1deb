import { foldEmail } from '#shared/user-pool.ts'
import { readStoredJson, removeStored, writeStored } from '../../lib/storage.ts'

/** The account whose password was chosen, or shown to be known, in this browser; until it is confirmed. */
const storageKey = 'juno.sign-up'
/** A mailed code lives as long. */
const lifetimeMs = 86_400_000

/** Remembers that the person at this browser knows the password of an account that is not confirmed yet. */
export function saveLocalSignUp(email: string): void {
  writeStored('local', storageKey, JSON.stringify({ email: foldEmail(email), at: Date.now() }))
}

/** Whether the account was signed up here. Another's password must not become the owner's by a click on the mailed link. */
export function isLocalSignUp(email: string): boolean {
  const stored = readStoredJson('local', storageKey)
  if (typeof stored !== 'object' || stored === null) return false
  const { email: own, at } = stored as { email?: unknown; at?: unknown }
  return own === foldEmail(email) && typeof at === 'number' && Date.now() - at < lifetimeMs
}

export const removeLocalSignUp = (): void => removeStored('local', storageKey)
