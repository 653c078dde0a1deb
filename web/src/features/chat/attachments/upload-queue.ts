import { plural, t } from '@lingui/core/macro'
import type { Attachment } from '#shared/contracts/files.ts'
import { fileKind } from '#shared/file-kinds.ts'
import { maxFilesPerMessage } from '#shared/limits.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { createStore, type Store } from '../../../lib/browser/create-store.ts'
import { validateFile } from './file-limits.ts'
import { isRefused } from './send-blocker.ts'

/** A file in the composer. */
export interface DraftAttachment {
  /** assigned by this page; the stored file has its own id */
  key: string
  name: string
  type: string
  size: number
  status: 'waiting' | 'uploading' | 'checking' | 'ready' | 'failed'
  /** 0 to 1, the share of bytes sent */
  progress: number
  /** why it failed, as shown to the user */
  error?: string | undefined
  cause?: unknown
  /** whether a retry can help */
  canRetry?: boolean | undefined
  /** the page was closed during its upload, so it has to be attached again */
  isLost?: true
  /** an object URL */
  thumbnail?: string
  /** set once it is stored */
  attachment?: Attachment
}

/** A file that the service fetches itself, such as one of a drive. */
export interface RemoteFile {
  name: string
  type: string
  /** bytes; absent when they are known only afterwards */
  size?: number
  /** @throws an error for `getErrorMessage`, or the reason of the signal */
  copy: (signal: AbortSignal) => Promise<Attachment>
}

/** A file that the user has chosen. */
export type ChosenFile = File | RemoteFile

interface RejectedFile {
  name: string
  reason: string
}

/** A file of a draft as it is saved: a stored one, or what is known of one whose upload is not finished. */
export type SavedFile = Attachment | Pick<Attachment, 'name' | 'type' | 'size'>

/** The files of one draft, from the moment they are chosen until they are sent. */
export interface UploadQueue {
  readonly files: Store<readonly DraftAttachment[]>
  /** aborted when the queue is closed */
  readonly signal: AbortSignal
  /** Changes a file that is still in it. */
  update: (key: string, changes: Partial<DraftAttachment>) => void
  /** Adds files and starts their uploads; a closed queue ignores them. @returns the rejected files with reasons; they are not uploaded */
  add: (files: readonly ChosenFile[]) => RejectedFile[]
  /** Appends files of a saved draft. @returns false when they exceed the limit or the queue is closed; none is added then */
  addSaved: (files: readonly SavedFile[]) => boolean
  retry: (key: string) => void
  /** Removes a file and aborts its upload. */
  remove: (key: string) => void
  /** Removes all files and aborts their uploads. */
  clear: () => void
  /** Aborts all uploads and removes all files. */
  close: () => void
}

interface UploadQueueOptions {
  upload: (file: ChosenFile, onProgress: (share: number) => void, signal: AbortSignal) => Promise<Attachment>
  /** files from before a reload */
  restored: readonly SavedFile[]
  /** called with the files of the draft when one comes, is stored, or goes */
  onChange: (files: readonly SavedFile[]) => void
}

/** More would leave the page, and the uploads before them, little of the connection. */
const maxParallelUploads = 3

/** Creates the queue of a draft. */
export function createUploadQueue({ upload, restored, onChange }: UploadQueueOptions): UploadQueue {
  const store = createStore<readonly DraftAttachment[]>(restored.map(toDraftAttachment))
  const closing = new AbortController()

  const setFiles = (next: readonly DraftAttachment[]) => {
    const before = JSON.stringify(listSaved(store.getState()))
    const saved = listSaved(next)
    store.setState(next)
    if (!closing.signal.aborted && before !== JSON.stringify(saved)) onChange(saved)
  }
  const updateFile = (key: string, changes: Partial<DraftAttachment>) =>
    setFiles(store.getState().map((file) => (file.key === key ? { ...file, ...changes } : file)))

  const uploader = createUploader(upload, store, updateFile)
  const release = (file: DraftAttachment) => {
    uploader.cancel(file.key)
    if (file.thumbnail !== undefined) URL.revokeObjectURL(file.thumbnail)
  }
  const removeAll = () => {
    for (const file of store.getState()) release(file)
    setFiles([])
  }

  return {
    files: store,
    signal: closing.signal,

    update: updateFile,

    add(chosen) {
      // a file that was still being chosen at the sign-out would be uploaded for the next user
      if (closing.signal.aborted) return []
      const rejectedFiles: RejectedFile[] = []
      // one that was lost is attached again
      const files = store
        .getState()
        .filter(({ isLost, name }) => !isLost || !chosen.some((file) => file.name === name))
      const addedFiles: DraftAttachment[] = []
      for (const file of chosen) {
        const isFull = files.length + addedFiles.length >= maxFilesPerMessage
        const reason = isFull ? describeFileLimit() : validateFile(file)
        if (reason !== undefined) {
          rejectedFiles.push({ name: file.name, reason })
          continue
        }
        const added = toWaitingAttachment(file)
        uploader.sources.set(added.key, file)
        addedFiles.push(added)
      }
      if (addedFiles.length > 0) setFiles([...files, ...addedFiles])
      uploader.startNext()
      return rejectedFiles
    },

    addSaved(saved) {
      if (closing.signal.aborted) return false
      const files = store.getState()
      if (files.length + saved.length > maxFilesPerMessage) return false
      setFiles([...files, ...saved.map(toDraftAttachment)])
      return true
    },

    retry(key) {
      const file = store.getState().find((each) => each.key === key)
      if (file?.status !== 'failed' || !uploader.sources.has(key)) return
      updateFile(key, {
        status: 'waiting',
        progress: 0,
        error: undefined,
        cause: undefined,
        canRetry: undefined,
      })
      uploader.startNext()
    },

    remove(key) {
      const file = store.getState().find((each) => each.key === key)
      if (!file) return
      release(file)
      setFiles(store.getState().filter((each) => each.key !== key))
      uploader.startNext()
    },

    clear: removeAll,

    close() {
      closing.abort()
      removeAll()
    },
  }
}

