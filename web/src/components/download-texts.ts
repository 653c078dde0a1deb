// use-file-download
export const downloadFailed = 'Download failed'
export const fileNotDownloaded = (name: string) => `“${name}” could not be downloaded.`

// use-file-link-handlers
export const fileNotOpened = 'The file could not be opened'
