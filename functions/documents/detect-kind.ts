import type { DocumentKind } from '#shared/document-formats.ts'
import { detectUnicode, isText } from '../files/text-bytes.ts'
import { decryptPackage, isCompound } from './decrypt-package.ts'
import { DocumentError, type DocumentErrorCode } from './extracted-text.ts'
import { DocumentPackage } from './read-package.ts'

const headBytes = 8_192
const compoundBytes = 20 * 1024 * 1024
const packageBytes = 4 * 1024 * 1024

const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** Kinds of packages by the type of their main part (ECMA-376-1, 11.3, 12.3, 13.3). */
const officeParts: readonly (readonly [RegExp, DocumentKind])[] = [
  [
    /wordprocessingml\.(?:document|template)\.main|ms-word\.\w+\.macroEnabledTemplate\.main|ms-word\.\w+\.macroEnabled\.main/i,
    'word',
  ],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.\w+\.macroEnabled\.main/i, 'sheet'],
  [
    /presentationml\.(?:presentation|template|slideshow)\.main|ms-powerpoint\.\w+\.macroEnabled\.main/i,
    'slides',
  ],
]

/** Streams of compound files (MS-CFB) by the program that writes them. */
const compoundStreams: readonly (readonly [stream: string, problem: DocumentErrorCode])[] = [
  ['EncryptedPackage', 'encrypted'],
  ['__properties_version1.0', 'outlook'],
  ['WordDocument', 'oldWord'],
  ['PowerPoint Document', 'oldSlides'],
  ['Workbook', 'oldSheet'],
  ['Book', 'oldSheet'],
]

const unread: readonly (readonly [magic: string, problem: DocumentErrorCode])[] = [
  ...["7z\xbc\xaf'\x1c", 'Rar!\x1a\x07', '\x1f\x8b\x08', 'BZh', '\xfd7zXZ\x00', '\x28\xb5\x2f\xfd'].map(
    (magic) => [magic, 'archive'] as const,
  ),
  ['SQLite format 3\x00', 'unsupported'],
  ['PAR1', 'unsupported'],
]

const isPlain = (wanted: DocumentKind) => wanted === 'unknown' || wanted === 'text' || wanted === 'csv'

function detectPackage(bytes: Uint8Array, wanted: DocumentKind): DocumentKind {
  const found = new DocumentPackage(bytes, packageBytes)
  const paths = new Set(found.paths)
  const tryRead = (path: string) => {
    try {
      const part = found.read(path)
      return part ? new TextDecoder().decode(part) : ''
    } catch {
      return ''
    }
  }
  const type = tryRead('mimetype').slice(0, 200).trim()
  if (/^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?:-template)?$/.test(type))
    return 'openDocument'
  if (type === 'application/epub+zip' || paths.has('meta-inf/container.xml')) return 'book'
  const types = tryRead('[content_types].xml')
  const office = officeParts.find(([pattern]) => pattern.test(types))?.[1]
  if (office) return office
  if (paths.has('word/document.xml')) return 'word'
  if (paths.has('xl/workbook.xml')) return 'sheet'
  if (paths.has('ppt/presentation.xml')) return 'slides'
  if (paths.has('xl/workbook.bin')) throw new DocumentError('oldSheet', 'a binary workbook')
  if (found.paths.some((path) => path.endsWith('.iwa') || path === 'index.zip' || path === 'index.apxl'))
    throw new DocumentError('iwork', 'a document of Apple')
  if (!isPlain(wanted)) return wanted
  throw new DocumentError(type === '' ? 'archive' : 'unsupported', 'an archive')
}

function detectCompound(bytes: Uint8Array, wanted: DocumentKind): DocumentKind {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, compoundBytes))
  const found = compoundStreams.find(([stream]) => content.includes(Buffer.from(`${stream}\0`, 'utf16le')))
  if (found?.[1] === 'encrypted' && decryptPackage(bytes)) return detectPackage(bytes, wanted)
  if (found) throw new DocumentError(found[1], `a compound file with ${found[0]}`)
  if (isPlain(wanted)) throw new DocumentError('unsupported', 'a compound file')
  return wanted
}

