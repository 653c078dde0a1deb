import type { TrayFile } from './tray.ts'

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
  if (failed > 0)
    return {
      reason:
        failed === 1
          ? 'One file could not be uploaded. Retry or remove it.'
          : `${failed} files could not be uploaded. Retry or remove them.`,
      passes: false,
    }
  const pending = count('waiting', 'uploading', 'checking')
  if (pending === 0) return undefined
  return {
    reason:
      pending === 1 ? 'Sends when the upload is finished.' : `Sends when ${pending} uploads are finished.`,
    passes: true,
  }
}
