import { crc32 } from 'node:zlib'
import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { detectUnicode, isUtf8 } from '../files/text-bytes.ts'
import { decryptPackage, isCompound } from './decrypt-package.ts'
import { DocumentError, type OmissionCounter } from './extracted-text.ts'

const maxEntries = 20_000

const usualMainParts = ['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml']

export interface Relationship {
  id: string
  /** the last segment of its type, such as 'worksheet': the rest differs between the transitional and the strict format */
  type: string
  /** path of a part; empty for what is outside the package */
  path: string
  target: string
}

/** Part names ignore case (ECMA-376-2, 6.2.2.3). Some writers use backslashes, or begin names with a slash. */
/** Programs write accents of names as letters of their own, or not. */
const normalizePath = (path: string) =>
  path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase().normalize('NFC')

const isXml = (path: string) => /\.(xml|rels|vml)$/.test(path)

export class DocumentPackage {
  readonly #bytes: Uint8Array
  readonly #maxBytes: number
  readonly #omissions: OmissionCounter | undefined
  readonly #entries = new Map<string, { name: string; checksum: number; isChecked?: true }>()
  #total = 0

  /** @param maxBytes of all parts that are read, together @throws DocumentError `unreadable` if this is not a package, or `tooLarge` */
  constructor(bytes: Uint8Array, maxBytes: number, omissions?: OmissionCounter) {
    this.#omissions = omissions
    this.#bytes = (isCompound(bytes) && decryptPackage(bytes)) || bytes
    this.#maxBytes = maxBytes
    const checksums = listChecksums(this.#bytes)
    let entries = 0
    this.#unzip(({ name }) => {
      entries += 1
      if (entries > maxEntries) throw new DocumentError('tooLarge', 'too many entries')
      const path = normalizePath(name)
      if (!this.#entries.has(path)) this.#entries.set(path, { name, checksum: checksums[entries - 1] ?? 0 })
      return false
    })
  }

  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  has(path: string): boolean {
    return this.#entries.has(normalizePath(path))
  }

  /** Unpacks a part; XML is in UTF-8. @returns undefined if there is none @throws DocumentError if it is damaged, or too large */
  read(path: string): Uint8Array | undefined {
    const part = this.readBytes(path)
    if (!part || !isXml(normalizePath(path))) return part
    return prepareXml(part)
  }

  /** Unpacks a part as it is, for readers of other markup. @returns undefined if there is none @throws DocumentError as `read` */
  readBytes(path: string): Uint8Array | undefined {
    const known = this.#entries.get(normalizePath(path))
    if (!known) return undefined
    let isFound = false
    // a part that is larger than its declared size is truncated, so checking the declared sizes limits memory
    const parts = this.#unzip((entry) => {
      if (isFound || entry.name !== known.name) return false
      isFound = true
      // what is stored without compression is copied whole, whatever size it claims, and entries may share their bytes
      this.#total += Math.max(entry.size, entry.originalSize)
      if (this.#total > this.#maxBytes)
        throw new DocumentError('tooLarge', `unpacks to more than ${this.#maxBytes} bytes`)
      return true
    })
    const part = parts[known.name]
    // some programs write none
    if (part && known.checksum !== 0 && !known.isChecked && crc32(part) !== known.checksum)
      this.#omissions?.note('unproven')
    known.isChecked = true
    return part
  }

  require(path: string, isRaw = false): Uint8Array {
    const part = isRaw ? this.readBytes(path) : this.read(path)
    if (!part) throw new DocumentError('unreadable', `no part ${path}`)
    return part
  }

  /** Counts a part that is damaged or missing as left out. @param path empty if the document has no such part @throws DocumentError `tooLarge` */
  tryRead<Result>(
    path: string,
    omissions: OmissionCounter,
    read: (part: Uint8Array) => Result,
    isRaw = false,
  ): Result | undefined {
    if (path === '') return undefined
    try {
      return read(this.require(path, isRaw))
    } catch (error) {
      if (!(error instanceof DocumentError) || error.problem !== 'unreadable') throw error
      omissions.add('parts')
      return undefined
    }
  }

  relationships(path: string): Relationship[] {
    const at = path.lastIndexOf('/')
    const folder = path.slice(0, at + 1)
    const part = this.read(`${folder}_rels/${path.slice(at + 1)}.rels`)
    const found: Relationship[] = []
    if (!part) return found
    parseXml(part, {
      open(name, { Id = '', Type = '', Target = '', TargetMode = '' }) {
        if (name !== 'Relationship') return
        const isExternal = TargetMode.toLowerCase() === 'external'
        found.push({
          id: Id,
          type: Type.slice(Type.lastIndexOf('/') + 1),
          path: isExternal ? '' : resolvePath(folder, Target),
          target: Target,
        })
      },
    })
    return found
  }

  findMain(): string {
    const path =
      this.relationships('').find(({ type }) => type === 'officeDocument')?.path ??
      usualMainParts.find((usual) => this.#entries.has(usual))
    if (path === undefined) throw new DocumentError('unreadable', 'no document in the package')
    return path
  }

  #unzip(filter: (entry: { name: string; size: number; originalSize: number }) => boolean) {
    try {
      return unzipSync(this.#bytes, { filter })
    } catch (error) {
      if (error instanceof DocumentError) throw error
      throw new DocumentError('unreadable', 'no package', { cause: error })
    }
  }
}

