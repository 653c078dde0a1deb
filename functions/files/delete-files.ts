import { logger } from '../platform/telemetry/logger.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { AttachmentNotFound } from './errors.ts'
import { indexKey, originalKey, previewKey, textKey, type FileDeps } from './file-links.ts'
import type { StoredFile } from './file-row.ts'

/** Keys of an upload that has not been checked yet. */
export const incomingPrefix = (sub: string) => `incoming/${sub}/`
export const incomingKey = (sub: string, id: string) => `${incomingPrefix(sub)}${id}`
export const incomingPreviewKey = (sub: string, id: string) => `${incomingKey(sub, id)}-preview`

const finishedKeys = [originalKey, previewKey, textKey, indexKey]
const allKeys = [...finishedKeys, incomingKey, incomingPreviewKey]

/** Keys of all objects of a file. Of a finished file, the bucket's lifecycle rule deletes what is left of its upload. */
const listObjectKeys = (sub: string, { id, state }: Pick<StoredFile, 'id' | 'state'>) =>
  (state === 'ready' ? finishedKeys : allKeys).map((buildKey) => buildKey(sub, id))

/** Files per request: DeleteObjects takes 1,000 keys. */
const filesPerRequest = 200

async function deleteObjects(store: ObjectStore, sub: string, files: readonly StoredFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += filesPerRequest)
    await store.remove(files.slice(at, at + filesPerRequest).flatMap((file) => listObjectKeys(sub, file)))
}

/**
 * Deletes files: objects first, so that files left by an error are still listed and can be deleted again. Objects are deleted once more
 * after the rows, because a concurrent upload or analysis may have written some; later writers find no row and delete their objects.
 * @throws ObjectStoreUnavailable
 */
export async function deleteFiles(
  { files, store }: FileDeps,
  sub: string,
  filesToDelete: readonly StoredFile[],
) {
  await deleteObjects(store, sub, filesToDelete)
  await files.remove(
    sub,
    filesToDelete.map(({ id }) => id),
  )
  await deleteObjects(store, sub, filesToDelete).catch((error: unknown) =>
    logger.warn('objects that were written while their files were deleted may be left', { error }),
  )
}

/**
 * Saves the row of a file whose objects were just written. Without its row nothing would ever delete them, so they are deleted
 * if the row is gone.
 * @throws AttachmentNotFound if the file was deleted, what `saveRow` throws, ObjectStoreUnavailable
 */
export async function saveRowOrDelete(
  store: ObjectStore,
  keys: readonly string[],
  saveRow: () => Promise<unknown>,
): Promise<void> {
  try {
    await saveRow()
  } catch (error) {
    if (error instanceof AttachmentNotFound) await store.remove(keys)
    throw error
  }
}

/**
 * Deletes expired temporary files.
 * @param files those of the user
 * @returns whether any had expired
 * @throws ObjectStoreUnavailable
 */
export async function deleteExpiredFiles(
  fileDeps: FileDeps,
  sub: string,
  { files, nowMs }: { files: readonly StoredFile[]; nowMs: number },
): Promise<boolean> {
  const now = new Date(nowMs).toISOString()
  const expired = files.filter(({ expires_at = now }) => expires_at < now)
  if (expired.length > 0) await deleteFiles(fileDeps, sub, expired)
  return expired.length > 0
}

/** Deletes one file. @throws AttachmentNotFound, ObjectStoreUnavailable */
export async function deleteFile(fileDeps: FileDeps, sub: string, id: string): Promise<void> {
  await deleteFiles(fileDeps, sub, [await fileDeps.files.find(sub, id)])
}
