import type { Attachment } from '#shared/contracts/files.ts'
import { fileKind } from '#shared/file-kinds.ts'
import { maxFilesPerMessage } from '#shared/limits.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { announce } from '../../../lib/announce.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { validateFile } from './file-limits.ts'

/** A file in the composer. */
export interface DraftAttachment {
  /** of this page; the stored file has an id of its own */
  key: string
  name: string
  type: string
  size: number
  status: 'waiting' | 'uploading' | 'checking' | 'ready' | 'failed'
  /** 0 to 1 while it is uploaded: bytes that have really left */
  progress: number
  /** why it failed, for the user */
  error?: string
  /** whether trying again can help */
  canRetry?: boolean
  /** a picture of this page's memory */
  thumbnail?: string
  /** once it is stored */
  attachment?: Attachment
}

interface RejectedFile {
  name: string
  reason: string
}

/** The files of one draft, from the moment they are chosen until they are sent. */
export interface AttachmentQueue {
  readonly files: Store<readonly DraftAttachment[]>
  /** Begins to upload. @returns what cannot be attached, and why; nothing of it is uploaded */
  add: (files: readonly File[]) => RejectedFile[]
  /** Puts stored files behind the others. @returns false when they do not fit; none is put then */
  addStored: (attachments: readonly Attachment[]) => boolean
  retry: (key: string) => void
  /** Takes a file out, in the middle of its upload too. */
  remove: (key: string) => void
  /** Empties the tray. @returns the stored files, in the order they were chosen */
  clear: () => Attachment[]
  /** Ends every upload and keeps nothing any more. */
  close: () => void
}

interface AttachmentQueueOptions {
  upload: (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<Attachment>
  /** what an earlier page of the same draft had stored */
  restored: readonly Attachment[]
  /** the stored files have changed: they are to be found again after a reload */
  onStored: (attachments: readonly Attachment[]) => void
}

/** Uploads at a time; the rest waits its turn. */
const maxParallelUploads = 3

export function createAttachmentQueue({
  upload,
  restored,
  onStored,
}: AttachmentQueueOptions): AttachmentQueue {
  const store = createStore<readonly DraftAttachment[]>(restored.map(toReadyAttachment))
  const sources = new Map<string, File>()
  const running = new Map<string, AbortController>()
  let closed = false

  const setFiles = (next: readonly DraftAttachment[]) => {
    const before = findStored(store.getState())
    const after = findStored(next)
    if (!closed && (before.length !== after.length || before.some((each, index) => each !== after[index])))
      onStored(after)
    store.setState(next)
  }
  const change = (key: string, part: Partial<DraftAttachment>) =>
    setFiles(store.getState().map((file) => (file.key === key ? { ...file, ...part } : file)))

  const startWaiting = () => {
    for (const { key, status } of store.getState()) {
      if (running.size >= maxParallelUploads) return
      const source = sources.get(key)
      if (status === 'waiting' && source && !running.has(key)) void start(key, source)
    }
  }
  const start = async (key: string, source: File) => {
    const controller = new AbortController()
    running.set(key, controller)
    change(key, { status: 'uploading', progress: 0 })
    try {
      const attachment = await upload(
        source,
        (progress) => {
          if (controller.signal.aborted) return
          change(key, progress >= 1 ? { status: 'checking', progress: 1 } : { progress })
        },
        controller.signal,
      )
      if (controller.signal.aborted) return
      sources.delete(key)
      change(key, { status: 'ready', progress: 1, attachment })
      announce(`${source.name} is attached`)
    } catch (error) {
      if (!controller.signal.aborted) change(key, { status: 'failed', ...failure(error) })
    } finally {
      if (running.get(key) === controller) running.delete(key)
      startWaiting()
    }
  }
  const release = (file: DraftAttachment) => {
    running.get(file.key)?.abort()
    running.delete(file.key)
    sources.delete(file.key)
    if (file.thumbnail !== undefined) URL.revokeObjectURL(file.thumbnail)
  }

  return {
    files: store,

    add(chosen) {
      const rejected: RejectedFile[] = []
      const files = store.getState()
      const added: DraftAttachment[] = []
      for (const file of chosen) {
        const full = files.length + added.length >= maxFilesPerMessage
        const reason = full ? `A message holds ${maxFilesPerMessage} files.` : validateFile(file)
        if (reason !== undefined) {
          rejected.push({ name: file.name, reason })
          continue
        }
        const key = crypto.randomUUID()
        sources.set(key, file)
        added.push({
          key,
          name: file.name,
          type: file.type,
          size: file.size,
          status: 'waiting',
          progress: 0,
          ...(fileKind(file) === 'image' && { thumbnail: URL.createObjectURL(file) }),
        })
      }
      if (added.length > 0) setFiles([...files, ...added])
      startWaiting()
      return rejected
    },

    addStored(attachments) {
      const files = store.getState()
      if (files.length + attachments.length > maxFilesPerMessage) return false
      setFiles([...files, ...attachments.map(toReadyAttachment)])
      return true
    },

    retry(key) {
      const file = store.getState().find((each) => each.key === key)
      if (file?.status !== 'failed' || !sources.has(key)) return
      const { error: _error, canRetry: _canRetry, ...rest } = file
      setFiles(
        store
          .getState()
          .map((each) => (each.key === key ? { ...rest, status: 'waiting', progress: 0 } : each)),
      )
      startWaiting()
    },

    remove(key) {
      const file = store.getState().find((each) => each.key === key)
      if (!file) return
      release(file)
      setFiles(store.getState().filter((each) => each.key !== key))
      startWaiting()
    },

    clear() {
      const files = store.getState()
      const stored = findStored(files)
      for (const file of files) release(file)
      setFiles([])
      return stored
    },

    close() {
      closed = true
      for (const file of store.getState()) release(file)
      setFiles([])
    },
  }
}

const findStored = (files: readonly DraftAttachment[]): Attachment[] =>
  files.flatMap(({ attachment }) => (attachment ? [attachment] : []))

function toReadyAttachment(attachment: Attachment): DraftAttachment {
  const { id, name, type, size } = attachment
  return { key: id, name, type, size, status: 'ready', progress: 1, attachment }
}

/** What to say of an upload that failed, and whether another try makes sense. */
function failure(error: unknown): { error: string; canRetry: boolean } {
  if (error instanceof ApiError)
    return { error: error.userMessage, canRetry: error.status >= 500 || error.status === 409 }
  if (error instanceof NetworkError)
    return { error: error.timedOut ? 'No answer in time.' : 'The connection was lost.', canRetry: true }
  return { error: 'The upload was refused.', canRetry: true }
}
