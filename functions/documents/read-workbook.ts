import {
  DocumentError,
  isTimeOver,
  OmissionCounter,
  TextCollector,
  TimeOver,
  type ExtractedText,
} from './extracted-text.ts'
import { formatRuns, type TextRun } from './format-runs.ts'
import { compileFormat, formatGeneral, type FormatNumber } from './number-format.ts'
import {
  decodeEscapes,
  readCells,
  readFontProperty,
  showText,
  type CellContext,
  type CellLook,
  type Formula,
} from './read-cells.ts'
import { readRichValues } from './read-rich-values.ts'
import {
  DocumentPackage,
  parseXml,
  readAttribute,
  readRelationshipId,
  type Relationship,
} from './read-package.ts'
import { readShapes } from './read-shapes.ts'
import { SheetCollector } from './tables/cells.ts'
import { formatCell, formatRow } from './write-table.ts'

const maxBytes = 320 * 1024 * 1024
/** Formulas, and links, that are listed below a sheet. */
const maxListed = 50
/** Rows have as many cells as the widest before them, up to this. */
const maxPaddedWidth = 50

/** Strings that cells refer to by index, without phonetic hints. */
function readSharedStrings(part: Uint8Array): string[] {
  const strings: string[] = []
  let runs: TextRun[] = []
  let look: CellLook | undefined
  let current = ''
  let inText = false
  let hintDepth = 0
  parseXml(part, {
    open(name, attributes) {
      if (name === 'si') runs = []
      if (name === 'r') look = {}
      else if (look) Object.assign(look, readFontProperty(name, attributes))
      if (name === 'rPh') hintDepth += 1
      inText = name === 't' && hintDepth === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 't' && current !== '') {
        const { font = '', ...marks } = look ?? {}
        runs.push({ ...marks, text: showText(decodeEscapes(current), { font }) })
        current = ''
      }
      if (name === 'si') strings.push(formatRuns(runs))
      if (name === 'r') look = undefined
      if (name === 'rPh') hintDepth -= 1
      inText = false
    },
  })
  return strings
}