/**
 * Uploads the waiting files of a queue in order, some at a time, and updates them there.
 * @returns `sources`: what is uploaded, by the key of the file, until it is stored; `cancel` aborts the upload of a file and forgets its source
 */
function createUploader(
  upload: UploadQueueOptions['upload'],
  files: Store<readonly DraftAttachment[]>,
  updateFile: (key: string, changes: Partial<DraftAttachment>) => void,
) {
  const sources = new Map<string, ChosenFile>()
  const running = new Map<string, AbortController>()

  const startNext = () => {
    for (const { key, status } of files.getState()) {
      if (running.size >= maxParallelUploads) return
      const source = sources.get(key)
      if (status === 'waiting' && source && !running.has(key)) void start(key, source)
    }
  }
  const start = async (key: string, source: ChosenFile) => {
    const controller = new AbortController()
    const { signal } = controller
    running.set(key, controller)
    updateFile(key, { status: 'uploading', progress: 0 })
    const showProgress = (progress: number) => {
      if (!signal.aborted) updateFile(key, progress >= 1 ? { status: 'checking', progress: 1 } : { progress })
    }
    try {
      const attachment = await upload(source, showProgress, signal)
      if (signal.aborted) return
      sources.delete(key)
      const { name, type, size } = attachment
      // the server knows the type by the content, and what a document of another service has become
      updateFile(key, { status: 'ready', progress: 1, attachment, name, type, size })
      announce(t`${name} is attached`)
    } catch (error) {
      if (!signal.aborted)
        updateFile(key, { status: 'failed', cause: error, ...describeUploadFailure(error) })
    } finally {
      if (running.get(key) === controller) running.delete(key)
      startNext()
    }
  }

  const cancel = (key: string) => {
    running.get(key)?.abort()
    running.delete(key)
    sources.delete(key)
  }
  return { sources, startNext, cancel }
}

/** The stored files, in order. */
export const findStored = (files: readonly DraftAttachment[]): Attachment[] =>
  files.flatMap(({ attachment }) => (attachment ? [attachment] : []))

const describeFileLimit = () =>
  plural(
    { max: maxFilesPerMessage },
    { one: 'A message can have up to # file.', other: 'A message can have up to # files.' },
  )

const toWaitingAttachment = (file: ChosenFile): DraftAttachment => ({
  key: crypto.randomUUID(),
  name: file.name,
  type: file.type,
  size: file.size ?? 0,
  status: 'waiting',
  progress: 0,
  ...(file instanceof File && fileKind(file) === 'image' && { thumbnail: URL.createObjectURL(file) }),
})

function toDraftAttachment(file: SavedFile): DraftAttachment {
  const { name, type, size } = file
  if ('id' in file) return { key: file.id, name, type, size, status: 'ready', progress: 1, attachment: file }
  return { key: crypto.randomUUID(), name, type, size, status: 'failed', progress: 0, isLost: true }
}

/** The files to save. One that was refused is not attached again. */
const listSaved = (files: readonly DraftAttachment[]): SavedFile[] =>
  files.flatMap((file) => {
    const { attachment, name, type, size } = file
    return attachment ?? (isRefused(file) ? [] : { name, type, size })
  })

/** Says why an upload failed, and whether a retry can help. */
function describeUploadFailure(error: unknown): { error: string; canRetry: boolean } {
  if (error instanceof ApiError) {
    const { status, code, userMessage } = error
    // 409: the upload has not reached the store, or the server is still checking it
    return { error: userMessage, canRetry: status >= 500 || status === 409 || code === 'too_many_requests' }
  }
  if (error instanceof NetworkError)
    return { error: error.hasTimedOut ? t`No answer in time.` : t`The connection was lost.`, canRetry: true }
  // compared by name: the class is not loaded with the first page, but with the upload code
  const isRefused = error instanceof Error && error.name === 'UploadRefusedError'
  return {
    error: isRefused ? t`The upload was refused.` : t`The file could not be uploaded.`,
    canRetry: true,
  }
}