function listChecksums(bytes: Uint8Array): number[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = file.lastIndexOf('PK\x05\x06', file.length - 22)
  const checksums: number[] = []
  if (end < 0) return checksums
  for (let at = file.readUInt32LE(end + 16); at + 46 <= end && checksums.length <= maxEntries;) {
    if (file.readUInt32LE(at) !== 0x02014b50) break
    checksums.push(file.readUInt32LE(at + 16))
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return checksums
}

function resolvePath(folder: string, target: string): string {
  const base = 'x:/'
  const path = target.replaceAll('\\', '/')
  try {
    return normalizePath(decodeURI(new URL(path, `${base}${folder}`).pathname))
  } catch {
    return normalizePath(path)
  }
}

const declaration = /^\s{0,20}<\?xml\s[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})/

/** XML may be in UTF-16, or in the encoding that it declares. A part that is valid UTF-8 is that, whatever it declares. */
function toUtf8(part: Uint8Array): Uint8Array {
  const encoding = detectUnicode(part.subarray(0, 1_024))
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return Buffer.from(new TextDecoder(encoding).decode(part))
  const label = declaration.exec(Buffer.from(part.subarray(0, 300)).toString('latin1'))?.[1]
  if (label === undefined || /^utf-?(?:8|16)$/i.test(label) || isUtf8(part)) return part
  try {
    return Buffer.from(new TextDecoder(label).decode(part))
  } catch {
    // a name that is not known
    return part
  }
}

/**
 * Entities that expand into gigabytes have to be defined. A document type alone defines none: nothing is loaded that it names, and programs
 * write one into formulas and chapters.
 */
function rejectEntityDefinitions(part: Uint8Array): void {
  const content = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  if (content.includes('<!ENTITY')) throw new DocumentError('unreadable', 'a part defines entities')
}

export function prepareXml(part: Uint8Array): Uint8Array {
  const content = toUtf8(part)
  rejectEntityDefinitions(content)
  return content
}

export type XmlAttributes = Readonly<Record<string, string>>

export interface XmlHandlers {
  open?: (name: string, attributes: XmlAttributes, prefix: string) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)
const chunkBytes = 256 * 1024

/** Reads an attribute whatever its prefix, such as `w:val`. @returns an empty string if there is none */
export const isOn = (value: string) => value === '1' || value.toLowerCase() === 'true'

export function readAttribute(attributes: XmlAttributes, localName: string): string {
  const exact = attributes[localName]
  if (exact !== undefined) return exact
  for (const name in attributes) if (toLocalName(name) === localName) return attributes[name] ?? ''
  return ''
}

/** Reads `r:id`, whatever its prefix. It differs from `id` without a prefix. */
export function readRelationshipId(attributes: XmlAttributes): string {
  for (const name in attributes) if (/^[^:]+:id$/.test(name)) return attributes[name] ?? ''
  return ''
}

export function runParser(parser: SaxesParser, part: Uint8Array): void {
  parser.on('error', (error) => {
    throw new DocumentError('unreadable', 'a part is not XML', { cause: error })
  })
  const decoder = new TextDecoder()
  for (let offset = 0; offset < part.length; offset += chunkBytes)
    parser.write(decoder.decode(part.subarray(offset, offset + chunkBytes), { stream: true }))
  parser.write(decoder.decode()).close()
}

/** They say where a word may be divided, and divide it for who searches for it. */
export const withoutSoftHyphens = (text: string): string => text.replaceAll('\u00ad', '')

export function parseXml(part: Uint8Array, { open, text, close }: XmlHandlers): void {
  const parser = new SaxesParser()
  if (open)
    parser.on('opentag', ({ name, attributes }) =>
      open(toLocalName(name), attributes as XmlAttributes, name.slice(0, Math.max(0, name.indexOf(':')))),
    )
  if (text) {
    const addText = (content: string) => text(withoutSoftHyphens(content))
    parser.on('text', addText)
    parser.on('cdata', addText)
  }
  if (close) parser.on('closetag', ({ name }) => close(toLocalName(name)))
  runParser(parser, part)
}