const mailFields =
  /^(?:return-path|received|delivered-to|from|to|cc|subject|date|message-id|mime-version|content-type|reply-to|x-[\w-]{1,60}|dkim-signature|authentication-results|arc-[\w-]{1,60}|list-[\w-]{1,60}|importance|thread-[\w-]{1,60}):/i

function isMail(text: string): boolean {
  const head = text.replace(/^(?:\r?\n|>From [^\n]{0,200}\n){1,20}/, '')
  const [fields = ''] = head.split(/\r?\n\r?\n/, 1)
  const lines = fields.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line))
  const known = lines.filter((line) => mailFields.test(line))
  const names = new Set(known.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()))
  const needed = ['from', 'to', 'subject', 'date', 'message-id', 'received', 'mime-version'].filter((name) =>
    names.has(name),
  )
  return needed.length >= 3 && lines.every((line) => /^[!-9;-~]{1,80}:/.test(line))
}

/** An OpenDocument file that is one part, not a package (OpenDocument 1.3, part 3, 3.1.2). */
export const flatDocument =
  /^(?:\ufeff|\s|<\?xml[^>]{0,300}>|<!--[^]{0,2000}?-->){0,20}<office:document\s[^>]{0,8000}?\boffice:mimetype="(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)(?:-template)?)"/

function readHead(bytes: Uint8Array): string {
  const encoding = detectUnicode(bytes.subarray(0, headBytes))
  const sample = bytes.subarray(0, headBytes)
  const head =
    encoding && !encoding.startsWith('utf-32')
      ? new TextDecoder(encoding).decode(sample)
      : latin1(sample, 0, headBytes)
  return head.replace(/^\ufeff|^\xef\xbb\xbf/, '').trimStart()
}

/** XML Spreadsheet 2003. Its names have a prefix, or not. */
const isXmlSpreadsheet = (head: string) =>
  head.includes('urn:schemas-microsoft-com:office:spreadsheet') && /<(?:\w{1,20}:)?Workbook\s/.test(head)

function detectText(head: string): DocumentKind | undefined {
  if (head.startsWith('{\\rtf')) return 'rtf'
  if (/^BEGIN:VCARD\s/i.test(head)) return 'contacts'
  if (/^BEGIN:VCALENDAR\s/i.test(head)) return 'calendar'
  if (/^From [^:\s]\S{0,299} [^\n]{8,80}\r?\n[\w-]{1,80}:/.test(head)) return 'mailbox'
  if (isMail(head)) return 'mail'
  if (flatDocument.test(head)) return 'openDocument'
  const markup = head.replace(/^(?:<\?xml[^>]{0,300}>|<!--[^]{0,2000}?-->|\s){1,20}/, '')
  return /^<(?:!doctype html|html|head|body|table|meta)[\s>]/i.test(markup) ? 'html' : undefined
}

/** Selects the reader by the content; what that does not tell, the name has decided. @throws DocumentError for what is known, and not read */
export function detectKind(bytes: Uint8Array, wanted: DocumentKind): DocumentKind {
  const start = latin1(bytes, 0, 1_024)
  if (start.startsWith('%PDF-') || (start.includes('%PDF-') && !isText(bytes.subarray(0, 65_536))))
    return 'pdf'
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return detectPackage(bytes, wanted)
  if (isCompound(bytes)) return detectCompound(bytes, wanted)
  const problem = unread.find(([magic]) => start.startsWith(magic))?.[1]
  if (problem && !isText(bytes)) throw new DocumentError(problem, 'known by its first bytes')
  if (latin1(bytes, 257, 262) === 'ustar') throw new DocumentError('archive', 'tar')
  if (wanted !== 'html' && isText(bytes) && isXmlSpreadsheet(readHead(bytes))) return 'sheet'
  // the name of a source file says how its text is meant
  if (wanted === 'text' || wanted === 'csv' || wanted === 'notebook') return wanted
  const text = isText(bytes) ? detectText(readHead(bytes)) : undefined
  // a message may be a mailbox, and a mailbox a message; a page is not looked at twice
  if (text && wanted !== 'html') return text
  return wanted === 'unknown' ? 'text' : wanted
}
