import { getDirection } from './languages.ts'
import { maxFileBytes, maxMediaBytes } from '#shared/limits.ts'

/** Classifies files by name and type: before the upload, in a message, and in the analysis. */

export interface NamedFile {
  readonly name: string
  /** mime type as the browser or the store reports it; may be empty */
  readonly type: string
}

/** The kinds with an icon of their own. */
export type FileKind = 'pdf' | 'document' | 'spreadsheet' | 'image' | 'audio' | 'video' | 'archive' | 'other'

const documentTypeParts = [
  'pdf',
  'document',
  'wordprocessingml',
  'msword',
  'spreadsheet',
  'presentation',
  'macroenabled',
  'epub',
]

const texts = 'txt md json xml html js ts css py java cpp'
const writings = 'doc docx docm dotx dotm odt ott pptx pptm potx potm ppsx ppsm odp otp'
const spreadsheets = 'csv xls xlsx xlsm xltx xltm ods ots'
const documentExtensions: ReadonlySet<string> = new Set(
  // the last ones are refused with what helps
  `pdf ppt rtf epub mht mhtml ${texts} ${writings} ${spreadsheets} msg pages numbers`.split(' '),
)

const kindsByExtension: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  ...mapExtensions('document', `rtf htm epub ${texts} ${writings}`),
  ...mapExtensions('spreadsheet', spreadsheets),
  ...mapExtensions('image', 'png jpg jpeg gif webp avif bmp svg heic heif ico tif tiff'),
  ...mapExtensions('audio', 'mp3 wav ogg oga m4a flac aac opus'),
  ...mapExtensions('video', 'mp4 m4v mov webm mkv avi mpg mpeg ogv'),
  ...mapExtensions('archive', 'zip rar 7z tar gz tgz bz2 xz'),
}

function mapExtensions(kind: FileKind, extensions: string): Record<string, FileKind> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, kind]))
}

/** The extension in lower case; empty if there is none. */
export function getExtension(name: string): string {
  const at = name.lastIndexOf('.')
  return at < 0 ? '' : name.slice(at + 1).toLowerCase()
}

/** Whether files of this type are text, drawings in SVG included. */
export const isTextType = (type: string): boolean =>
  /^(?:text\/|message\/rfc822|application\/(?:json|xml|javascript|typescript|x-javascript|x-python|x-sh|rtf|sql|toml|yaml|x-ndjson)$)|\+(?:json|xml)$/i.test(
    type,
  )

/** Whether a file is analysed before it is sent. Uploaded files have the type of their content, so every text is one, whatever its name. */
export function isDocument({ name, type }: NamedFile): boolean {
  const mime = type.toLowerCase()
  return (
    isTextType(mime) ||
    documentTypeParts.some((part) => mime.includes(part)) ||
    documentExtensions.has(getExtension(name))
  )
}

/** By extension if it is known, otherwise by type. */
export function fileKind({ name, type }: NamedFile): FileKind {
  const extension = getExtension(name)
  const known = Object.hasOwn(kindsByExtension, extension) ? kindsByExtension[extension] : undefined
  // browsers report `.ts` as a video
  if (known) return known
  const mime = type.toLowerCase()
  if (mime.startsWith('image/')) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  if (mime.startsWith('video/')) return 'video'
  if (mime.includes('pdf')) return 'pdf'
  if (/spreadsheet|ms-excel|csv/.test(mime)) return 'spreadsheet'
  if (/zip|rar|7z|tar|compressed/.test(mime)) return 'archive'
  if (isDocument({ name, type })) return 'document'
  return 'other'
}

/** Images that the page shows and models accept; others (svg, heic) are files. */
export function isImage({ name, type }: NamedFile): boolean {
  const mime = type.toLowerCase()
  if (mime === '') return /^(png|jpe?g|gif|webp)$/.test(getExtension(name))
  return /^image\/(png|jpe?g|gif|webp)$/.test(mime)
}

/** Files whose name the model gets, but not their content. */
export function isNameOnly(file: NamedFile): boolean {
  return !isDocument(file) && !isImage(file)
}

/** The `accept` attribute of the file picker. */
export const pickerAccept = [
  'image/*',
  'video/*',
  'audio/*',
  'text/*',
  '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.docm,.xlsm,.pptm,.odt,.ods,.odp,.txt,.md,.csv,.json,.xml,.html,.js,.ts,.css,.py,.java,.cpp,.zip,.rar',
  // texts that systems give other types; files without an extension come by drag and drop
  '.c,.cc,.h,.hpp,.cs,.go,.rs,.rb,.php,.swift,.kt,.kts,.scala,.dart,.lua,.r,.jl,.pl,.sql,.sh,.bash,.ps1,.bat,.jsx,.tsx,.mjs,.cjs,.vue,.svelte,.scss,.less',
  '.yaml,.yml,.toml,.ini,.cfg,.conf,.properties,.env,.jsonl,.ndjson,.ipynb,.eml,.mbox,.mht,.mhtml,.rtf,.epub,.vcf,.ics,.srt,.vtt,.log,.tsv,.tex,.bib,.rst,.adoc,.po,.diff,.patch,.proto,.graphql,.tf,.gradle',
].join(',')

// no Intl formatter at module level: it takes 25 ms on a phone before the first paint
const formatDecimal = (value: number, locale: string) =>
  value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** In text from right to left a Latin unit would come before its number: a mark of direction keeps them in order. */
const withUnit = (value: number, unit: string, locale: string) =>
  `${getDirection(locale) === 'rtl' ? '\u200e' : ''}${formatDecimal(value, locale)} ${unit}`

/** KB to one decimal, at least 0.1 for a file that is not empty. */
export function formatKb(bytes: number, locale = 'en'): string {
  return withUnit(bytes === 0 ? 0 : Math.max(bytes / 1024, 0.1), 'KB', locale)
}

/** KB, MB or GB. */
export function formatSize(bytes: number, locale: string): string {
  const megabytes = bytes / 1024 / 1024
  if (megabytes < 1) return formatKb(bytes, locale)
  return megabytes < 1024 ? withUnit(megabytes, 'MB', locale) : withUnit(megabytes / 1024, 'GB', locale)
}

/** Types by extension, for files without a type from the browser. */
const typeByExtension: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  docm: 'application/vnd.ms-word.document.macroenabled.12',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
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

/** The usual type of files with this extension. */
export function getTypeByExtension(name: string): string | undefined {
  const extension = getExtension(name)
  return Object.hasOwn(typeByExtension, extension) ? typeByExtension[extension] : undefined
}

/**
 * The MIME type that a file is stored with: from the browser, in lower case and without parameters; from the extension if the browser has
 * none, or takes TypeScript for an MPEG transport stream.
 */
export function getStoredType({ name, type }: NamedFile): string {
  const declaredType = (type.split(';')[0] ?? '').trim().toLowerCase()
  const known = getTypeByExtension(name)
  if (declaredType === 'video/mp2t' && getExtension(name) === 'ts') return known ?? unknownType
  return declaredType !== '' && declaredType !== unknownType && /^[\w.+-]+\/[\w.+-]+$/.test(declaredType)
    ? declaredType
    : (known ?? unknownType)
}

/** Maximum size of a file. */
export function getMaxBytes(file: NamedFile): number {
  return /^(video|audio)\//.test(getStoredType(file)) ? maxMediaBytes : maxFileBytes
}
