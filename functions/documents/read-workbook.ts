import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { compileFormat, formatGeneral, type FormatNumber } from './number-format.ts'
import { decodeEscapes, readCells, type CellContext, type Formula } from './read-cells.ts'
import {
  DocumentPackage,
  parseXml,
  readAttribute,
  readRelationshipId,
  type Relationship,
} from './read-package.ts'
import { readShapes } from './read-shapes.ts'
import { formatCell, formatRow } from './write-table.ts'

const maxBytes = 160 * 1024 * 1024
/** Formulas, and links, that are listed below a sheet. */
const maxListed = 50
/** Rows have as many cells as the widest before them, up to this. */
const maxPaddedWidth = 50

/** Strings that cells refer to by index, without phonetic hints. */
function readSharedStrings(part: Uint8Array): string[] {
  const strings: string[] = []
  let current = ''
  let inText = false
  let hintDepth = 0
  parseXml(part, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') hintDepth += 1
      inText = name === 't' && hintDepth === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 'si') strings.push(decodeEscapes(current))
      if (name === 'rPh') hintDepth -= 1
      inText = false
    },
  })
  return strings
}

/** How each cell style shows numbers. */
function readFormats(part: Uint8Array, is1904: boolean): FormatNumber[] {
  const formats: FormatNumber[] = []
  const codes = new Map<string, string>()
  const compiled = new Map<string, FormatNumber>()
  let inCells = false
  parseXml(part, {
    open(name, attributes) {
      const id = readAttribute(attributes, 'numFmtId')
      if (name === 'numFmt') codes.set(id, readAttribute(attributes, 'formatCode'))
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const known = compiled.get(id) ?? compileFormat(Number(id), codes.get(id), is1904)
      compiled.set(id, known)
      formats.push(known)
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

interface Sheet {
  name: string
  isHidden: boolean
  relationshipId: string
}

function readSheetList(part: Uint8Array) {
  const sheets: Sheet[] = []
  let is1904 = false
  let hasPlaceholders = false
  const isOn = (value: string) => value === '1' || value === 'true'
  parseXml(part, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isOn(readAttribute(attributes, 'date1904'))
      if (name === 'calcPr') hasPlaceholders = isOn(readAttribute(attributes, 'fullCalcOnLoad'))
      if (name === 'sheet')
        sheets.push({
          name: readAttribute(attributes, 'name'),
          isHidden: /hidden/i.test(readAttribute(attributes, 'state')),
          relationshipId: readRelationshipId(attributes),
        })
    },
  })
  return { sheets, is1904, hasPlaceholders }
}

/** Comments by cell, with their authors. */
type Comments = Map<string, string[]>

/** Reads notes (ECMA-376-1, 18.7) and threaded comments (MS-XLSX 2.6.206), which have the same shape. */
function readComments(part: Uint8Array, people: ReadonlyMap<string, string>): Comments {
  const comments: Comments = new Map()
  const authors: string[] = []
  let comment: { ref: string; author: string; text: string } | undefined
  let target: 'author' | 'text' | undefined
  parseXml(part, {
    open(name, attributes) {
      target = name === 'author' ? 'author' : name === 't' || name === 'text' ? 'text' : undefined
      if (name === 'author') authors.push('')
      if (name === 'comment' || name === 'threadedComment')
        comment = {
          ref: readAttribute(attributes, 'ref'),
          author:
            authors[Number(readAttribute(attributes, 'authorId') || NaN)] ??
            people.get(readAttribute(attributes, 'personId')) ??
            '',
          text: '',
        }
    },
    text(text) {
      if (target === 'author') authors[authors.length - 1] += text
      if (target === 'text' && comment) comment.text += text
    },
    close(name) {
      target = undefined
      if ((name !== 'comment' && name !== 'threadedComment') || !comment) return
      const { ref, author, text } = comment
      const shown = `[comment${author.trim() === '' ? '' : ` by ${author.trim()}`}: ${decodeEscapes(text).trim()}]`
      comments.set(ref, [...(comments.get(ref) ?? []), shown])
      comment = undefined
    },
  })
  return comments
}

function readPeople(part: Uint8Array): Map<string, string> {
  const people = new Map<string, string>()
  parseXml(part, {
    open(name, attributes) {
      if (name === 'person')
        people.set(readAttribute(attributes, 'id'), readAttribute(attributes, 'displayName'))
    },
  })
  return people
}

/** Headers and footers contain codes: `&L`, `&"Arial,Bold"`, `&12`, `&K0000FF`, `&P` for the page. */
const cleanHeader = (text: string) =>
  text
    .replaceAll(/&"[^"]{0,200}"|&K[0-9A-Fa-f]{6}|&\d{1,3}|&[LCR]/g, ' ')
    .replaceAll(/&[BIUESXY]/g, '')
    .replaceAll('&P', '[page]')
    .replaceAll('&N', '[pages]')
    .replaceAll('&&', '&')
    .trim()

/** Reads one workbook; what it leaves out is counted. */
class WorkbookReader {
  readonly #package: DocumentPackage
  readonly #omissions: OmissionCounter
  #people: ReadonlyMap<string, string> = new Map()

  constructor(documentPackage: DocumentPackage, omissions: OmissionCounter) {
    this.#package = documentPackage
    this.#omissions = omissions
  }

  read(): ExtractedText {
    const path = this.#package.findMain()
    const related = this.#package.relationships(path)
    const { sheets, is1904, hasPlaceholders } = readSheetList(this.#package.require(path))
    const find = (type: string) => related.find((one) => one.type === type)?.path ?? ''
    this.#people = this.#tryRead(find('person'), readPeople) ?? new Map<string, string>()
    const context: CellContext = {
      strings: this.#tryRead(find('sharedStrings'), readSharedStrings) ?? [],
      formats: this.#tryRead(find('styles'), (part) => readFormats(part, is1904)) ?? [formatGeneral],
      hasPlaceholders,
    }
    this.#omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)
    const text = new TextCollector()
    let sheetsRead = 0
    for (const sheet of sheets) {
      const part = related.find(({ id }) => id === sheet.relationshipId)
      if (part?.type === 'chartsheet') this.#omissions.add('charts')
      if (part?.type !== 'worksheet') continue
      const content = this.#tryRead(part.path, (bytes) => this.#readSheet(bytes, part.path, context))
      if (!content) continue
      sheetsRead += 1
      if (content.length === 0) continue
      text.add(`${text.length > 0 ? '\n' : ''}Sheet: ${sheet.name}${sheet.isHidden ? ' (hidden)' : ''}\n`)
      const { text: written, length } = content.end()
      text.add(written)
      text.skip(length - written.length)
    }
    if (sheetsRead === 0 && sheets.length > 0) throw new DocumentError('unreadable', 'no sheet can be read')
    return { ...text.end(), omitted: this.#omissions.end() }
  }

  #tryRead<Result>(path: string, read: (part: Uint8Array) => Result): Result | undefined {
    return this.#package.tryRead(path, this.#omissions, read)
  }

  #readComments(related: readonly Relationship[]): Comments {
    const read = (type: string) =>
      related
        .filter((one) => one.type === type)
        .map(({ path }) => this.#tryRead(path, (part) => readComments(part, this.#people)))
    // a threaded comment is there twice: as a note it begins with advice to get a newer version
    const comments: Comments = new Map()
    for (const found of [...read('comments'), ...read('threadedComment')])
      for (const [ref, texts] of found ?? []) comments.set(ref, texts)
    return comments
  }

  #readSheet(part: Uint8Array, path: string, context: CellContext): TextCollector {
    const related = this.#package.relationships(path)
    const comments = this.#readComments(related)
    const rows = new TextCollector()
    const formulas: Formula[] = []
    const links: string[] = []
    const headers: string[] = []
    let lastRow = 0
    let width = 0
    readCells(part, context, {
      row(cells, number) {
        if (cells.length === 0) return
        if (lastRow > 0 && number > lastRow + 1) rows.add('\n')
        lastRow = number
        width = Math.min(maxPaddedWidth, Math.max(width, cells.length))
        rows.add(`${formatRow(cells, width)}\n`)
      },
      formula: (formula) => formulas.push(formula),
      element(name, attributes) {
        if (name !== 'hyperlink') return
        const id = readRelationshipId(attributes)
        const link = related.find((one) => one.id === id)
        if (link?.path === '') links.push(`${readAttribute(attributes, 'ref')} ${link.target}`)
      },
      header: (header) => headers.push(cleanHeader(header)),
      annotate(ref) {
        const found = comments.get(ref)
        if (!found) return ''
        comments.delete(ref)
        return found.join(' ')
      },
    })
    const drawing = related
      .filter(({ type }) => type === 'drawing')
      .flatMap(
        ({ path: drawingPath }) =>
          this.#tryRead(drawingPath, (shapes) => readShapes(shapes, this.#omissions)) ?? [],
      )
    const lists = [
      ...[...comments].map(([ref, texts]) => `${ref}: ${texts.join(' ')}`),
      ...drawing.map((text) => `Text box: ${text}`),
      ...[...new Set(headers)].filter((header) => header !== '').map((header) => `On each page: ${header}`),
      this.#list(
        'Formulas',
        formulas.map(({ ref, formula }) => `${ref} =${formula}`),
      ),
      this.#list('Links', links),
    ]
    for (const line of lists) if (line !== '') rows.add(`${formatCell(line)}\n`)
    return rows
  }

  #list(title: 'Formulas' | 'Links', items: readonly string[]): string {
    this.#omissions.add(title === 'Links' ? 'links' : 'formulas', items.length - maxListed)
    return items.length === 0 ? '' : `${title}: ${items.slice(0, maxListed).join('; ')}`
  }
}

/** Reads xlsx, xlsm and their templates. @throws DocumentError */
export function readWorkbook(bytes: Uint8Array): ExtractedText {
  return new WorkbookReader(new DocumentPackage(bytes, maxBytes), new OmissionCounter()).read()
}
