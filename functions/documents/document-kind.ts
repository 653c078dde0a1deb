import { documentKindByExtension, type DocumentKind } from '#shared/document-formats.ts'
import { getExtension, getStoredType, isTextType, type NamedFile } from '#shared/file-kinds.ts'

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
  [/^application\/epub\+zip$/, 'book'],
  [/^message\/rfc822$/, 'mail'],
  [/^application\/pdf$/, 'pdf'],
  [/^text\/(?:csv|tab-separated-values)$/, 'csv'],
]

const codes = new Set(
  'md markdown json jsonl ndjson xml svg js jsx ts tsx mjs cjs css scss less vue svelte astro php jsp erb hbs ejs py java c cc cpp h hpp cs go rs rb kt swift scala sh bash ps1 bat sql yaml yml toml ini cfg conf tex rst adoc po srt vtt log diff patch'.split(
    ' ',
  ),
)

/**
 * The reader that a file's name and stored type ask for. The parser looks at the content first: a package, a PDF and an old document are
 * known by it, whatever their names.
 * @returns 'unknown' if only the content can tell; undefined for what is looked at or heard
 */
export function documentKind(file: NamedFile): DocumentKind | undefined {
  const extension = getExtension(file.name)
  const type = getStoredType(file)
  if (/^(?:image|audio|video)\//.test(type) && !isTextType(type)) return undefined
  const kindByType = byType.find(([pattern]) => pattern.test(type))?.[1]
  const known = documentKindByExtension.get(extension)
  if (kindByType === 'mail' || kindByType === 'pdf') return kindByType
  if (known && known !== 'text') return isTextType(type) && packages.has(known) ? 'unknown' : known
  if (kindByType === 'csv' && codes.has(extension)) return 'text'
  return kindByType ?? (codes.has(extension) ? 'text' : 'unknown')
}

const packages: ReadonlySet<DocumentKind> = new Set([
  'word',
  'sheet',
  'slides',
  'openDocument',
  'book',
  'pdf',
])
