import { syncSessionStorage } from '@aws-amplify/core'

/**
 * Amplify would keep the state of a sign-in, with the session that answers a challenge, in the tab's storage. It stays in memory: a reload
 * goes back to the password.
 */
const values = new Map<string, string>()

Object.assign(syncSessionStorage, {
  setItem: (key, value) => void values.set(key, value),
  getItem: (key) => values.get(key) ?? null,
  removeItem: (key) => void values.delete(key),
  clear: () => values.clear(),
} satisfies Pick<Storage, 'setItem' | 'getItem' | 'removeItem' | 'clear'>)
