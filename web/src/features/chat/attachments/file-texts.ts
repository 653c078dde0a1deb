// attachment-chips
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
export const ready = 'ready'

// message-files
export const openImage = (name: string) => `Open image full screen: ${name}`
export const unavailable = 'No longer available'
export const unread = 'content is not read'
export const downloadFile = (name: string) => `Download ${name}`
