import { plural, t } from '@lingui/core/macro'
import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'

const MB = 1024 * 1024

// attach-button

// attach-files

// upload-queue

// file-limits
const size = maxFileBytes / MB
const mediaSize = maxMediaBytes / MB
export const fileLimits = plural(maxFilesPerMessage, {
  one: `Up to # file, ${size} MB each (video and audio ${mediaSize} MB)`,
  other: `Up to # files, ${size} MB each (video and audio ${mediaSize} MB)`,
})
export function fileTooLarge(limitBytes: number) {
  const size = limitBytes / MB
  return t`Larger than ${size} MB.`
}

// send-blocker

// drop-overlay

// analyze-documents
export const analysisNetworkError = t`The document could not be analysed because of a network error. Please check your connection and try again.`
export const fileInaccessible = t`Unable to access the file. It may have been deleted or moved.`
