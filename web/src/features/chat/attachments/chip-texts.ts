import { t } from '@lingui/core/macro'

export const attachedFiles = t`Attached files`
export const retryFile = (name: string) => t`Retry ${name}`
export const cancelFile = (name: string) => t`Cancel ${name}`
export const removeFile = (name: string) => t`Remove ${name}`
export const uploadProgress = (name: string) => t`Upload of ${name}`
export const waiting = t`waiting`
export function uploading(progress: number) {
  const percent = Math.floor(progress * 100)
  return t`uploading ${percent} %`
}
export const checking = t`checking`
export const uploadFailed = t`could not be uploaded`
export const attachedUnread = t`attached, content is not read`
export const pictureUnread = t`attached; this browser cannot convert it, so it is not looked at`
export const ready = t`ready`
