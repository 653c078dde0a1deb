import { CopyObjectCommand } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { maxBytesOf, storedType } from '#shared/file-types.ts'
import { orMissing, type ObjectStore } from '../platform/object-store.ts'
import type { StoredFile } from './stored-file.ts'
import { discard, incomingKey, incomingPreviewKey } from './delete-files.ts'
import { FileDiffers, FileTooLarge, UploadMissing } from './errors.ts'
import { headBytes, isOfType } from './file-content.ts'
import { originalKey, previewKey, type Attached } from './file-links.ts'
import { safeFileName } from './file-name.ts'

const uploadSeconds = 900

/** An upload of exactly this key, type and size. LIB-19: browsers may keep it for 3,600 s. */
function presign(
  { client, bucket }: ObjectStore,
  key: string,
  { type, size }: { type: string; size: number },
) {
  const fields = { 'Content-Type': type, 'Cache-Control': 'max-age=3600' }
  return createPresignedPost(client, {
    Bucket: bucket,
    Key: key,
    Fields: fields,
    Conditions: [
      ['content-length-range', size, size],
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ],
    Expires: uploadSeconds,
  })
}

/**
 * Announces a file and allows its upload (ATT-01, ATT-07).
 * @throws FileTooLarge before a byte is sent
 */
export async function beginUpload(
  { files, store }: Attached,
  sub: string,
  request: RouteRequest<'files.presign'>,
) {
  const name = safeFileName(request.name)
  const type = storedType({ name, type: request.type })
  const maxBytes = maxBytesOf({ name, type })
  if (request.size > maxBytes) throw new FileTooLarge(maxBytes)
  const file: StoredFile = {
    id: crypto.randomUUID(),
    name,
    type,
    size: request.size,
    state: 'incoming',
    created_at: new Date().toISOString(),
    ...(request.preview && { preview: request.preview }),
  }
  const [upload, previewUpload] = await Promise.all([
    presign(store, incomingKey(sub, file.id), file),
    request.preview && presign(store, incomingPreviewKey(sub, file.id), request.preview),
    files.put(sub, file),
  ])
  return { file, upload, previewUpload }
}

/** Moves what arrived into the user's folder. @returns false when nothing arrived */
async function adopt(
  { client, bucket }: ObjectStore,
  { from, to, type }: { from: string; to: string; type: string },
): Promise<boolean> {
  const copy = new CopyObjectCommand({
    Bucket: bucket,
    Key: to,
    CopySource: encodeURIComponent(`${bucket}/${from}`),
    ContentType: type,
    CacheControl: 'max-age=3600',
    MetadataDirective: 'REPLACE',
  })
  return (await orMissing(client.send(copy))) !== undefined
}

/**
 * Checks what really arrived, and makes it one of the user's files. Can be repeated.
 * @throws AttachmentNotFound, UploadMissing; FileDiffers for content that is not what the type says, which is deleted
 */
export async function completeUpload(
  { files, store }: Attached,
  sub: string,
  id: string,
): Promise<StoredFile> {
  const file = await files.find(sub, id)
  if (file.state === 'ready') return file
  const incoming = incomingKey(sub, id)
  const incomingPreview = incomingPreviewKey(sub, id)
  const head = await store.read(incoming, { maxBytes: headBytes })
  if (!head) {
    // two requests may have met, and the other one has moved it
    const now = await files.find(sub, id)
    if (now.state === 'ready') return now
    throw new UploadMissing(`nothing arrived for ${id}`)
  }
  if (!isOfType(head, file.type)) {
    await discard(store, [incoming, incomingPreview])
    await files.remove(sub, id)
    throw new FileDiffers(`content is no ${file.type}`)
  }
  await files.hold(sub, id)
  if (!(await adopt(store, { from: incoming, to: originalKey(sub, id), type: file.type })))
    throw new UploadMissing(`${id} was gone before it was copied`)
  const { preview, ...rest } = file
  const previewHead = preview && (await store.read(incomingPreview, { maxBytes: headBytes }))
  const hasPreview =
    preview !== undefined &&
    previewHead !== undefined &&
    isOfType(previewHead, preview.type) &&
    (await adopt(store, { from: incomingPreview, to: previewKey(sub, id), type: preview.type }))
  const finished: StoredFile = { ...rest, state: 'ready', ...(hasPreview && { preview }) }
  await files.finish(sub, finished)
  await discard(store, [incoming, incomingPreview])
  return finished
}
