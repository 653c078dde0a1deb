import type { Attachment } from '#shared/contracts/files.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { createPreview } from './create-preview.ts'
import { uploadForm } from './upload-form.ts'

/**
 * Uploads a file by a presigned form and has the server verify it. A picture that is too large for models, or that not all of
 * them read, also gets a copy for them (`createPreview`).
 * @param onProgress 0 to 1, the share of bytes sent
 * @throws ApiError with a sentence for the user, UploadRefusedError, NetworkError, or the reason of the signal
 */
export async function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const preview = await createPreview(file)
  const { attachment, upload, previewUpload } = await callApi(
    'files.presign',
    {
      body: {
        name: file.name,
        type: file.type,
        size: file.size,
        ...(preview && { preview: { type: preview.type, size: preview.blob.size } }),
      },
    },
    { signal },
  )
  const total = file.size + (preview?.blob.size ?? 0)
  await uploadForm(upload, file, (share) => onProgress((share * file.size) / total), signal)
  if (preview && previewUpload)
    await uploadForm(
      previewUpload,
      preview.blob,
      (share) => onProgress((file.size + share * preview.blob.size) / total),
      signal,
    )
  return completeUpload(attachment.id, signal)
}

/** The store copies a large file before it answers. */
const completeTimeoutMs = 60_000

/** Has the server verify an uploaded file. @throws what `callApi` throws */
export async function completeUpload(attachmentId: string, signal: AbortSignal): Promise<Attachment> {
  const { attachment } = await callApi(
    'files.complete',
    { params: { attachmentId } },
    { signal, timeoutMs: completeTimeoutMs },
  )
  return attachment
}
