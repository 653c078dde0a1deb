import { listKeys } from '../platform/s3/object-list.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { incomingPrefix } from './delete-files.ts'
import { userPrefix } from './file-links.ts'

// apart from delete-files.ts, which the chat loads at its start: listing loads the S3 client
/**
 * Deletes every object of a user, whether a row names it or not. Can be repeated.
 * @param isTimeUp whether the time of this call is used up
 * @returns false when the time was over before all were gone
 * @throws ObjectStoreUnavailable
 */
export async function deleteUserObjects(
  store: ObjectStore,
  sub: string,
  isTimeUp: () => boolean,
): Promise<boolean> {
  for (const prefix of [userPrefix(sub), incomingPrefix(sub)])
    for await (const keys of listKeys(store, prefix)) {
      await store.remove(keys)
      if (isTimeUp()) return false
    }
  return true
}
