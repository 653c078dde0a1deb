import type { Attachment } from '#shared/contracts/files.ts'
import { ApiError, hasErrorName } from '../../lib/api/api-errors.ts'
import type { FileReference } from './build-conversation.ts'
import type { Attempts } from './import-attempts.ts'
import type { ImportWorkerClient } from './import-worker-client.ts'
import type { LeftOutCounter } from './left-out.ts'

/** Uploads a file of the user. @throws what `callApi` throws, or an error that is named after a refusal */
export type UploadFile = (file: File, signal: AbortSignal) => Promise<Pick<Attachment, 'id'>>

/**
 * Uploads files of an export, each once, until the service takes no more.
 * @returns uploads a file. It resolves to its id; to undefined if it is left out, which `leftOut` then counts
 */
export function createUploader({
  uploadFile,
  worker,
  attempts,
  signal,
  leftOut,
  onUpload,
}: {
  uploadFile: UploadFile
  worker: ImportWorkerClient
  attempts: Attempts
  signal: AbortSignal
  leftOut: LeftOutCounter
  onUpload: () => void
}) {
  /** by their ids in the export; undefined: left out, and counted once, however many versions of a message have it */
  const uploadedIds = new Map<string, string | undefined>()
  let isFull = false
  return async ({ id, name, text, bytes, isLinked }: FileReference): Promise<string | undefined> => {
    if (uploadedIds.has(id)) return uploadedIds.get(id)
    uploadedIds.set(id, undefined)
    const content = text ?? bytes
    const exportedFile =
      content === undefined
        ? (await worker.request({ type: 'file', id, name })).found
        : { name, blob: new Blob([content]) }
    if (!exportedFile || exportedFile.blob.size === 0) {
      leftOut.add(isLinked ? 'linkedFiles' : 'missingFiles', { name })
      return undefined
    }
    if (isFull) {
      leftOut.add('refusedFiles', { name: exportedFile.name })
      return undefined
    }
    // its type is taken from the name, and then from the content
    const file = new File([exportedFile.blob], exportedFile.name, {
      type: text === undefined ? '' : 'text/plain',
    })
    try {
      const attachment = await attempts.callWithRetries(() => uploadFile(file, signal))
      uploadedIds.set(id, attachment.id)
      onUpload()
      return attachment.id
    } catch (error) {
      const isRefused =
        hasErrorName(error, 'UploadRefusedError') || (error instanceof ApiError && error.status < 500)
      if (signal.aborted || !(isRefused || attempts.tolerateFailure(error))) throw error
      // the uploads of the day, or the space, are used up, or the user may not add files
      isFull =
        error instanceof ApiError && ([403, 429].includes(error.status) || error.code === 'storage_full')
      leftOut.add('refusedFiles', { name: exportedFile.name })
      return undefined
    }
  }
}
