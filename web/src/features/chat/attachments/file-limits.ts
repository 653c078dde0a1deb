import { fileKind, type NamedFile } from '#shared/file-kinds.ts'
import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'

const MB = 1024 * 1024

/** DEC-036, said before anything is uploaded. */
export const fileLimitsText = `Up to ${maxFilesPerMessage} files, ${maxFileBytes / MB} MB each (video and audio ${maxMediaBytes / MB} MB)`

/** Why a file cannot be attached; undefined when it can. */
export function validateFile(file: NamedFile & { size: number }): string | undefined {
  if (file.size === 0) return 'The file is empty.'
  const kind = fileKind(file)
  const limit = kind === 'video' || kind === 'audio' ? maxMediaBytes : maxFileBytes
  return file.size > limit ? `Larger than ${limit / MB} MB.` : undefined
}
