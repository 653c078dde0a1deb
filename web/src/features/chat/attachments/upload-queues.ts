import type { Attachment } from '#shared/contracts/files.ts'
import { readDraftList, saveDraft } from '../../../lib/input/drafts.ts'
import { onAuthEvent } from '../../../lib/api/auth-events.ts'
import { type ChosenFile, createUploadQueue, type SavedFile, type UploadQueue } from './upload-queue.ts'

/** The upload queues of all drafts. They outlive the components, so that uploads continue while another conversation or page is shown. */
export interface UploadQueues {
  /**
   * The queue of a draft: the same one until `discard`, so that a file that is still being chosen, such as a screenshot, can be added later.
   * @param draftKey identifies the user and the conversation
   */
  get: (draftKey: string) => UploadQueue
  /** Aborts the uploads of a draft and removes its files. */
  discard: (draftKey: string) => void
  /** whether any draft has files that wait or are being uploaded */
  isUploading: () => boolean
}

/** Uploads a file, or has the service copy it. The code of uploads is loaded with the first file. */
const upload = async (file: ChosenFile, onProgress: (share: number) => void, signal: AbortSignal) => {
  if ('copy' in file) {
    onProgress(1)
    return file.copy(signal)
  }
  const { uploadFile } = await import('./upload-file.ts')
  return uploadFile(file, onProgress, signal)
}

let current: UploadQueues | undefined

/** The queues of the signed-in user. Signing out aborts their uploads and drops them. */
export function getCurrentUploadQueues(): UploadQueues {
  if (current) return current
  const queues = createUploadQueues()
  current = queues
  const unsubscribe = onAuthEvent((event) => {
    if (event !== 'ended' && event !== 'signed-out') return
    unsubscribe()
    queues.closeAll()
    current = undefined
  })
  return queues
}

function createUploadQueues(): UploadQueues & { closeAll: () => void } {
  const queues = new Map<string, UploadQueue>()
  return {
    get(draftKey) {
      const existing = queues.get(draftKey)
      if (existing) return existing
      const queue = createUploadQueue({
        upload,
        restored: readSavedFiles(draftKey),
        onChange(files) {
          const saved = files.map((file) => ('id' in file ? withoutLinks(file) : file))
          saveDraft(draftKey, 'files', saved)
          import('./follow-readings.ts').then(
            ({ followReadings }) => followReadings(queue),
            () => undefined,
          )
        },
      })
      queues.set(draftKey, queue)
      return queue
    },
    discard(draftKey) {
      queues.get(draftKey)?.close()
      queues.delete(draftKey)
    },
    closeAll() {
      for (const queue of queues.values()) queue.close()
      queues.clear()
    },
    isUploading: () =>
      [...queues.values()].some((queue) =>
        queue.files.getState().some(({ status }) => status !== 'ready' && status !== 'failed'),
      ),
  }
}

/** The part of a file that is saved: links expire. */
export function withoutLinks({ id, name, type, size, isDeleted }: Attachment): Attachment {
  return { id, name, type, size, ...(isDeleted && { isDeleted }) }
}

/** The files that were saved with a draft. */
export const readSavedFiles = (draftKey: string): SavedFile[] =>
  readDraftList(draftKey, 'files').filter((file): file is SavedFile =>
    isStoredFile({ id: '', ...(file as Partial<Attachment> | null) }),
  )

/** Validates a file read from browser storage. */
export function isStoredFile(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, type, size, isDeleted = false } = value as Record<string, unknown>
  return (
    [id, name, type].every((field) => typeof field === 'string') &&
    typeof size === 'number' &&
    typeof isDeleted === 'boolean'
  )
}
