import { plural } from '@lingui/core/macro'
import type { DraftAttachment } from './upload-queue.ts'

/** Why a message cannot be sent yet. */
export interface SendBlocker {
  reason: string
  /** true when it ends with the uploads; false when the user has to act */
  isUploading: boolean
}

/** Whether a file was refused for good. The message is sent without it. */
export const isRefused = ({ status, canRetry, isLost }: DraftAttachment) =>
  status === 'failed' && !canRetry && !isLost

/** Finds what keeps a message with these files from being sent. @returns undefined if it can be sent */
export function findSendBlocker(files: readonly DraftAttachment[]): SendBlocker | undefined {
  const count = (...statuses: DraftAttachment['status'][]) =>
    files.filter((file) => statuses.includes(file.status) && !isRefused(file)).length
  const failedCount = count('failed')
  if (failedCount > 0)
    return {
      reason: plural(
        { count: failedCount },
        {
          1: 'One file could not be attached. Retry or remove it.',
          other: `# files could not be attached. Retry or remove them.`,
        },
      ),
      isUploading: false,
    }
  const pendingCount = count('waiting', 'uploading', 'checking')
  if (pendingCount === 0) return undefined
  return {
    reason: plural(
      { count: pendingCount },
      {
        1: 'Sends when the upload is finished.',
        other: `Sends when # uploads are finished.`,
      },
    ),
    isUploading: true,
  }
}