/** How each cell style shows numbers, and how its text looks. */
function readStyles(part: Uint8Array, is1904: boolean): { formats: FormatNumber[]; looks: CellLook[] } {
  const formats: FormatNumber[] = []
  const looks: CellLook[] = []
  const fonts: CellLook[] = []
  let inFonts = false
  const codes = new Map<string, string>()
  const compiled = new Map<string, FormatNumber>()
  let inCells = false
  parseXml(part, {
    open(name, attributes) {
      const id = readAttribute(attributes, 'numFmtId')
      if (name === 'numFmt') codes.set(id, readAttribute(attributes, 'formatCode'))
      if (name === 'cellXfs') inCells = true
      if (name === 'fonts') inFonts = true
      else if (inFonts && name === 'font') fonts.push({})
      else if (inFonts) Object.assign(fonts.at(-1) ?? {}, readFontProperty(name, attributes))
      if (name !== 'xf' || !inCells) return
      const known = compiled.get(id) ?? compileFormat(Number(id), codes.get(id), is1904)
      compiled.set(id, known)
      formats.push(known)
      looks.push(fonts[Number(readAttribute(attributes, 'fontId'))] ?? {})
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
      if (name === 'fonts') inFonts = false
    },
  })
  return { formats, looks }
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
  readonly #cells = new SheetCollector()
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
    const styles = this.#tryRead(find('styles'), (part) => readStyles(part, is1904))
    const context: CellContext = {
      strings: this.#tryRead(find('sharedStrings'), readSharedStrings) ?? [],
      formats: styles?.formats ?? [formatGeneral],
      looks: styles?.looks ?? [],
      richValues: readRichValues(
        ['sheetMetadata', 'rdRichValue', 'rdRichValueStructure'].map((type) =>
          this.#package.read(find(type)),
        ),
      ),
      hasPlaceholders,
    }
    this.#omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)
    const text = new TextCollector()
    let sheetsRead = 0
    for (const sheet of sheets) {
      const part = related.find(({ id }) => id === sheet.relationshipId)
      if (part?.type !== 'worksheet' && part?.type !== 'chartsheet') continue
      const content = new TextCollector()
      const add = () => {
        if (content.length === 0) return
        if (sheet.isHidden) this.#omissions.addHidden()
        const title = `Sheet: ${sheet.name}${sheet.isHidden ? ' (hidden)' : ''}`
        const { text: written, length } = content.end()
        text.addLast(`${text.length > 0 ? '\n' : ''}${title}\n${written}`)
        text.skip(length - written.length)
      }
      this.#cells.open(sheet.name, sheet.isHidden)
      try {
        const isRead = this.#tryRead(part.path, (bytes) => {
          this.#readSheet(bytes, part.path, context, content)
          return true
        })
        if (!isRead) {
          this.#cells.drop()
          continue
        }
      } catch (error) {
        // the rows until then
        if (error instanceof TimeOver) add()
        throw error instanceof TimeOver ? new TimeOver(text) : error
      }
      if (part.type === 'worksheet') sheetsRead += 1
      add()
      if (isTimeOver()) throw new TimeOver(text)
    }
    if (sheetsRead === 0 && sheets.length > 0) throw new DocumentError('unreadable', 'no sheet can be read')
    const tables = this.#cells.end()
    return { ...text.end(), ...this.#omissions.list(), ...(tables && { sheets: tables }) }
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

  #readSheet(part: Uint8Array, path: string, context: CellContext, rows: TextCollector): void {
    const related = this.#package.relationships(path)
    const comments = this.#readComments(related)
    const hiddenColumns: { from: number; to: number }[] = []
    const named = new Set<number>()
    const formulas: Formula[] = []
    const links: string[] = []
    const headers: string[] = []
    let lastRow = 0
    let width = 0
    const omissions = this.#omissions
    const collector = this.#cells
    readCells(part, context, {
      row: (cells, number, isHidden, values) => {
        if (cells.length === 0) return
        this.#cells.add(number, values)
        for (const { from, to } of hiddenColumns)
          for (let column = from; column <= Math.min(to, cells.length - 1); column += 1) {
            // its first cell says it
            if (cells[column] === '' || cells[column] === undefined || named.has(column)) continue
            named.add(column)
            cells[column] += ' [hidden column]'
            omissions.addHidden()
          }
        if (lastRow > 0 && number > lastRow + 1) rows.add('\n')
        lastRow = number
        width = Math.min(maxPaddedWidth, Math.max(width, cells.length))
        if (isHidden) omissions.addHidden()
        rows.add(`${formatRow(cells, width)}${isHidden ? '\t[hidden row]' : ''}\n`)
      },
      formula: (formula) => formulas.push(formula),
      element(name, attributes) {
        if (name === 'cellPicture') omissions.add('pictures')
        if (
          name === 'col' &&
          /^(?:1|true)$/.test(readAttribute(attributes, 'hidden')) &&
          hiddenColumns.length < 1_000
        )
          hiddenColumns.push({
            from: Number(readAttribute(attributes, 'min')) - 1,
            to: Number(readAttribute(attributes, 'max')) - 1,
          })
        if (name === 'mergeCell') collector.merge(readAttribute(attributes, 'ref'))
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
          this.#tryRead(drawingPath, (shapes) =>
            readShapes(shapes, this.#omissions, {
              related: this.#package.relationships(drawingPath),
              tryRead: (chartPath, read) => this.#tryRead(chartPath, read),
            }),
          ) ?? [],
      )
    const isChart = (text: string) => text.startsWith('[chart')
    const lists = [
      ...[...comments].map(([ref, texts]) => `${ref}: ${texts.join(' ')}`),
      ...drawing
        .filter((text) => !isChart(text))
        .map((text) => (/^\[(?:picture|alternative|link|hidden)/.test(text) ? text : `Text box: ${text}`)),
      ...[...new Set(headers)].filter((header) => header !== '').map((header) => `On each page: ${header}`),
      this.#list(
        'Formulas',
        formulas.map(({ ref, formula }) => `${ref} =${formula}`),
      ),
      this.#list('Links', links),
    ]
    for (const line of lists) if (line !== '') rows.add(`${formatCell(line)}\n`)
    for (const chart of drawing.filter(isChart)) rows.add(`${chart}\n`)
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
