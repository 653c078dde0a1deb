import type { Attachment } from '#shared/contracts/files.ts'
import { fileKind } from '#shared/file-kinds.ts'
import { callApi } from '../../../lib/call-api.ts'
import { createPreview } from './create-preview.ts'
import { uploadForm } from './upload-form.ts'

/**
 * Stores a file of the user: announces it, sends it straight to the store, and has checked what arrived. A large picture is
 * accompanied by a small copy for the model.
 * @param onProgress 0 to 1, of real bytes
 * @throws ApiError with a sentence for the user, UploadRefusedError, NetworkError, or the reason of the signal
 */
export async function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const preview = fileKind(file) === 'image' ? await createPreview(file) : undefined
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
  const checked = await callApi(
    'files.complete',
    { params: { attachmentId: attachment.id } },
    { signal, timeoutMs: completeTimeoutMs },
  )
  return checked.attachment
}

/** The store copies a large file before it answers. */
const completeTimeoutMs = 60_000
