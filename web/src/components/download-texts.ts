export const downloadFailed = 'Download failed'
export const fileNotDownloaded = (name: string) => `“${name}” could not be downloaded.`
