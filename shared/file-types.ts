import { extensionOf, type NamedFile } from '#shared/file-kinds.ts'
import { maxFileBytes, maxMediaBytes } from '#shared/limits.ts'

/** Types by extension, for files that a browser names no type for. */
const typeByExtension: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  js: 'text/javascript',
  ts: 'text/x-typescript',
  css: 'text/css',
  py: 'text/x-python',
  java: 'text/x-java',
  cpp: 'text/x-c++',
  zip: 'application/zip',
  rar: 'application/vnd.rar',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
}

const unknownType = 'application/octet-stream'

/**
 * The mime type that a file is stored with: as the browser says it, lower case and without parameters; from the extension where
 * it says nothing, or mistakes TypeScript for an MPEG transport stream.
 */
export function storedType({ name, type }: NamedFile): string {
  const given = (type.split(';')[0] ?? '').trim().toLowerCase()
  const extension = extensionOf(name)
  const known = Object.hasOwn(typeByExtension, extension) ? typeByExtension[extension] : undefined
  if (given === 'video/mp2t' && extension === 'ts') return known ?? unknownType
  return given !== '' && given !== unknownType && /^[\w.+-]+\/[\w.+-]+$/.test(given)
    ? given
    : (known ?? unknownType)
}

/** DEC-036: how many bytes such a file may have. */
export function maxBytesOf(file: NamedFile): number {
  return /^(video|audio)\//.test(storedType(file)) ? maxMediaBytes : maxFileBytes
}
