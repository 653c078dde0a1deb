import { documentKindByExtension, type DocumentKind } from '#shared/document-formats.ts'
import { getExtension, getStoredType, isDocument, isTextType, type NamedFile } from '#shared/file-kinds.ts'

/** The types of templates, slide shows and files with macros begin in the same way. */
const byType: readonly (readonly [type: RegExp, kind: DocumentKind])[] = [
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\./, 'word'],
  [/^application\/vnd\.ms-word\.\w+\.macroenabled\.12$/, 'word'],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\./, 'sheet'],
  [/^application\/vnd\.ms-excel\.(?:sheet|template)\.macroenabled\.12$/, 'sheet'],
  [/^application\/vnd\.openxmlformats-officedocument\.presentationml\./, 'slides'],
  [/^application\/vnd\.ms-powerpoint\.\w+\.macroenabled\.12$/, 'slides'],
  [
    /^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?:-template)?$/,
    'openDocument',
  ],
]

/**
 * Selects the reader by the stored type, which is that of the content, then by the extension.
 * @returns undefined if the file is not supported: legacy Office formats, and files that are not documents
 */
export function documentKind(file: NamedFile): DocumentKind | undefined {
  const extension = getExtension(file.name)
  const type = getStoredType(file)
  if (type === 'message/rfc822') return 'mail'
  const known = documentKindByExtension.get(extension)
  if (isTextType(type)) return known === 'mail' || known === 'notebook' ? known : 'text'
  if (type === 'application/pdf') return 'pdf'
  if (known) return known
  // the extension wins over the type: a .doc with the type of .docx cannot be read
  if (/^(doc|xls|ppt)$/.test(extension) || !isDocument({ name: file.name, type })) return undefined
  return byType.find(([pattern]) => pattern.test(type))?.[1]
}
