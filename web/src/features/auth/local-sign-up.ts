import { foldEmail } from '#shared/user-pool.ts'
import { readStoredJson, removeStored, writeStored } from '../../lib/browser/storage.ts'

/** Where the address that was signed up in this browser is stored until it is confirmed. */
const storageKey = 'juno.sign-up'
/** A day: as long as the code in the e-mail is valid. */
const lifetimeMs = 86_400_000

/** Records that the user of this browser knows the password of an unconfirmed account. */
export function saveLocalSignUp(email: string): void {
  writeStored('local', storageKey, JSON.stringify({ email: foldEmail(email), at: Date.now() }))
}

/**
 * Whether the account was signed up in this browser. Otherwise the confirmation link must not activate a password that somebody else chose.
 */
export function isLocalSignUp(email: string): boolean {
  const stored = readStoredJson('local', storageKey)
  if (typeof stored !== 'object' || stored === null) return false
  const { email: storedEmail, at } = stored as { email?: unknown; at?: unknown }
  return storedEmail === foldEmail(email) && typeof at === 'number' && Date.now() - at < lifetimeMs
}

/** Removes the record, once the account is confirmed. */
export const removeLocalSignUp = (): void => removeStored('local', storageKey)

/** Calls back when another tab has confirmed the account. @returns unsubscribes */
export function onLocalSignUpConfirmed(email: string, listener: () => void): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // removed by the other tab, for this address
    if (key === storageKey && newValue === null && oldValue?.includes(JSON.stringify(foldEmail(email))))
      listener()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
