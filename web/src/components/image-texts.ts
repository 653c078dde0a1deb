// image-viewer
export const download = 'Download'
export const share = 'Share'
export const open = 'Open'
export const unavailable = 'This image is not available any more.'
export const generatedFrom = (prompt: string) => `Generated from: ${prompt}`

// share-image
export const imageDownloaded = 'Image downloaded! 📸'
export const downloadFailed = 'Download failed'
export const downloadFailedHint = "Sorry, couldn't download the image. Try right-clicking and saving instead."
export const linkCopied = 'Link copied! 📋'
export const shareFailed = 'Share failed'
export const shareFailedHint = "Couldn't share the image, but you can copy the URL manually."
export const worksShortTime = 'It works for a short time.'
export const worksUntil = (time: string) => `It works until ${time}.`
