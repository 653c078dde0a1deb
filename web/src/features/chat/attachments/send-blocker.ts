import type { TrayFile } from './attachment-queue.ts'

/** Why a message cannot go yet. */
export interface SendHold {
  reason: string
  /** by itself, when the uploads are there */
  passes: boolean
}

/** UX: Send waits with a visible reason. @returns undefined when nothing is in the way */
export function sendHold(files: readonly TrayFile[]): SendHold | undefined {
  const count = (...statuses: TrayFile['status'][]) =>
    files.filter(({ status }) => statuses.includes(status)).length
  const failed = count('failed')
  if (failed > 0) {
    const retryable = files.some(({ status, canRetry }) => status === 'failed' && canRetry)
    const way = retryable ? 'Retry or remove' : 'Remove'
    return {
      reason:
        failed === 1
          ? `One file could not be attached. ${way} it.`
          : `${failed} files could not be attached. ${way} them.`,
      passes: false,
    }
  }
  const pending = count('waiting', 'uploading', 'checking')
  if (pending === 0) return undefined
  return {
    reason:
      pending === 1 ? 'Sends when the upload is finished.' : `Sends when ${pending} uploads are finished.`,
    passes: true,
  }
}
