import { getExtension, getStoredType, isDocument, isTextType, type NamedFile } from '#shared/file-kinds.ts'

export const documentKinds = ['word', 'pdf', 'sheet', 'slides', 'text', 'mail', 'notebook'] as const
/** Selects the reader of a file. */
export type DocumentKind = (typeof documentKinds)[number]

const byExtension: Readonly<Record<string, DocumentKind>> = {
  docx: 'word',
  pdf: 'pdf',
  xlsx: 'sheet',
  pptx: 'slides',
}
const byType: Readonly<Record<string, DocumentKind>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'word',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'slides',
}
const textReaders: Readonly<Record<string, DocumentKind>> = { eml: 'mail', ipynb: 'notebook' }
const textExtensions = /^(txt|md|csv|json|xml|html|htm|js|ts|css|py|java|cpp)$/

/**
 * Selects the reader by the stored type, which is that of the content, then by the extension.
 * @returns undefined if the file is not supported: legacy Office formats, and files that are not documents
 */
export function documentKind(file: NamedFile): DocumentKind | undefined {
  const extension = getExtension(file.name)
  const type = getStoredType(file)
  if (type === 'message/rfc822') return 'mail'
  if (isTextType(type)) return Object.hasOwn(textReaders, extension) ? textReaders[extension] : 'text'
  if (type === 'application/pdf') return 'pdf'
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension]
  if (textExtensions.test(extension)) return 'text'
  // the extension wins over the type: a .doc with the type of .docx cannot be read
  if (/^(doc|xls|ppt)$/.test(extension) || !isDocument({ name: file.name, type })) return undefined
  return Object.hasOwn(byType, type) ? byType[type] : undefined
}
