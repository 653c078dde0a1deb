import type { DraftAttachment } from './upload-queue.ts'
import * as texts from './texts.ts'

/** Why a message cannot be sent yet. */
export interface SendBlocker {
  reason: string
  /** true when it ends with the uploads; false when the user has to act */
  isUploading: boolean
}

/** Whether a file was refused: it stays behind, and the message is sent without it. */
export const isRefused = ({ status, canRetry }: DraftAttachment) => status === 'failed' && !canRetry

/** @returns undefined when the message can be sent */
export function findSendBlocker(files: readonly DraftAttachment[]): SendBlocker | undefined {
  const count = (...statuses: DraftAttachment['status'][]) =>
    files.filter((file) => statuses.includes(file.status) && !isRefused(file)).length
  const failedCount = count('failed')
  if (failedCount > 0) return { reason: texts.filesFailed(failedCount), isUploading: false }
  const pendingCount = count('waiting', 'uploading', 'checking')
  if (pendingCount === 0) return undefined
  return { reason: texts.sendsAfterUploads(pendingCount), isUploading: true }
}
