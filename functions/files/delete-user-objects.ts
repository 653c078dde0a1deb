import { listKeys } from '../platform/s3/object-list.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { incomingPrefix } from './delete-files.ts'
import { publishedPrefix, queryResultPrefix, userPrefix } from './file-links.ts'

/**
 * Deletes every object of a user, also those without a row in the table. A module of its own: the chat function loads delete-files.ts
 * at its start, and listing objects loads the S3 client.
 * @param isTimeUp whether the function's time is up
 * @returns false if objects may be left: call it again
 * @throws ObjectStoreUnavailable
 */
export async function deleteUserObjects(
  store: ObjectStore,
  sub: string,
  isTimeUp: () => boolean,
): Promise<boolean> {
  for (const prefix of [userPrefix(sub), incomingPrefix(sub), queryResultPrefix(sub), publishedPrefix(sub)])
    for await (const keys of listKeys(store, prefix)) {
      await store.remove(keys)
      if (isTimeUp()) return false
    }
  return true
}
