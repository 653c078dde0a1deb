export const openImage = (name: string) => `Open image full screen: ${name}`
export const unavailable = 'No longer available'
export const deleted = 'deleted'
export const unread = 'content is not read'
export const downloadFile = (name: string) => `Download ${name}`
