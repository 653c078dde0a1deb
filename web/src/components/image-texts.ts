import { t } from '@lingui/core/macro'

// image-viewer
export const download = t`Download`
export const share = t`Share`
export const open = t`Open`
export const unavailable = t`This image is not available any more.`
export const generatedFrom = (prompt: string) => t`Generated from: ${prompt}`

// share-image
export const imageDownloaded = t`Image downloaded! 📸`
export const downloadFailed = t`Download failed`
export const downloadFailedHint = t`Sorry, couldn't download the image. Try right-clicking and saving instead.`
export const linkCopied = t`Link copied! 📋`
export const shareFailed = t`Share failed`
export const shareFailedHint = t`Couldn't share the image, but you can copy the URL manually.`
export const worksShortTime = t`It works for a short time.`
export const worksUntil = (time: string) => t`It works until ${time}.`
