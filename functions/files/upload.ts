import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { copyObject, presignUpload } from '../platform/s3/object-writer.ts'
import type { StoredFile } from './file-row.ts'
import {
  deleteFile,
  ignoreMissing,
  incomingKey,
  incomingPreviewKey,
  saveRowOrDelete,
} from './delete-files.ts'
import { finishFile } from './finish-file.ts'
import type { StartReading } from './start-reading.ts'
import { FileDiffers, UploadMissing } from './errors.ts'
import { detectUploadType } from './detect-type.ts'
import { headBytes, matchesType } from './file-content.ts'
import { originalKey, previewKey, type FileDeps } from './file-links.ts'
import { newFile } from './new-file.ts'

/**
 * Announces a file and allows its upload.
 * @throws FileTooLarge, StorageFull before a byte is sent
 */
export async function beginUpload(
  { files, store }: FileDeps,
  sub: string,
  request: RouteRequest<'files.presign'>,
) {
  const file = newFile(request)
  const [upload, previewUpload] = await Promise.all([
    presignUpload(store, incomingKey(sub, file.id), file),
    request.preview && presignUpload(store, incomingPreviewKey(sub, file.id), request.preview),
    files.put(sub, file),
  ])
  return { file, upload, previewUpload }
}

/**
 * Checks the uploaded object and moves it to the user's files, with the type of its content. Can be repeated.
 * @throws AttachmentNotFound, UploadMissing; FileDiffers if it is a program under another name; then the object is deleted
 */
export async function completeUpload(
  { files, store, startReading }: FileDeps & { startReading: StartReading },
  sub: string,
  id: string,
): Promise<StoredFile> {
  const file = await files.find(sub, id)
  if (file.state === 'ready') return file
  const incoming = incomingKey(sub, id)
  const incomingPreview = incomingPreviewKey(sub, id)
  /** A missing object was moved by a concurrent request for the same upload. */
  const loadCompleted = async (problem: string) => {
    const current = await files.find(sub, id)
    if (current.state === 'ready') return current
    throw new UploadMissing(problem)
  }
  const head = await store.readBeginning(incoming, headBytes)
  if (!head) return loadCompleted(`nothing arrived for ${id}`)
  const type = detectUploadType(head.bytes, file)
  if (type === undefined) {
    await deleteFile({ files, store }, sub, id).catch(ignoreMissing)
    throw new FileDiffers(`a program that is declared as ${file.type}`)
  }
  if (!(await files.beginMove(sub, id, Date.now())))
    return loadCompleted(`${id} was completed or deleted meanwhile`)
  // the object may be replaced during the check: the ETag names the one that was checked
  const original = { from: incoming, etag: head.etag, to: originalKey(sub, id), type }
  if (!(await copyObject(store, original)))
    return loadCompleted(`${id} was gone or replaced before it was copied`)
  const { preview, expires_at: _, ...rest } = file
  const previewHead = preview && (await store.readBeginning(incomingPreview, headBytes))
  const hasPreview =
    preview !== undefined &&
    previewHead !== undefined &&
    matchesType(previewHead.bytes, preview.type) &&
    (await copyObject(store, {
      from: incomingPreview,
      etag: previewHead.etag,
      to: previewKey(sub, id),
      type: preview.type,
    }))
  if (preview !== undefined && !hasPreview) {
    // moved by a concurrent request, or not an image
    const current = await files.find(sub, id)
    if (current.state === 'ready') return current
  }
  const finished: StoredFile = { ...rest, type, state: 'ready', ...(hasPreview && { preview }) }
  const written = [originalKey(sub, id), previewKey(sub, id), incoming, incomingPreview]
  await saveRowOrDelete(store, written, () => finishFile({ files, startReading }, sub, finished))
  await store.remove([incoming, incomingPreview])
  return finished
}
