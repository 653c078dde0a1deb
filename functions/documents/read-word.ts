import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { prepareWordPart } from './prepare-word.ts'
import { DocumentPackage, parseXml } from './read-package.ts'
import { readWordNumbering } from './word-numbering.ts'
import { formatWord, pagePartsStyle, type WordElement } from './format-word.ts'

/** Parsed into a tree, XML takes twenty times its size in memory. */
const maxBytes = 24 * 1024 * 1024

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** Headers or footers as a table with a row for each, which mammoth reads with the document. */
function writePageParts(kind: 'header' | 'footer', cells: readonly string[]): string {
  if (cells.length === 0) return ''
  const rows = cells.map((cell) => `<w:tr>${cell}</w:tr>`).join('')
  const style = `<w:tblPr><w:tblStyle w:val="${pagePartsStyle[kind]}"/></w:tblPr>`
  return `<w:tbl xmlns:w="${wordNamespace}">${style}${rows}</w:tbl>`
}

/** @returns the part, if it is XML @throws DocumentError */
function checkXml(part: Uint8Array): Uint8Array {
  parseXml(part, {})
  return part
}

/** The parts of a document as mammoth finds them, rewritten so that it reads all of their text. */
function prepareParts(
  documentPackage: DocumentPackage,
  omissions: OmissionCounter,
): Record<string, Uint8Array> {
  const path = documentPackage.findMain()
  const related = documentPackage.relationships(path)
  const find = (type: string) => related.find((one) => one.type === type)?.path ?? ''
  const styles = documentPackage.tryRead(find('styles'), omissions, checkXml)
  const lists = documentPackage.tryRead(find('numbering'), omissions, checkXml)
  const numbering = readWordNumbering(lists, styles)
  omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)

  const cellsOf = (kind: 'header' | 'footer') =>
    related
      .filter(({ type }) => type === kind)
      .flatMap((part) => documentPackage.tryRead(part.path, omissions, writeCell) ?? [])
  const writeCell = (bytes: Uint8Array) => {
    const { rootTag, content } = prepareWordPart(bytes, { omissions, dropReferences: true })
    const prefix = /^<((?:[^\s:/>]+:)?)/.exec(rootTag)?.[1] ?? ''
    const namespaces = rootTag.slice(1 + prefix.length).replace(/^[^\s/>]+/, '')
    return `<${prefix}tc${namespaces}${content}</${prefix}tc>`
  }
  const document = prepareWordPart(documentPackage.require(path), { numbering, omissions }).xml
  const bodyAt = /<(?:[^\s:/<>]+:)?body(?:\s[^<>]*)?>/.exec(document)
  const at = bodyAt ? bodyAt.index + bodyAt[0].length : document.length
  const parts: Record<string, Uint8Array> = {
    'word/document.xml': Buffer.from(
      document.slice(0, at) +
        writePageParts('header', cellsOf('header')) +
        writePageParts('footer', cellsOf('footer')) +
        document.slice(at),
    ),
    // mammoth fails for styles of tables if there are none
    'word/styles.xml': styles ?? Buffer.from(`<w:styles xmlns:w="${wordNamespace}"/>`),
    ...(lists && { 'word/numbering.xml': lists }),
  }
  const copyRelationships = (from: string, name: string) => {
    const folderAt = from.lastIndexOf('/') + 1
    const bytes = documentPackage.read(`${from.slice(0, folderAt)}_rels/${from.slice(folderAt)}.rels`)
    if (bytes) parts[`word/_rels/${name}.xml.rels`] = bytes
  }
  copyRelationships(path, 'document')
  for (const type of ['footnotes', 'endnotes', 'comments']) {
    const xml = documentPackage.tryRead(
      find(type),
      omissions,
      (part) => prepareWordPart(part, { omissions }).xml,
    )
    if (xml === undefined) continue
    parts[`word/${type}.xml`] = Buffer.from(xml)
    copyRelationships(find(type), type)
  }
  return parts
}

/** Reads docx, docm and their templates. @throws DocumentError */
export async function readWord(bytes: Uint8Array): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const parts = prepareParts(new DocumentPackage(bytes, maxBytes), omissions)
  let document: WordElement | undefined
  try {
    // mammoth unpacks without limits, so it gets an uncompressed package of the parts that were read
    await mammoth.convertToHtml(
      { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
      {
        transformDocument(read: WordElement) {
          document = read
          // only the tree is needed, so there is nothing to convert
          return { ...read, children: [], comments: [] }
        },
      },
    )
  } catch (error) {
    throw new DocumentError('unreadable', 'not a Word document', { cause: error })
  }
  const text = new TextCollector()
  if (document) text.add(formatWord(document))
  return { ...text.end(), omitted: omissions.end() }
}
