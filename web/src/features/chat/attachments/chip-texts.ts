export const attachedFiles = 'Attached files'
export const retryFile = (name: string) => `Retry ${name}`
export const cancelFile = (name: string) => `Cancel ${name}`
export const removeFile = (name: string) => `Remove ${name}`
export const uploadProgress = (name: string) => `Upload of ${name}`
export const waiting = 'waiting'
export const uploading = (progress: number) => `uploading ${Math.floor(progress * 100)} %`
export const checking = 'checking'
export const uploadFailed = 'could not be uploaded'
export const attachedUnread = 'attached, content is not read'
export const pictureUnread = 'attached; this browser cannot convert it, so it is not looked at'
export const ready = 'ready'
