import { readStored, removeStored, writeStored } from './storage.ts'

const key = 'juno.tab'

/** Names this tab, for what is stored for it alone: the same after a reload, another one in a duplicate of the tab. */
export const tabId: string = readStored('session', key) ?? crypto.randomUUID()

/** The lock that a tab holds as long as it is open. */
export const tabLock = (id: string): string => `${key}.${id}`

let release: (() => void) | undefined

function begin(): void {
  // only the next page of this tab finds it: a duplicate copies what the tab has while it is open
  removeStored('session', key)
  const closed = new Promise<void>((resolve) => (release = resolve))
  // tests have no locks
  void navigator.locks?.request(tabLock(tabId), () => closed)
}

begin()
addEventListener('pagehide', () => {
  writeStored('session', key, tabId)
  // a page with locks is not put aside for Back
  release?.()
})
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) begin()
})
