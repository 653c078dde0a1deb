import { zipSync } from 'fflate'
import { flatDocument } from './detect-kind.ts'
import { DocumentError, OmissionCounter, TimeOver, type ExtractedText } from './extracted-text.ts'
import { OpenDocumentReader, type ReadObject } from './open-document-reader.ts'
import { formatChart } from './read-chart.ts'
import { readMath } from './read-math.ts'
import { readOpenChart } from './read-open-chart.ts'
import { DocumentPackage, parseXml, readAttribute } from './read-package.ts'

const maxBytes = 320 * 1024 * 1024
const maxObjectDepth = 3

function toPackage(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 16_384))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const type = flatDocument.exec(head)?.[1]
  if (type === undefined) return bytes
  const parts = { mimetype: Buffer.from(type), 'content.xml': bytes }
  return zipSync(parts, { level: 0 })
}

/** Whether the manifest says so of the content, or of the whole document (OpenDocument 1.4, part 2, 3.3). */
function isEncrypted(documentPackage: DocumentPackage): boolean {
  let path = ''
  let found = false
  // a manifest that is damaged says nothing
  documentPackage.tryRead('META-INF/manifest.xml', new OmissionCounter(), (part) =>
    parseXml(part, {
      open(name, attributes) {
        if (name === 'file-entry') path = readAttribute(attributes, 'full-path')
        if (name === 'encryption-data' && /^(?:content\.xml|encrypted-package)$/.test(path)) found = true
      },
    }),
  )
  return found
}

export function readOpenDocument(bytes: Uint8Array): ExtractedText {
  const omissions = new OmissionCounter()
  const documentPackage = new DocumentPackage(toPackage(bytes), maxBytes, omissions)
  if (isEncrypted(documentPackage)) throw new DocumentError('encrypted', 'a document with a password')
  documentPackage.require('content.xml')
  const type = new TextDecoder().decode(documentPackage.read('mimetype'))
  if (!/opendocument\.(?:text|spreadsheet|presentation)/.test(type))
    throw new DocumentError('unreadable', 'another kind of document')
  const { text, pageParts, cells } = readParts(documentPackage, type, { folder: '', depth: 0, omissions })
  if (documentPackage.paths.some((path) => path.startsWith('basic/'))) omissions.add('macros')
  for (const part of pageParts) text.add(`${text.length > 0 ? '\n\n' : ''}${part}`)
  const sheets = cells.end()
  return { ...text.end(), ...omissions.list(), ...(sheets && sheets.length > 0 && { sheets }) }
}

interface PartLocation {
  folder: string
  depth: number
  omissions: OmissionCounter
}

function readParts(
  documentPackage: DocumentPackage,
  type: string,
  location: PartLocation,
): OpenDocumentReader {
  const { folder, omissions } = location
  const reader = new OpenDocumentReader(omissions, type.includes('spreadsheet'), (href) =>
    readObject(documentPackage, href, location),
  )
  const styles = documentPackage.read(`${folder}styles.xml`)
  // styles of lists come first, and the pictures of headers count too
  if (styles) reader.read(styles)
  reader.read(documentPackage.require(`${folder}content.xml`))
  return reader
}

function readObject(
  documentPackage: DocumentPackage,
  href: string,
  { folder, depth, omissions }: PartLocation,
): ReturnType<ReadObject> {
  const path = `${folder}${href.replace(/^\.\/|\/$/g, '')}/`
  if (depth >= maxObjectDepth || !/^[^/]/.test(href)) return undefined
  const read = (part: Uint8Array): ReturnType<ReadObject> => {
    const kind = findKind(part)
    if (kind === 'chart') return { text: formatChart(readOpenChart(part, omissions)), isInline: false }
    if (kind === 'math') return { text: readMath(part), isInline: true }
    if (kind === '') return undefined
    const { text } = readParts(documentPackage, kind, { folder: path, depth: depth + 1, omissions })
    const content = text.end().text.trim()
    return { text: content === '' ? '' : `[embedded document]\n${content}`, isInline: false }
  }
  try {
    // one that is damaged counts as not read
    return documentPackage.tryRead(`${path}content.xml`, new OmissionCounter(), read)
  } catch (error) {
    // the document around it hands over what it has
    if (error instanceof TimeOver) return undefined
    throw error
  }
}

function findKind(part: Uint8Array): string {
  let kind = ''
  let body = false
  parseXml(part, {
    open(name, _, prefix) {
      if (kind !== '') return
      if (name === 'math') kind = 'math'
      else if (name === 'body' && prefix === 'office') body = true
      else if (body && prefix === 'office' && /^(?:chart|spreadsheet|text|presentation|drawing)$/.test(name))
        kind = name
    },
  })
  return kind
}
