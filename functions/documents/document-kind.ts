import { getExtension, getStoredType, isDocument, isTextType, type NamedFile } from '#shared/file-kinds.ts'

export const documentKinds = [
  'word',
  'pdf',
  'sheet',
  'slides',
  'openDocument',
  'text',
  'mail',
  'notebook',
] as const
/** Selects the reader of a file. */
export type DocumentKind = (typeof documentKinds)[number]

const extensions = {
  word: 'docx docm dotx dotm',
  pdf: 'pdf',
  sheet: 'xlsx xlsm xltx xltm',
  slides: 'pptx pptm potx potm ppsx ppsm',
  openDocument: 'odt ott ods ots odp otp',
} as const
const byExtension: Readonly<Record<string, DocumentKind>> = Object.fromEntries(
  Object.entries(extensions).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as DocumentKind]),
  ),
)
/** The types of templates, slide shows and files with macros begin in the same way. */
const byType: readonly (readonly [type: RegExp, kind: DocumentKind])[] = [
  [/^application\/pdf$/, 'pdf'],
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
  return byType.find(([pattern]) => pattern.test(type))?.[1]
}
