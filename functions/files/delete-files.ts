import { logger } from '../platform/telemetry/logger.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { AttachmentNotFound } from './errors.ts'
import {
  indexKey,
  originalKey,
  picturesKey,
  previewKey,
  tablesKey,
  textKey,
  vectorsKey,
  versionKey,
  type FileDeps,
} from './file-links.ts'
import { isKept, type StoredFile } from './file-row.ts'

/** The file was deleted meanwhile. */
export const ignoreMissing = (error: unknown) => {
  if (!(error instanceof AttachmentNotFound)) throw error
}

/** Keys of an upload that has not been checked yet. */
export const incomingPrefix = (sub: string) => `incoming/${sub}/`
export const incomingKey = (sub: string, id: string) => `${incomingPrefix(sub)}${id}`
export const incomingPreviewKey = (sub: string, id: string) => `${incomingKey(sub, id)}-preview`

const finishedKeys = [originalKey, previewKey, textKey, indexKey, vectorsKey, picturesKey, tablesKey]
const allKeys = [...finishedKeys, incomingKey, incomingPreviewKey]

/** Keys of all objects of a file. Of a finished file, the bucket's lifecycle rule deletes what is left of its upload. */
const listObjectKeys = (
  sub: string,
  { id, state, versions = [] }: Pick<StoredFile, 'id' | 'state' | 'versions'>,
) => [
  ...(state === 'ready' ? finishedKeys : allKeys).map((buildKey) => buildKey(sub, id)),
  ...versions.map(({ version }) => versionKey(sub, id, version)),
]

const filesPerRequest = 110
/** That DeleteObjects takes. */
const keysPerRequest = 1_000

/**
 * Deletes the objects and rows of files whose deletion has begun: no writer finds their rows any more, so that later ones delete their own
 * objects.
 */
async function finishDeletion({ files, store }: FileDeps, sub: string, marked: readonly StoredFile[]) {
  for (let at = 0; at < marked.length; at += filesPerRequest) {
    const part = marked.slice(at, at + filesPerRequest)
    const keys = part.flatMap((file) => listObjectKeys(sub, file))
    for (let from = 0; from < keys.length; from += keysPerRequest)
      await store.remove(keys.slice(from, from + keysPerRequest))
    await files.remove(
      sub,
      part.map(({ id }) => id),
    )
  }
}

/** An owner may appear between reading and marking a file; more often than this, the file stays. */
const maxAttempts = 5
const filesAtOnce = 10

/** Marks a file as deleted if it has no other owners; else takes these off. @returns whether its deletion has begun */
async function release(
  { files }: FileDeps,
  sub: string,
  file: StoredFile,
  owners: ReadonlySet<string>,
): Promise<boolean> {
  let current: StoredFile | undefined = file
  for (let attempt = 1; current && attempt <= maxAttempts; attempt += 1) {
    if (!isKept(current)) return true
    const uses: readonly string[] = [...(current.used_in ?? [])]
    if (uses.some((use) => !owners.has(use))) {
      const released = uses.filter((use) => owners.has(use))
      for (const owner of released) await files.removeReference(sub, file.id, owner).catch(ignoreMissing)
      return false
    }
    if (await files.markDeleted(sub, file.id, { used_in: current.used_in })) return true
    current = await files.findAny(sub, file.id)
  }
  return false
}

/**
 * Takes owners off files, and deletes the files that have no other: each row is marked if its owners are still those that were read, then its
 * objects are deleted, then the row. Can be repeated.
 * @param owners conversations and projects, as `used_in` names them, that use the files no more
 * @throws ObjectStoreUnavailable
 */
export async function releaseFiles(
  fileDeps: FileDeps,
  sub: string,
  filesToRelease: readonly StoredFile[],
  owners: ReadonlySet<string>,
): Promise<void> {
  const marked: StoredFile[] = []
  for (let at = 0; at < filesToRelease.length; at += filesAtOnce)
    await waitForAll(
      filesToRelease.slice(at, at + filesAtOnce).map(async (file) => {
        if (await release(fileDeps, sub, file, owners)) marked.push(file)
      }),
    )
  await finishDeletion(fileDeps, sub, marked)
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
 * Deletes expired temporary files that nobody has begun to use, and files whose deletion was interrupted. Never throws: what is left goes the
 * next time.
 * @param files those of the user
 * @returns whether there were any
 */
export async function deleteExpiredFiles(
  fileDeps: FileDeps,
  sub: string,
  { files, nowMs }: { files: readonly StoredFile[]; nowMs: number },
): Promise<boolean> {
  const now = new Date(nowMs).toISOString()
  const expired = files.filter((file) => !isKept(file) || (file.expires_at ?? now) < now)
  try {
    const marked: StoredFile[] = []
    for (const file of expired)
      if (!isKept(file) || (await fileDeps.files.markDeleted(sub, file.id, { expires_at: file.expires_at })))
        marked.push(file)
    await finishDeletion(fileDeps, sub, marked)
  } catch (error) {
    logger.warn('expired files were not deleted', { error })
  }
  return expired.length > 0
}

/**
 * Deletes one file for its user, whatever uses it. Can be repeated after an error.
 * @throws AttachmentNotFound, ObjectStoreUnavailable
 */
export async function deleteFile(fileDeps: FileDeps, sub: string, id: string): Promise<void> {
  const file = await fileDeps.files.findAny(sub, id)
  if (!file || !(await fileDeps.files.markDeleted(sub, id))) throw new AttachmentNotFound(`no file ${id}`)
  await finishDeletion(fileDeps, sub, [file])
}
