import { plural, t } from '@lingui/core/macro'
import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'

const MB = 1024 * 1024

// attach-button
export const attachFiles = t`Attach files`
export const filesToAttach = t`Files to attach`

// attach-files
export const notAttached = (count: number) =>
  plural(count, { 1: 'Not attached', other: `# files not attached` })
export const andMore = (count: number) => t`and ${count} more.`
export const pastedTextAdded = t`Pasted text added as a file`
export const keepAsText = t`Keep as text`
export const pastedFileName = (number: number) =>
  number === 1 ? t`Pasted text.txt` : t`Pasted text ${number}.txt`

// upload-queue
export const fileAttached = (name: string) => t`${name} is attached`
export const tooManyFiles = (max: number) =>
  plural(max, {
    one: 'A message can have up to # file.',
    other: 'A message can have up to # files.',
  })
export const noResponse = t`No answer in time.`
export const connectionLost = t`The connection was lost.`
export const uploadRefused = t`The upload was refused.`
export const uploadFailed = t`The file could not be uploaded.`

// file-limits
const size = maxFileBytes / MB
const mediaSize = maxMediaBytes / MB
export const fileLimits = plural(maxFilesPerMessage, {
  one: `Up to # file, ${size} MB each (video and audio ${mediaSize} MB)`,
  other: `Up to # files, ${size} MB each (video and audio ${mediaSize} MB)`,
})
export const emptyFile = t`The file is empty.`
export function fileTooLarge(limitBytes: number) {
  const size = limitBytes / MB
  return t`Larger than ${size} MB.`
}

// send-blocker
export const filesFailed = (count: number) =>
  plural(count, {
    1: 'One file could not be attached. Retry or remove it.',
    other: `# files could not be attached. Retry or remove them.`,
  })
export const sendsAfterUploads = (count: number) =>
  plural(count, {
    1: 'Sends when the upload is finished.',
    other: `Sends when # uploads are finished.`,
  })

// drop-overlay
export const dropFiles = t`Drop files to attach them`

// analyze-documents
export const analysisNetworkError = t`The document could not be analysed because of a network error. Please check your connection and try again.`
export const fileInaccessible = t`Unable to access the file. It may have been deleted or moved.`
export const analysisFailed = (name: string, error: string) =>
  t`Document analysis failed for ${name}: ${error}`
