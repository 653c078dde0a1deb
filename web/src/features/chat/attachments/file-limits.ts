import { t } from '@lingui/core/macro'
import { fileKind, type NamedFile } from '#shared/file-kinds.ts'
import { maxFileBytes, maxMediaBytes } from '#shared/limits.ts'
import * as texts from './texts.ts'

/** @returns why the file cannot be attached; undefined when it can */
export function validateFile(file: NamedFile & { size?: number }): string | undefined {
  if (file.size === 0) return t`The file is empty.`
  const kind = fileKind(file)
  const limit = kind === 'video' || kind === 'audio' ? maxMediaBytes : maxFileBytes
  return file.size !== undefined && file.size > limit ? texts.fileTooLarge(limit) : undefined
}
