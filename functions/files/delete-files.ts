import { DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { StoreUnavailable, type ObjectStore } from '../platform/object-store.ts'
import { originalKey, previewKey, textKey, type Attached } from './file-links.ts'

/** Where the bytes of a file arrive, before they are looked at. */
export const incomingKey = (sub: string, id: string) => `incoming/${sub}/${id}`
export const incomingPreviewKey = (sub: string, id: string) => `${incomingKey(sub, id)}-preview`

/** Everything that may lie in the store of one file. */
const keysOf = (sub: string, id: string) =>
  [originalKey, previewKey, textKey, incomingKey, incomingPreviewKey].map((keyOf) => keyOf(sub, id))

/** Files whose objects go with one request, which takes 1,000. */
const filesAtOnce = 200

/** @throws StoreUnavailable when one of them could not be deleted */
export async function discard({ client, bucket }: ObjectStore, keys: readonly string[]): Promise<void> {
  const command = new DeleteObjectsCommand({
    Bucket: bucket,
    Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
  })
  const { Errors: errors } = await client.send(command).catch((cause: unknown) => {
    throw new StoreUnavailable('objects could not be deleted', { cause })
  })
  if (errors?.length) throw new StoreUnavailable(`${errors.length} objects could not be deleted`)
}

/** Deletes a file: its objects first, so that what is left after a fault is still listed, and deleted again. @throws AttachmentNotFound */
export async function deleteFile({ files, store }: Attached, sub: string, id: string): Promise<void> {
  await files.find(sub, id)
  await discard(store, keysOf(sub, id))
  await files.remove(sub, id)
}

/**
 * Deletes the objects of all files of a user, of unfinished uploads too; the rows that name them are left to the caller. Can be
 * repeated.
 * @throws StoreUnavailable
 */
export async function deleteAllObjects({ files, store }: Attached, sub: string): Promise<void> {
  const ids = (await files.listAll(sub)).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += filesAtOnce)
    await discard(
      store,
      ids.slice(at, at + filesAtOnce).flatMap((id) => keysOf(sub, id)),
    )
}
