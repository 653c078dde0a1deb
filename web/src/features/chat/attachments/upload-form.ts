import { t } from '@lingui/core/macro'
import type { presignResponse } from '#shared/contracts/files.ts'
import type * as z from 'zod'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'

/** Where to send a file, and the fields to send with it. */
export type PresignedForm = z.output<typeof presignResponse>['upload']

/** The store rejected the file: the link has expired, or the file differs from its presigned form. */
export class UploadRefusedError extends Error {
  override readonly name = 'UploadRefusedError'
}

/**
 * Sends a file by a presigned form.
 * @param onProgress 0 to 1, the share of the request that was sent
 * @throws UploadRefusedError, ApiError if the store is busy or has failed, NetworkError, or the reason of the signal
 */
export function uploadForm(
  { url, fields }: PresignedForm,
  file: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    // S3 reads nothing after the file
    form.append('file', file)
    // fetch reports no upload progress
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () =>
      end(() => {
        const { status } = request
        if (status >= 200 && status < 300) resolve()
        else if (status < 500) reject(new UploadRefusedError(`the store answered ${status}`))
        else
          reject(
            new ApiError({ status, code: 'store_failed', userMessage: t`The file could not be uploaded.` }),
          )
      }),
    )
    request.addEventListener('error', () => end(() => reject(new NetworkError())))
    request.addEventListener('abort', () => end(() => reject(signal.reason as Error)))
    signal.addEventListener('abort', abort)
    request.open('POST', url)
    request.send(form)
  })
}
