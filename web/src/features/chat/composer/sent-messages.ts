import { createStore, useStore } from '../../../lib/browser/create-store.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'

const storageKey = 'juno.sent-messages'

/** Who has sent so many messages needs no hints any more. */
const maxHinted = 10

const sentCount = createStore(Number(readStored('local', storageKey)) || 0)

/** Counts a message that was sent from this browser. */
export function countSentMessage(): void {
  const count = sentCount.getState() + 1
  if (count > maxHinted) return
  sentCount.setState(count)
  writeStored('local', storageKey, String(count))
}

/** Whether hints are on the page: until ten messages were sent from this browser. */
export const useHints = (): boolean => useStore(sentCount) < maxHinted
