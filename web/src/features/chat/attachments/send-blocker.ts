import type { DraftAttachment } from './attachment-queue.ts'

/** Why a message cannot go yet. */
export interface SendBlocker {
  reason: string
  /** by itself, when the uploads are there */
  isUploading: boolean
}

/** UX: Send waits with a visible reason. @returns undefined when nothing is in the way */
export function findSendBlocker(files: readonly DraftAttachment[]): SendBlocker | undefined {
  const count = (...statuses: DraftAttachment['status'][]) =>
    files.filter(({ status }) => statuses.includes(status)).length
  const failed = count('failed')
  if (failed > 0) {
    const retryable = files.some(({ status, canRetry }) => status === 'failed' && canRetry)
    const remedy = retryable ? 'Retry or remove' : 'Remove'
    return {
      reason:
        failed === 1
          ? `One file could not be attached. ${remedy} it.`
          : `${failed} files could not be attached. ${remedy} them.`,
      isUploading: false,
    }
  }
  const pending = count('waiting', 'uploading', 'checking')
  if (pending === 0) return undefined
  return {
    reason:
      pending === 1 ? 'Sends when the upload is finished.' : `Sends when ${pending} uploads are finished.`,
    isUploading: true,
  }
}
