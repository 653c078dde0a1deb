import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import {
  DocumentError,
  isTimeOver,
  OmissionCounter,
  TextCollector,
  TimeOver,
  type ExtractedText,
} from './extracted-text.ts'
import { prepareWordPart, type PrepareOptions } from './prepare-word.ts'
import { DocumentPackage, parseXml } from './read-package.ts'
import { readWordNumbering } from './word-numbering.ts'
import { pagePartsStyle, WordFormatter, type WordElement } from './format-word.ts'
import { readWordStyles } from './word-styles.ts'

/** Of the body's XML: when the time is over, the text of the chunks before is there. Notes are read with each chunk. */
const minChunkLength = 2 * 1024 * 1024

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

/** The packages that mammoth reads one after the other, rewritten so that it reads all of their text. */
function prepareParts(
  documentPackage: DocumentPackage,
  omissions: OmissionCounter,
): Record<string, Uint8Array>[] {
  const path = documentPackage.findMain()
  const related = documentPackage.relationships(path)
  const find = (type: string) => related.find((one) => one.type === type)?.path ?? ''
  const styleSheet = documentPackage.tryRead(find('styles'), omissions, checkXml)
  const lists = documentPackage.tryRead(find('numbering'), omissions, checkXml)
  const numbering = readWordNumbering(lists, styleSheet)
  const styles = readWordStyles(styleSheet)
  omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)

  const prepare = (bytes: Uint8Array, from: string, options: Partial<PrepareOptions> = {}) =>
    prepareWordPart(bytes, {
      omissions,
      styles,
      related: from === path ? related : documentPackage.relationships(from),
      tryRead: (relatedPath, read) => documentPackage.tryRead(relatedPath, omissions, read),
      ...options,
    })
  const listCells = (kind: 'header' | 'footer') =>
    related
      .filter(({ type }) => type === kind)
      .flatMap(
        (part) => documentPackage.tryRead(part.path, omissions, (bytes) => writeCell(bytes, part.path)) ?? [],
      )
  const writeCell = (bytes: Uint8Array, from: string) => {
    const { rootTag, content } = prepare(bytes, from, { dropReferences: true })
    const prefix = /^<((?:[^\s:/>]+:)?)/.exec(rootTag)?.[1] ?? ''
    const namespaces = rootTag.slice(1 + prefix.length).replace(/^[^\s/>]+/, '')
    return `<${prefix}tc${namespaces}${content}</${prefix}tc>`
  }
  const common: Record<string, Uint8Array> = {
    // mammoth fails for styles of tables if there are none
    'word/styles.xml': styleSheet ?? Buffer.from(`<w:styles xmlns:w="${wordNamespace}"/>`),
    ...(lists && { 'word/numbering.xml': lists }),
  }
  const copyRelationships = (from: string, name: string) => {
    const folderAt = from.lastIndexOf('/') + 1
    const bytes = documentPackage.read(`${from.slice(0, folderAt)}_rels/${from.slice(folderAt)}.rels`)
    if (bytes) common[`word/_rels/${name}.xml.rels`] = bytes
  }
  copyRelationships(path, 'document')
  for (const type of ['footnotes', 'endnotes', 'comments']) {
    const xml = documentPackage.tryRead(find(type), omissions, (part) => prepare(part, find(type)).xml)
    if (xml === undefined) continue
    common[`word/${type}.xml`] = Buffer.from(xml)
    copyRelationships(find(type), type)
  }
  const commonLength = Object.values(common).reduce((sum, { length }) => sum + length, 0)
  const { rootTag, chunks, xml } = prepare(documentPackage.require(path), path, {
    numbering,
    chunkLength: Math.max(minChunkLength, commonLength),
  })
  const name = /^<([^\s/>]+)/.exec(rootTag)?.[1] ?? ''
  const body = `${name.slice(0, name.indexOf(':') + 1)}body`
  if (chunks.length === 0) return [{ ...common, 'word/document.xml': Buffer.from(xml) }]
  const write = (content: string, index: number) =>
    [
      `${rootTag}<${body}>`,
      index === 0 ? writePageParts('header', listCells('header')) : '',
      content,
      index === chunks.length - 1 ? writePageParts('footer', listCells('footer')) : '',
      `</${body}></${name}>`,
    ].join('')
  return chunks.map((content, index) => ({
    ...common,
    'word/document.xml': Buffer.from(write(content, index)),
  }))
}

/** @returns the tree of a document @throws DocumentError */
async function readTree(parts: Record<string, Uint8Array>): Promise<WordElement | undefined> {
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
  return document
}

/** Reads docx, docm and their templates. @throws DocumentError */
export async function readWord(bytes: Uint8Array): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const text = new TextCollector()
  const formatter = new WordFormatter(text)
  for (const parts of prepareParts(new DocumentPackage(bytes, maxBytes), omissions)) {
    if (text.length > 0 && isTimeOver()) throw new TimeOver(text)
    const document = await readTree(parts)
    if (document) formatter.add(document)
  }
  return { ...text.end(), ...omissions.list() }
}
