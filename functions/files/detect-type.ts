import { getExtension, isTextType, getTypeByExtension, type NamedFile } from '#shared/file-kinds.ts'
import { detectImageType } from '#shared/image-signatures.ts'
import type { UntrustedFile } from '../platform/untrusted-file.ts'
import {
  ascii,
  compound,
  hasKnownSignature,
  isProgram,
  matchesSignature,
  matchesType,
  programTypes,
} from './file-content.ts'
import { sanitizeFileName } from './file-name.ts'
import { isText } from './text-bytes.ts'

interface DetectedType {
  type: string
  extension: string
}

const office = 'application/vnd.openxmlformats-officedocument.'
const openDocument = 'application/vnd.oasis.opendocument.'

/** Types that are known by their first bytes. The first extension is the usual one. */
const binaryTypes: readonly (readonly [type: string, extensions: string])[] = [
  ['image/png', 'png'],
  ['image/jpeg', 'jpg jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['application/pdf', 'pdf'],
  ['application/rtf', 'rtf'],
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg oga opus'],
  ['audio/flac', 'flac'],
  ['audio/mp4', 'm4a'],
  ['application/zip', 'zip'],
]

/**
 * Not for uploads, for which browsers declare more audio types than these. Stricter for PDF: a polyglot file needs other bytes before the
 * signature.
 */
const strictSignatures: Readonly<Record<string, readonly (readonly (number | null)[])[]>> = {
  'application/pdf': [ascii('%PDF-')],
  'application/rtf': [ascii('{\\rtf')],
  'audio/wav': [[...ascii('RIFF'), null, null, null, null, ...ascii('WAVE')]],
  'audio/mpeg': [ascii('ID3'), ...[0xfb, 0xf3, 0xf2, 0xfa].map((second) => [0xff, second])],
  'audio/ogg': [ascii('OggS')],
  'audio/flac': [ascii('fLaC')],
  // four bytes of length
  'audio/mp4': [[null, null, null, null, ...ascii('ftypM4A')]],
}

const isType = (content: Uint8Array, type: string) =>
  strictSignatures[type]?.some((bytes) => matchesSignature(content, { bytes })) ?? matchesType(content, type)

/** Documents that are ZIP archives inside, without macros. */
const officeExtensions: Readonly<Record<string, string>> = {
  [`${office}wordprocessingml.document`]: 'docx',
  [`${office}spreadsheetml.sheet`]: 'xlsx',
  [`${office}presentationml.presentation`]: 'pptx',
  [`${openDocument}text`]: 'odt',
  [`${openDocument}spreadsheet`]: 'ods',
  [`${openDocument}presentation`]: 'odp',
  'application/epub+zip': 'epub',
}

/** Text types that are stored as declared. Any other, such as SVG or HTML, becomes plain text, so that nothing ever renders it. */
const textTypes: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/markdown': 'md',
  'application/json': 'json',
}

const plainText = 'text/plain'
/** Extensions of text files that no system runs when they are opened. */
const textExtensions = new Set(
  'txt md csv json jsonl xml svg html css yaml yml log tsv eml mbox ics vcf ipynb'.split(' '),
)
/** Extensions that bytes without a known type keep. */
const inertExtensions = new Set([
  ...textExtensions,
  ...'pdf doc docx odt ppt pptx odp xls xlsx ods'.split(' '),
  ...'png jpg jpeg gif webp avif bmp heic heif ico tif tiff'.split(' '),
  ...'mp3 wav ogg oga m4a flac aac opus mp4 m4v mov webm mkv avi mpg mpeg ogv'.split(' '),
  ...'zip rar 7z tar gz tgz bz2 xz'.split(' '),
])

function findBinaryType(bytes: Uint8Array, declaredType: string): DetectedType | undefined {
  const declared = [declaredType, findPackageType(bytes, []) ?? '']
  const known = matchesType(bytes, 'application/zip')
    ? declared.find((type) => Object.hasOwn(officeExtensions, type))
    : undefined
  if (known !== undefined) return { type: known, extension: officeExtensions[known] ?? '' }
  const found = binaryTypes.find(([type]) => isType(bytes, type))
  return found && { type: found[0], extension: found[1].split(' ')[0] ?? '' }
}

/** The name with an extension that fits the content, so that an image is not saved as a program. */
function fitName(name: string, extension: string, isFitting: (extension: string) => boolean): string {
  const safe = sanitizeFileName(name)
  return isFitting(getExtension(safe)) ? safe : sanitizeFileName(`${safe}.${extension}`)
}

/**
 * The type and name that a file from outside is stored with, by its content.
 * @returns undefined for a program
 */
