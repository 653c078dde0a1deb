import {
  DocumentError,
  isTimeOver,
  OmissionCounter,
  TextCollector,
  TimeOver,
  type ExtractedText,
} from './extracted-text.ts'
import { isText } from '../files/text-bytes.ts'
import { formatGeneral } from './number-format.ts'
import { readCells, type CellContext, type Formula } from './read-cells.ts'
import { readRichValues } from './read-rich-values.ts'
import { DocumentPackage, readAttribute, readRelationshipId, type Relationship } from './read-package.ts'
import { readXmlSpreadsheet } from './read-xml-spreadsheet.ts'
import { readShapes } from './read-shapes.ts'
import { parseArea, SheetCollector } from './tables/cells.ts'
import { formatCell, formatRow } from './write-table.ts'
import {
  type Comments,
  cleanHeader,
  readComments,
  readPeople,
  readSharedStrings,
  readSheetList,
  readStyles,
  listAreas,
  readTableObject,
} from './workbook-parts.ts'

const maxBytes = 320 * 1024 * 1024
/** Formulas, and links, that are listed below a sheet. */
const maxListed = 50
/** Rows have as many cells as the widest before them, up to this. */
const maxPaddedWidth = 50

const sheetTypes = /^(?:worksheet|chartsheet|xl(?:Intl)?Macrosheet)$/

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
    const { sheets, is1904, hasPlaceholders, ranges } = readSheetList(this.#package.require(path))
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
      if (!part || !sheetTypes.test(part.type)) continue
      const content = new TextCollector()
      const add = () => {
        if (content.length === 0) return
        if (sheet.isHidden) this.#omissions.note('hidden')
        const title = `Sheet: ${sheet.name}`
        const { text: written, length } = content.end()
        text.addLast(
          `${text.length > 0 ? '\n' : ''}${title}${sheet.isHidden ? ' (hidden)' : ''}\n${written}`,
          { label: `sheet ${sheet.name}`, title },
        )
        text.length += length - written.length
      }
      this.#cells.open(sheet.name, sheet.isHidden)
      try {
        const isRead = this.#tryRead(part.path, (bytes) => {
          this.#readSheet(bytes, part.path, context, content)
          for (const area of listAreas(ranges, sheet.name)) this.#cells.addArea(area)
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
      if (part.type !== 'chartsheet') sheetsRead += 1
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
    for (const one of related.filter(({ type }) => type === 'table'))
      this.#cells.addArea(this.#tryRead(one.path, readTableObject))
    const hiddenColumns: { from: number; to: number }[] = []
    const named = new Set<number>()
    const formulas: Formula[] = []
    const links: string[] = []
    const headers: string[] = []
    let isPlain = false
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
            omissions.note('hidden')
          }
        if (lastRow > 0 && number > lastRow + 1) rows.add('\n')
        lastRow = number
        width = Math.min(maxPaddedWidth, Math.max(width, cells.length))
        if (isHidden) omissions.note('hidden')
        rows.add(`${formatRow(cells, width)}${isHidden ? '\t[hidden row]' : ''}\n`)
      },
      formula: (formula) => formulas.push(formula),
      plainRow: () => (isPlain = true),
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
        if (name === 'autoFilter') collector.addArea(parseArea(readAttribute(attributes, 'ref')))
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
    if (isPlain) omissions.note('plain')
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

export function readWorkbook(bytes: Uint8Array): ExtractedText {
  if (isText(bytes)) return readXmlSpreadsheet(bytes)
  const omissions = new OmissionCounter()
  return new WorkbookReader(new DocumentPackage(bytes, maxBytes, omissions), omissions).read()
}
