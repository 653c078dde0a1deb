import { readStored, removeStored, writeStored } from './storage.ts'

const key = 'juno.tab'

/** Identifies this tab in storage: stable across reloads, different in a duplicate of the tab. */
export const tabId: string = readStored('session', key) ?? crypto.randomUUID()

/** The name of the lock that a tab holds while it is open. */
export const tabLockName = (id: string): string => `${key}.${id}`

let release: (() => void) | undefined

/** Holds the lock until the page is left. It tells other tabs that this one is open, and that what it has stored is not to be removed. */
function holdLock(): void {
  // a duplicate copies the storage of an open tab, so the id is stored only while the page unloads
  removeStored('session', key)
  const released = new Promise<void>((resolve) => (release = resolve))
  void navigator.locks.request(tabLockName(tabId), () => released)
}

holdLock()
addEventListener('pagehide', () => {
  writeStored('session', key, tabId)
  // a page that holds locks is not eligible for the back/forward cache
  release?.()
})
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) holdLock()
})