export function identifyFile({
  name,
  declaredType,
  bytes,
}: UntrustedFile): { name: string; type: string } | undefined {
  if (isProgram(bytes)) return undefined
  const binary = findBinaryType(bytes, declaredType)
  if (binary) {
    const { type, extension } = binary
    const extensions = binaryTypes.find(([known]) => known === type)?.[1].split(' ') ?? [extension]
    return { type, name: fitName(name, extension, (one) => extensions.includes(one)) }
  }
  if (isText(bytes)) {
    const extension = Object.hasOwn(textTypes, declaredType) ? textTypes[declaredType] : undefined
    const type = extension === undefined ? plainText : declaredType
    return { type, name: fitName(name, extension ?? 'txt', (one) => textExtensions.has(one)) }
  }
  const isInert = (extension: string) => inertExtensions.has(extension)
  return { type: 'application/octet-stream', name: fitName(name, 'bin', isInert) }
}

const unknownType = 'application/octet-stream'
/** Office documents, and other types of which only the inside tells what they are. */
const isOfficeType = (type: string) => /officedocument|opendocument|ms-?(?:word|excel|powerpoint)/.test(type)

/**
 * The type that an upload is stored with, by its content. Its name and the browser's type only choose among types that the content fits:
 * a JPEG named .png is a JPEG, a text named .docx a text.
 * @param head the first bytes of the file
 * @param declared its name, and the type it was announced with
 * @returns undefined for a program under the name of something else
 */
export function detectUploadType(head: Uint8Array, { name, type }: NamedFile): string | undefined {
  if (isProgram(head)) return programTypes.includes(type) ? type : undefined
  const image = detectImageType(head)
  if (image !== undefined) return image
  const fromName = getTypeByExtension(name) ?? unknownType
  if (matchesType(head, 'application/zip') || matchesSignature(head, compound))
    // archives of other names, such as .jar, keep their type
    return (
      findPackageType(head, [type, fromName]) ??
      [type, fromName].find(isOfficeType) ??
      (isContradicted(head, type) ? unknownArchiveType(head) : type)
    )
  if (matchesType(head, 'application/pdf') && (type === 'application/pdf' || isPdfAtStart(head)))
    return 'application/pdf'
  if (isText(head)) return [type, fromName].find(isTextType) ?? plainText
  // a damaged document stays one: its reader says that it cannot be read
  return isContradicted(head, type) && !isOfficeType(type) && type !== 'application/pdf' ? unknownType : type
}

/** The types of packages by the names of their parts. */
const packageTypes: readonly (readonly [part: RegExp, type: string])[] = [
  [/^word\//i, `${office}wordprocessingml.document`],
  [/^xl\//i, `${office}spreadsheetml.sheet`],
  [/^ppt\//i, `${office}presentationml.presentation`],
]
/** Old types of Office stand for any document of their names. */
const isOldOfficeType = (type: string) => /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint))$/.test(type)

/** Where a part of an archive ends, so that the parts of an archive in it are not taken for its own; behind its name if it states no size. */
function findEnd(archive: Buffer, at: number): number {
  const isSizeKnown = (archive.readUInt16LE(at + 6) & 8) === 0
  const size = isSizeKnown ? archive.readUInt32LE(at + 18) : 0
  return at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28) + size
}

/**
 * The type of a package by its first parts, whatever its name.
 * @param declared types that win if they are of the same family: a template, or one with macros
 */
function findPackageType(head: Uint8Array, declared: readonly string[]): string | undefined {
  const content = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const text = content.toString('latin1')
  const stated = /^PK[^]{28}mimetype(application\/[\w.+-]{1,80}?)(?:PK|$)/.exec(text)?.[1]
  if (stated === 'application/epub+zip' || stated?.startsWith(openDocument)) return stated
  for (
    let at = content.indexOf('PK\u0003\u0004');
    at >= 0;
    at = content.indexOf('PK\u0003\u0004', findEnd(content, at))
  ) {
    if (at + 30 > content.length) break
    const name = content
      .toString('latin1', at + 30, at + 30 + content.readUInt16LE(at + 26))
      .replaceAll('\\', '/')
    const found = packageTypes.find(([part]) => part.test(name.replace(/^\//, '')))?.[1]
    if (found === undefined) continue
    const [, family = ''] = /(wordprocessingml|spreadsheetml|presentationml)/.exec(found) ?? []
    const macros =
      { wordprocessingml: 'ms-word.', spreadsheetml: 'ms-excel.', presentationml: 'ms-powerpoint.' }[
        family
      ] ?? family
    return (
      declared.find((type) => (type.includes(family) || type.includes(macros)) && !isOldOfficeType(type)) ??
      found
    )
  }
  return undefined
}

const unknownArchiveType = (head: Uint8Array) =>
  matchesSignature(head, compound) ? unknownType : 'application/zip'
const isPdfAtStart = (head: Uint8Array) => matchesSignature(head, { bytes: ascii('%PDF-') })

/** Whether the content is not what the type says. */
const isContradicted = (head: Uint8Array, type: string) =>
  hasKnownSignature(type) ? !matchesType(head, type) : isTextType(type) || type.startsWith('image/')
