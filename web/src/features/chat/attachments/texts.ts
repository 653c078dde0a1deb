import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'
import { plural } from '../../../lib/plural.ts'

const MB = 1024 * 1024

// attach-button
export const attachFiles = 'Attach files'
export const filesToAttach = 'Files to attach'

// attach-files
export const notAttached = (count: number) =>
  plural(count, { one: 'Not attached', other: `${count} files not attached` })
export const andMore = (count: number) => `and ${count} more.`
export const pastedTextAdded = 'Pasted text added as a file'
export const keepAsText = 'Keep as text'
export const pastedFileName = (number: number) =>
  number === 1 ? 'Pasted text.txt' : `Pasted text ${number}.txt`

// upload-queue
export const fileAttached = (name: string) => `${name} is attached`
export const tooManyFiles = (max: number) => `A message can have up to ${max} files.`
export const noResponse = 'No answer in time.'
export const connectionLost = 'The connection was lost.'
export const uploadRefused = 'The upload was refused.'
export const uploadFailed = 'The file could not be uploaded.'

// file-limits
export const fileLimits = `Up to ${maxFilesPerMessage} files, ${maxFileBytes / MB} MB each (video and audio ${maxMediaBytes / MB} MB)`
export const emptyFile = 'The file is empty.'
export const fileTooLarge = (limitBytes: number) => `Larger than ${limitBytes / MB} MB.`

// send-blocker
export const filesFailed = (count: number) =>
  plural(count, {
    one: 'One file could not be attached. Retry or remove it.',
    other: `${count} files could not be attached. Retry or remove them.`,
  })
export const sendsAfterUploads = (count: number) =>
  plural(count, {
    one: 'Sends when the upload is finished.',
    other: `Sends when ${count} uploads are finished.`,
  })

// drop-overlay
export const dropFiles = 'Drop files to attach them'
