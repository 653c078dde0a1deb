import { plural, t } from '@lingui/core/macro'
import { fileKind, type NamedFile } from '#shared/file-kinds.ts'
import { maxFileBytes, maxFilesPerMessage, maxMediaBytes } from '#shared/limits.ts'

const MB = 1024 * 1024
const size = maxFileBytes / MB
const mediaSize = maxMediaBytes / MB
/** What may be attached, in words. Not before it is shown: the first plural of a page loads the browser's rules, which delays its paint. */
export const describeFileLimits = () =>
  plural(maxFilesPerMessage, {
    one: `Up to # file, ${size} MB each (video and audio ${mediaSize} MB)`,
    other: `Up to # files, ${size} MB each (video and audio ${mediaSize} MB)`,
  })

/** @returns why the file cannot be attached; undefined when it can */
export function validateFile(file: NamedFile & { size?: number }): string | undefined {
  if (file.size === 0) return t`The file is empty.`
  const kind = fileKind(file)
  const limit = kind === 'video' || kind === 'audio' ? maxMediaBytes : maxFileBytes
  return file.size !== undefined && file.size > limit ? t`Larger than ${{ size: limit / MB }} MB.` : undefined
}
