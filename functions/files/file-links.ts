import type { Attachment, Reading } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import type { BaseFileRepository } from './base-file-repository.ts'
import type { FileRepository } from './file-repository.ts'
import { disposition } from './file-name.ts'
import { isRead, type StoredFile } from './file-row.ts'
import type { StartReading } from './start-reading.ts'

/** The repository of files, and the bucket with their contents. */
export interface FileDeps<Files = BaseFileRepository> {
  files: Files
  store: ObjectStore
}

/** For code that reads messages, which name many files at once. */
export type MessageFileDeps = FileDeps<FileRepository>

/** For code that has documents read, too. */
export type ReadingFileDeps = MessageFileDeps & {
  startReading: StartReading
  /** of the reply that is written; without it documents are waited for as `waitLimitsMs.readingAgain` says */
  readingWait?: ReadingWait
}

/** How a reply waits for documents that are being read: once, whatever part of its prompt needs them. */
export interface ReadingWait {
  /** by the clock of `performance.now` */
  endsAtMs: number
  /** ends it */
  signal: AbortSignal
  /** called for each document that is read, and before for one that is waited for */
  onReading: (file: StoredFile) => void
}

/** Key of a finished file, in the user's folder. */
export const userPrefix = (sub: string) => `users/${sub}/`
export const originalKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/original`
export const previewKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/preview`
/** an earlier version of a made file; the newest is the original */
export const versionKey = (sub: string, id: string, version: number) =>
  `${userPrefix(sub)}${id}/version-${version}`
/** the whole text that an analysis extracted */
export const textKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/text`

/** what a search of the text reads */
export const indexKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/search`

/** what a search by meaning compares */
export const vectorsKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/vectors`

/** pictures of pages without text */
export const picturesKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/pages`

/** the database of its tables, with the version of its format */
export const tablesKey = (sub: string, id: string) => `${userPrefix(sub)}${id}/tables-1`

/** Folder of what a user has published: the texts of assistants. */
export const publishedPrefix = (publisher: string) => `published/${publisher}/`

/** Folder of the pictures of an assistant. Others read their links, which do not tell the publisher's id. */
export const publishedPicturePrefix = (assistantId: string) => `published/pictures/${assistantId}/`

/** Folder of the results of queries that a user has downloaded; a lifecycle rule deletes them one to two days later. */
export const queryResultPrefix = (sub: string) => `exports/${sub}/`

/** The id in a link to a file of this user. Links are parsed, never fetched. */
export function parseLinkedId(sub: string, url: string | null | undefined): string | undefined {
  const path = URL.parse(url ?? '')?.pathname ?? ''
  const [, owner, id] = /\/users\/([^/]+)\/([A-Za-z0-9_-]{1,64})\/original$/.exec(path) ?? []
  return owner === sub ? id : undefined
}

/**
 * Types that a browser may show. Any other could run scripts, such as `video/svg+xml`, and is downloaded. Audio and video as browsers declare
 * them for the extensions of shared/file-kinds.ts.
 */
const passiveTypes = new Set([
  'application/pdf',
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((type) => `image/${type}`),
  ...['aac', 'flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'ogg', 'opus', 'vnd.wave', 'wav', 'wave', 'webm'].map(
    (type) => `audio/${type}`,
  ),
  ...['x-aac', 'x-flac', 'x-m4a', 'x-wav'].map((type) => `audio/${type}`),
  ...['matroska', 'mp4', 'mpeg', 'ogg', 'quicktime', 'webm'].map((type) => `video/${type}`),
  ...['x-m4v', 'x-matroska', 'x-msvideo'].map((type) => `video/${type}`),
])

const downloadType = 'application/octet-stream'

/** Signs a link that saves the original of a file, whatever its type. */
export function createDownloadLink(
  store: ObjectStore,
  sub: string,
  { id, name }: StoredFile,
  key = originalKey(sub, id),
): Promise<string> {
  return store.signLink(key, {
    type: downloadType,
    disposition: disposition('attachment', name),
  })
}

/** A link that shows the file if that is safe, and downloads it otherwise. */
export function createViewLink(
  store: ObjectStore,
  sub: string,
  file: StoredFile,
  key = originalKey(sub, file.id),
): Promise<string> {
  if (!passiveTypes.has(file.type)) return createDownloadLink(store, sub, file, key)
  return store.signLink(key, {
    type: file.type,
    disposition: disposition('inline', file.name),
  })
}

/** Signs a link that shows the preview of a file. @returns undefined for a file without one */
export async function createPreviewLink(store: ObjectStore, sub: string, { id, name, preview }: StoredFile) {
  if (!preview) return undefined
  return store.signLink(previewKey(sub, id), { type: preview.type, disposition: disposition('inline', name) })
}

/** Whether a document was read; undefined for a file that is none. */
export function toReading(file: StoredFile): Reading | undefined {
  if (!isDocument(file)) return undefined
  const { reading } = file
  if (!reading || !isRead(file)) return { state: 'pending' }
  const { status, note, codes } = reading
  return { state: status === 'failed' ? 'unreadable' : 'read', note, ...(codes && { codes }) }
}

/** The file as messages store it, without links, which expire. */
export function toAttachment(sub: string, file: StoredFile): Attachment {
  const { id, name, type, size, is_generated, prompt, integration, versions } = file
  const reading = toReading(file)
  return {
    id,
    name,
    type,
    size,
    storage_path: originalKey(sub, id),
    ...(is_generated && { isGenerated: true }),
    ...(prompt !== undefined && { prompt }),
    ...(integration !== undefined && { integration }),
    ...(versions && { versions }),
    ...(reading && { reading }),
  }
}

/** The key of a version of a made file. @returns undefined if it has none such */
export function findVersionKey(
  sub: string,
  { id, versions }: StoredFile,
  version: number,
): string | undefined {
  const newest = versions?.at(-1)?.version
  if (newest === undefined || !versions?.some((one) => one.version === version)) return undefined
  return version === newest ? originalKey(sub, id) : versionKey(sub, id, version)
}

/** The file with fresh links. @param version of a made file, that a message has; else the newest */
export async function toLinkedAttachment(
  store: ObjectStore,
  sub: string,
  file: StoredFile,
  version?: number,
): Promise<Attachment> {
  if (file.state !== 'ready') return toAttachment(sub, file)
  const key = version === undefined ? undefined : findVersionKey(sub, file, version)
  const [url, previewUrl] = await Promise.all([
    createViewLink(store, sub, file, key),
    createPreviewLink(store, sub, file),
  ])
  const made = key === undefined ? undefined : file.versions?.find((one) => one.version === version)
  return {
    ...toAttachment(sub, file),
    ...(made && { version: made.version, size: made.size }),
    url,
    ...(previewUrl !== undefined && { previewUrl }),
  }
}

/**
 * Adds new links to the attachments of messages. A deleted file keeps its name, is marked, and has no link.
 */
export async function addLinks<M extends { attachments: Attachment[] }>(
  { files, store }: FileDeps<Pick<FileRepository, 'findMany'>>,
  sub: string,
  messages: readonly M[],
): Promise<M[]> {
  const ids = messages.flatMap(({ attachments }) => attachments.map(({ id }) => id))
  if (ids.length === 0) return [...messages]
  const found = await files.findMany(sub, ids)
  return Promise.all(
    messages.map(async (message) => ({
      ...message,
      attachments: await Promise.all(
        message.attachments.map(async (attachment) => {
          const file = found.get(attachment.id)
          return file
            ? toLinkedAttachment(store, sub, file, attachment.version)
            : { ...attachment, isDeleted: true }
        }),
      ),
    })),
  )
}
