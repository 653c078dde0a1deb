import { plural, t } from '@lingui/core/macro'
import { fileKind, type NamedFile } from '#shared/file-kinds.ts'
import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'

const MB = 1024 * 1024
const size = maxFileBytes / MB
const mediaSize = maxMediaBytes / MB
/**
 * Says how many files may be attached, and how large they may be. To be called only when it is shown: the first plural of a page loads the
 * browser's rules, which would delay its first paint.
 */
export const describeFileLimits = () =>
  plural(maxFilesPerMessage, {
    one: `Up to # file, ${size} MB each (video and audio ${mediaSize} MB)`,
    other: `Up to # files, ${size} MB each (video and audio ${mediaSize} MB)`,
  })

/** Checks the size of a file. @returns why it cannot be attached, for the user; undefined if it can */
export function validateFile(file: NamedFile & { size?: number }): string | undefined {
  if (file.size === 0) return t`The file is empty.`
  const kind = fileKind(file)
  const limit = kind === 'video' || kind === 'audio' ? maxMediaBytes : maxFileBytes
  return file.size !== undefined && file.size > limit ? t`Larger than ${{ size: limit / MB }} MB.` : undefined
}
