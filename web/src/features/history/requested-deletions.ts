import { readStoredJson, writeStored } from '../../lib/browser/storage.ts'

const storageKey = 'requested-deletions'

/**
 * The ids of the conversations whose deletion this tab has requested without a response: a page that is reloaded meanwhile requests them
 * again, because the request may have been lost, or may be carried out after the new page has loaded its list.
 */
export function listRequestedDeletions(): string[] {
  const ids = readStoredJson('session', storageKey)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** Notes that a deletion has been requested. */
export function addRequestedDeletion(id: string): void {
  save([...listOthers(id), id])
}

/** Notes that the request for a deletion has a response. */
export function removeRequestedDeletion(id: string): void {
  save(listOthers(id))
}

const listOthers = (id: string) => listRequestedDeletions().filter((each) => each !== id)
const save = (ids: readonly string[]) => writeStored('session', storageKey, JSON.stringify(ids))
