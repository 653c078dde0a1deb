import type { OmissionCounter } from './extracted-text.ts'
import { addLink, formatRuns, type TextRun } from './format-runs.ts'
import { readChart } from './read-chart.ts'
import { readDiagram } from './read-diagram.ts'
import { EquationReader } from './read-equation.ts'
import { readAttribute, readRelationshipId, type Relationship, type XmlAttributes } from './read-package.ts'
import { describeShape } from './read-shapes.ts'
import { decodeSymbols } from './symbol-fonts.ts'
import type { WordHandlers } from './word-events.ts'
import type { WordNumbering } from './word-numbering.ts'
import { readRunProperty, type RunLook, type WordStyles } from './word-styles.ts'
import { LetterLedger } from './letter-ledger.ts'
import { formatTable, placeCells, type SpannedCell } from './write-table.ts'

export interface Block {
  text: string
  isItem: boolean
  rows?: string[][]
}

interface Container {
  kind: 'container'
  add: (block: Block) => void
  /** of paragraphs whose ends were deleted: they begin the next one */
  carried?: TextRun[] | undefined
  cell?: SpannedCell & { isContinued?: boolean }
}

interface Paragraph {
  kind: 'paragraph'
  text: string
  runs: TextRun[]
  label: string
  isItem: boolean
  style: string
  look: RunLook
  list: string | undefined
  level: number
  run: RunLook | undefined
  /** of changes whose text has not begun */
  pending: string[]
  isJoined: boolean
  after: Block[]
}

interface Table {
  kind: 'table'
  rows: SpannedCell[][]
}

interface Field {
  texts: number
  entries: string[]
  chosen: number
  text: string
  instruction: string
  isChecked?: boolean
  href?: string | undefined
}

export interface WordNote {
  author: string
  related: readonly Relationship[]
  replay: (handlers: WordHandlers) => void
}

export interface WordContext {
  omissions: OmissionCounter
  styles: WordStyles
  numbering: WordNumbering | undefined
  notes: ReadonlyMap<string, WordNote>
  /** texts of the files that are imported where the body names them (ECMA-376-1, 17.17.2.1), by path */
  imported: ReadonlyMap<string, string>
  tryRead: <Result>(path: string, read: (part: Uint8Array) => Result) => Result | undefined
  noteNumber: number
}

/** Columns of a table in Word. */
const maxEmptyCells = 63
/** A note may refer to itself. */
const maxNotes = 10

const omitted = {
  'pic:pic': 'pictures',
  'v:imagedata': 'pictures',
  'o:OLEObject': 'embedded',
} as const

const changes: Readonly<Record<string, string>> = {
  'w:ins': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'moved from here',
  'w:moveTo': 'moved to here',
}

/** Elements of a run that stand for text (ECMA-376-1, 17.3.3). */
const characters: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:cr': '\n',
  'w:noBreakHyphen': '\u2011',
  'w:pgNum': '[page]',
  ...Object.fromEntries(
    ['day', 'month', 'year'].flatMap((part) =>
      ['Short', 'Long'].map((form) => [`w:${part}${form}`, '[date]']),
    ),
  ),
}

/** Elements whose text is not for readers: codes of fields, positions of drawings. */
const technical =
  /^(?:w:(?:delInstrText|fldData)|w14:.*|wp:.*|o:.*|[^:]*:(?:t|delText|pct\w+|posOffset|align|Anchor|ClientData))$/

/** What a field shows that has its text in its code: buttons (ECMA-376-1, 17.16.5.35). */
const readButton = (instruction: string) =>
  /^\s{0,20}(?:MACROBUTTON|GOTOBUTTON)\s{1,20}\S{1,200}\s(.{1,2000})$/is.exec(instruction)?.[1]?.trim() ?? ''

/** The address in the code of a field, with the mark within its target (ECMA-376-1, 17.16.5.25). */
function readFieldLink(instruction: string): string | undefined {
  const [found, quoted, bare] =
    /^\s{0,20}HYPERLINK\s{1,20}(?:"([^"]{0,4000})"|([^\s"\\]\S{0,4000}))/i.exec(instruction) ?? []
  if (found === undefined) return undefined
  const href = quoted ?? bare ?? ''
  const mark = /^\s{0,20}\\l\s{1,20}"([^"]{1,1000})"/i.exec(instruction.slice(found.length))?.[1]
  return mark === undefined || href.includes('#') ? href : `${href}#${mark}`
}

type OpenElement = (attributes: XmlAttributes, parent: string) => (() => void) | undefined | void

const isOff = (value: string) => value === 'false' || value === '0'

function trimLines(text: string): string {
  const trimLine = (line: string) => {
    let end = line.length
    while (end > 0 && line[end - 1] !== '\t' && line.slice(end - 1, end).trim() === '') end -= 1
    return line.slice(0, end)
  }
  return text.split('\n').map(trimLine).join('\n').trimEnd()
}

/** Writes blocks one after the other: a blank line between paragraphs and tables, a new line between items of a list. */
export function blockWriter(write: (text: string) => void): (block: Block) => void {
  let [isFirst, wasItem] = [true, false]
  return ({ text, isItem, rows }) => {
    const block = rows ? formatTable(rows).replace(/\n$/, '') : trimLines(text)
    if (block.trim() === '') return
    const separator = isFirst ? '' : wasItem && isItem ? '\n' : '\n\n'
    write(separator + (isItem ? block : block.replace(/^\n+/, '')))
    isFirst = false
    wasItem = isItem
  }
}

const formatCell = (blocks: readonly Block[]) =>
  blocks.map(({ text, rows }) => rows?.map((cells) => cells.join(' | ')).join('\n') ?? text).join('\n')

const formatNote = (blocks: readonly Block[]) =>
  blocks
    .map(({ text, rows }) => (rows ? formatTable(rows) : text).trim())
    .filter((text) => text !== '')
    .join('\n')

export class WordBody implements WordHandlers {
  readonly ledger = new LetterLedger()
  readonly #context: WordContext
  readonly #isPagePart: boolean
  #related: readonly Relationship[]
  readonly #open: { name: string; end: (() => void) | undefined }[] = []
  readonly #frames: (Container | Paragraph | Table)[] = []
  readonly #fields: Field[] = []
  #texts = 0
  #notes = 0
  #equation: { reader: EquationReader; depth: number } | undefined
  /** what the next paragraph begins with: that its row was inserted or deleted */
  #rowLabel = ''
  /** a box to check that its character has not been read of */
  #box: string | undefined

  constructor(
    context: WordContext,
    related: readonly Relationship[],
    add: (block: Block) => void,
    isPagePart = false,
  ) {
    this.#context = context
    this.#related = related
    this.#isPagePart = isPagePart
    this.#frames.push({ kind: 'container', add })
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#equation) {
      this.#equation.depth += 1
      this.#equation.reader.open(name.slice(name.indexOf(':') + 1), attributes)
      return
    }
    if (name === 'm:oMath') {
      this.#equation = { reader: new EquationReader(), depth: 1 }
      return
    }
    if (Object.hasOwn(omitted, name) && !(name === 'v:imagedata' && this.#isWithin('w:object')))
      this.#context.omissions.add(omitted[name as keyof typeof omitted])
    const parent = this.#open.at(-1)?.name ?? ''
    const end = parent.endsWith('Pr')
      ? this.#readProperty(name, parent, attributes)
      : this.#openElement(name, parent, attributes)
    this.#open.push({ name, end })
  }

  text(text: string): void {
    if (this.#equation) {
      this.#equation.reader.text(text)
      return
    }
    const name = this.#open.at(-1)?.name ?? ''
    const field = this.#fields.at(-1)
    if (name === 'w:t' || name === 'w:delText' || (name.endsWith(':t') && this.#isInDrawing))
      this.#addText(decodeSymbols(text, this.#paragraph?.run?.font ?? ''))
    else if (name === 'w:instrText') {
      if (field) field.instruction += text
    } else if (!technical.test(name) && /\p{L}{2}/u.test(text)) this.#context.omissions.add('unknown')
  }

  close(): void {
    if (!this.#equation) {
      this.#open.pop()?.end?.()
      return
    }
    this.#equation.depth -= 1
    this.#equation.reader.close()
    if (this.#equation.depth > 0) return
    const text = this.#equation.reader.end()
    this.#equation = undefined
    this.#write(text, {})
  }

  get #paragraph(): Paragraph | undefined {
    const top = this.#frames.at(-1)
    return top?.kind === 'paragraph' ? top : undefined
  }

  get #isInDrawing(): boolean {
    const inner = this.#open.findLast(({ name }) => name === 'w:drawing' || name === 'w:txbxContent')
    return inner?.name === 'w:drawing'
  }

  #isWithin(element: string): boolean {
    return this.#open.some(({ name }) => name === element)
  }

  #addText(text: string): void {
    this.ledger.receive(text)
    // a box to check is written instead of its character
    if (this.#box !== undefined && this.#paragraph) {
      this.ledger.drop(text)
      this.ledger.write(this.#box)
    }
    this.#add(text)
  }

  /** Adds what the document shows and has not as text. */
  #write(text: string, look?: RunLook): void {
    this.ledger.write(text)
    this.#add(text, look)
  }

  /** Adds to the current paragraph, and what stands before its first text. */
  #add(text: string, look: RunLook = this.#paragraph?.run ?? {}): void {
    if (text === '') return
    const paragraph = this.#paragraph
    if (!paragraph) {
      this.#addBlock({ text, isItem: false })
      return
    }
    this.#texts += text.length
    this.#addLabel(paragraph)
    for (const label of paragraph.pending.splice(0)) this.#addRun(paragraph, label)
    const href = this.#fields.findLast((field) => field.href !== undefined)?.href
    if (look.isHidden) this.ledger.write('[hidden: ]')
    if (href) this.ledger.write(href)
    paragraph.runs.push({ text: this.#box ?? text, ...look, ...(href && { href }) })
    this.#box = undefined
  }

  #addRun(paragraph: Paragraph, label: string): void {
    this.ledger.write(label)
    paragraph.runs.push({ text: label })
  }

  #addLabel(paragraph: Paragraph): void {
    if (paragraph.label !== '') this.#addRun(paragraph, paragraph.label)
    paragraph.label = ''
  }

  #flush(paragraph: Paragraph): void {
    let isCounted = false
    for (const { isHidden = false, text } of paragraph.runs) {
      if (isHidden && !isCounted && text.trim() !== '') this.#context.omissions.note('hidden')
      isCounted = isHidden && (isCounted || text.trim() !== '')
    }
    paragraph.text += formatRuns(paragraph.runs)
    paragraph.runs = []
  }

  #addBlock(block: Block): void {
    const top = this.#frames.findLast(({ kind }) => kind !== 'table')
    if (top?.kind === 'paragraph') top.after.push(block)
    else if (top?.kind === 'container') top.add(block)
  }

  #writeBlock(text: string): void {
    this.ledger.write(text)
    this.#addBlock({ text, isItem: false })
  }

  #openContainer(end: (blocks: Block[]) => void): () => void {
    const blocks: Block[] = []
    const container: Container = { kind: 'container', add: (block) => blocks.push(block) }
    this.#frames.push(container)
    return () => {
      if (container.carried) blocks.push({ text: formatRuns(container.carried), isItem: false })
      this.#frames.pop()
      end(blocks)
    }
  }

  #openElement(name: string, parent: string, attributes: XmlAttributes): (() => void) | undefined {
    const paragraph = this.#paragraph
    if (paragraph?.run && parent !== 'w:tabs' && characters[name] !== undefined) this.#write(characters[name])
    if (paragraph && Object.hasOwn(changes, name)) return openChange(paragraph, name, attributes)
    if (name.startsWith('v:')) this.#readVector(name, attributes)
    const open = Object.hasOwn(this.#elements, name) ? this.#elements[name] : undefined
    return open?.(attributes, parent) ?? undefined
  }

  readonly #elements: Readonly<Record<string, OpenElement>> = {
    'w:p': () => {
      this.ledger.endLine()
      return this.#openParagraph()
    },
    'w:pPr': () => {
      const paragraph = this.#paragraph
      return paragraph && (() => this.#number(paragraph))
    },
    'w:r': () => {
      const paragraph = this.#paragraph
      if (!paragraph) return
      const before = paragraph.run
      paragraph.run = { ...paragraph.look }
      return () => {
        paragraph.run = before
      }
    },
    'w:br': (attributes) =>
      this.#write(readAttribute(attributes, 'type') === 'page' ? '\n\n[page break]\n\n' : '\n'),
    'w:sym': (attributes) => this.#addSymbol(attributes),
    'w:altChunk': (attributes) => {
      const id = readRelationshipId(attributes)
      const path = this.#related.find((one) => one.id === id)?.path ?? ''
      if (path === '') this.#context.omissions.add('embedded')
      this.#writeBlock(this.#context.imported.get(path) ?? '')
    },
    'w:hyperlink': (attributes) => this.#openLink(attributes),
    'w:tbl': () => {
      const table: Table = { kind: 'table', rows: [] }
      this.#frames.push(table)
      return () => {
        this.#frames.pop()
        this.#addBlock({ text: '', isItem: false, rows: placeCells(table.rows) })
      }
    },
    'w:tr': () => void this.#table?.rows.push([]),
    'w:tc': () => this.#openCell(),
    'w:txbxContent': () => this.#openBox(),
    'w:pict': () => this.#openBox(),
    'w14:checked': (attributes) => {
      if (this.#box !== undefined && !isOff(readAttribute(attributes, 'val'))) this.#box = '[x]'
    },
    'w:sdt': () => () => {
      if (this.#box !== undefined) this.#write(this.#box)
    },
    'w:footnoteReference': (attributes) => this.#addNote('footnote', readAttribute(attributes, 'id')),
    'w:endnoteReference': (attributes) => this.#addNote('endnote', readAttribute(attributes, 'id')),
    'w:commentReference': (attributes) => this.#addNote('comment', readAttribute(attributes, 'id')),
    'wp:docPr': (attributes) => {
      const described = readAttribute(attributes, 'descr').trim() || readAttribute(attributes, 'title')
      this.#write(describeShape(described, true))
    },
    'c:chart': (attributes) => this.#addRelated('c:chart', attributes),
    'dgm:relIds': (attributes) => this.#addRelated('dgm:relIds', attributes),
    'a:p': () => (this.#isInDrawing ? () => this.#write('\n') : undefined),
    'w:fldChar': (attributes) => this.#readFieldMark(attributes),
    'w:listEntry': (attributes, parent) => this.#readField('w:listEntry', parent, attributes),
    'w:result': (attributes, parent) => this.#readField('w:result', parent, attributes),
    'w:default': (attributes, parent) => this.#readField('w:default', parent, attributes),
    'w:checked': (attributes, parent) => this.#readField('w:checked', parent, attributes),
  }

  #openBox(): () => void {
    return this.#openContainer((blocks) => {
      for (const block of blocks) this.#addBlock(block)
    })
  }

  #readProperty(name: string, parent: string, attributes: XmlAttributes): (() => void) | undefined {
    const value = readAttribute(attributes, 'val')
    const paragraph = this.#paragraph
    const top = this.#frames.at(-1)
    const { omissions, styles } = this.#context
    if (parent === 'w:rPr' && paragraph?.run) {
      if (name === 'w:rStyle') Object.assign(paragraph.run, { ...styles(value).look, ...paragraph.run })
      Object.assign(paragraph.run, readRunProperty(name.slice(2), attributes))
    } else if (parent === 'w:rPr' && paragraph && name === 'w:del') paragraph.isJoined = true
    else if (name === 'w:pStyle' && paragraph) {
      paragraph.style = value
      paragraph.look = styles(value).look
    } else if (parent === 'w:numPr' && paragraph) {
      if (name === 'w:numId') paragraph.list = value
      if (name === 'w:ilvl') paragraph.level = Math.min(8, Math.max(0, Number(value) || 0))
    } else if (parent === 'w:trPr') {
      if (Object.hasOwn(changes, name)) this.#rowLabel = `[row ${changes[name]}${author(attributes)}] `
      if (name === 'w:gridBefore') {
        const count = Math.min(maxEmptyCells, Number(value) || 0)
        this.#table?.rows.at(-1)?.push(...Array.from({ length: count }, () => ({ text: '' })))
      }
      if (name === 'w:hidden') {
        this.#rowLabel += '[row hidden] '
        omissions.note('hidden')
      }
    } else if (parent === 'w:tcPr' && top?.kind === 'container' && top.cell) {
      if (name === 'w:gridSpan') top.cell.columns = Math.max(1, Number.parseInt(value) || 1)
      if (name === 'w:vMerge') top.cell.isContinued = value === '' || value === 'continue'
    } else if (name === 'w14:checkbox') this.#box = '[ ]'
    else if (name === 'a:hlinkClick' && parent === 'wp:docPr') {
      const address = this.#findLink(attributes)
      if (address !== undefined) this.#write(` (${address})`)
    }
    return undefined
  }

  /** Hands over what waits for a paragraph that does not come. */
  end(): void {
    const [root] = this.#frames
    if (root?.kind === 'container' && root.carried)
      root.add({ text: formatRuns(root.carried), isItem: false })
  }

  get #table(): Table | undefined {
    const top = this.#frames.at(-1)
    return top?.kind === 'table' ? top : undefined
  }

  #findLink(attributes: XmlAttributes): string | undefined {
    const id = readRelationshipId(attributes)
    return this.#related.find((one) => one.id === id)?.target
  }

  #openParagraph(): () => void {
    const container = this.#frames.findLast((frame) => frame.kind === 'container')
    const paragraph: Paragraph = {
      kind: 'paragraph',
      text: '',
      runs: container?.carried ?? [],
      label: this.#rowLabel,
      isItem: false,
      style: '',
      look: {},
      list: undefined,
      level: 0,
      run: undefined,
      pending: [],
      isJoined: false,
      after: [],
    }
    if (container) container.carried = undefined
    this.#rowLabel = ''
    this.#frames.push(paragraph)
    return () => {
      this.#addLabel(paragraph)
      this.#frames.pop()
      const { isJoined, runs, isItem } = paragraph
      if (isJoined && container) container.carried = [{ text: paragraph.text }, ...runs]
      else {
        this.#flush(paragraph)
        container?.add({ text: paragraph.text, isItem })
      }
      for (const block of paragraph.after) container?.add(block)
    }
  }

  /** Counts the item of a list that a paragraph is. */
  #number(paragraph: Paragraph): void {
    const { numbering, styles } = this.#context
    if (!numbering || this.#isPagePart || this.#notes > 0) return
    const { list, level, style } = paragraph
    const reference = list === undefined ? styles(style).list : { list, level }
    const label = reference ? numbering.next(reference) : ''
    paragraph.isItem = label !== ''
    paragraph.label += label
  }

  #openLink(attributes: XmlAttributes): (() => void) | undefined {
    const [paragraph, target] = [this.#paragraph, this.#findLink(attributes)]
    if (!paragraph || target === undefined) return undefined
    const anchor = readAttribute(attributes, 'anchor')
    this.#addLabel(paragraph)
    this.#flush(paragraph)
    const from = paragraph.text.length
    return () => {
      this.#flush(paragraph)
      const href = anchor === '' ? target : `${target.split('#', 1)[0]}#${anchor}`
      this.ledger.write(href)
      paragraph.text = paragraph.text.slice(0, from) + addLink(paragraph.text.slice(from), href)
    }
  }

  #openCell(): (() => void) | undefined {
    const table = this.#table
    if (!table) return undefined
    const cell: NonNullable<Container['cell']> = { text: '' }
    const close = this.#openContainer((blocks) => {
      // a merged cell shows what its first one has
      if (!cell.isContinued || table.rows.length === 1) cell.text = formatCell(blocks)
      else this.ledger.drop(formatCell(blocks))
      table.rows.at(-1)?.push(cell)
    })
    const container = this.#frames.at(-1)
    if (container?.kind === 'container') container.cell = cell
    return close
  }

  #addNote(kind: string, id: string): void {
    const note = this.#context.notes.get(`${kind} ${id}`)
    if (kind !== 'comment') this.#context.noteNumber += 1
    if (!note || this.#notes >= maxNotes) return
    const title = kind === 'comment' ? `comment${note.author}` : `${kind} ${this.#context.noteNumber}`
    const [related, fields, box] = [this.#related, this.#fields.splice(0), this.#box]
    this.#related = note.related
    this.#box = undefined
    this.#notes += 1
    let text = ''
    const close = this.#openContainer((blocks) => {
      text = formatNote(blocks)
    })
    note.replay(this)
    close()
    this.#notes -= 1
    this.#related = related
    this.#fields.splice(0, Infinity, ...fields)
    // its text is counted
    this.ledger.write(title)
    this.#add(` [${title}: ${text}]`, {})
    this.#box = box
  }

  #addSymbol(attributes: XmlAttributes): void {
    const code = Number.parseInt(readAttribute(attributes, 'char'), 16)
    if (!(code >= 0x20 && code <= 0xff_ff)) return
    const character = String.fromCharCode(code)
    const shown = decodeSymbols(character, readAttribute(attributes, 'font'))
    if (shown === character && (/[\p{Co}\p{Cs}]/u.test(character) || code <= 0xff))
      this.#context.omissions.add('damagedCharacters')
    else this.#write(shown)
  }

  #addRelated(name: 'c:chart' | 'dgm:relIds', attributes: XmlAttributes): void {
    if (!this.#isInDrawing) return
    const { omissions, tryRead } = this.#context
    const isChart = name === 'c:chart'
    const id = isChart ? readRelationshipId(attributes) : readAttribute(attributes, 'dm')
    const path = this.#related.find((one) => one.id === id)?.path ?? ''
    const found = tryRead(path, (part) => {
      if (!isChart) return { lines: readDiagram(part), rows: [] }
      const { title, rows } = readChart(part, omissions)
      return { lines: title === '' && rows.length === 0 ? [] : [`[chart${title && `: ${title}`}]`], rows }
    })
    if (!found || found.lines.length === 0) omissions.add(isChart ? 'charts' : 'diagrams')
    else {
      for (const text of found.lines) this.#writeBlock(text)
      if (found.rows.length > 0) this.#addBlock({ text: '', isItem: false, rows: found.rows })
      this.ledger.write(found.rows.flat().join(''))
    }
  }

  /** Word art, such as a watermark, and the alternative text of drawings of older versions. */
  #readVector(name: string, attributes: XmlAttributes): void {
    if (!this.#isWithin('w:pict')) return
    const text = name === 'v:textpath' ? readAttribute(attributes, 'string').trim() : ''
    // headers have word art as a watermark
    const shown = text === '' || !this.#isPagePart ? text : `[watermark: ${text}]`
    const href = readAttribute(attributes, 'href')
    const described = describeShape(readAttribute(attributes, 'alt'), true)
    const line = shown || described || (href === '' ? '' : `[link: ${href}]`)
    if (line !== '') this.#writeBlock(addLink(line, href))
  }

  /** Reads the fields of forms: their chosen entry, or their text, is not always in the document. */
  #readField(name: string, parent: string, attributes: XmlAttributes): void {
    const field = this.#fields.at(-1)
    const value = readAttribute(attributes, 'val')
    if (!field) return
    if (parent === 'w:ddList') {
      if (name === 'w:listEntry') field.entries.push(value)
      else if (name === 'w:result') field.chosen = Number(value) || 0
      // the result comes before the default
      else field.chosen ||= Number(value) || 0
    } else if (parent === 'w:textInput' && name === 'w:default') field.text = value
    else if (parent === 'w:checkBox' && (name === 'w:checked' || field.isChecked === undefined))
      field.isChecked = !isOff(value)
  }

  #readFieldMark(attributes: XmlAttributes): void {
    const type = readAttribute(attributes, 'fldCharType')
    const field = this.#fields.at(-1)
    if (type === 'begin')
      this.#fields.push({ texts: this.#texts, entries: [], chosen: 0, text: '', instruction: '' })
    if (type === 'separate' && field) field.href = readFieldLink(field.instruction)
    if (type !== 'end' || !field) return
    this.#fields.pop()
    const shown = field.entries[field.chosen] || field.text || readButton(field.instruction)
    if (/\bFORMCHECKBOX\b/.test(field.instruction)) this.#write(field.isChecked ? '[x]' : '[ ]')
    else if (field.texts === this.#texts) this.#write(shown)
  }
}

function openChange(paragraph: Paragraph, name: string, attributes: XmlAttributes): () => void {
  const label = `[${changes[name]}${author(attributes)}: `
  paragraph.pending.push(label)
  return () => {
    // a change of formatting, or of a paragraph's end, has no text
    if (paragraph.pending.at(-1) === label) paragraph.pending.pop()
    else paragraph.runs.push({ text: ']' })
  }
}

export function author(attributes: XmlAttributes): string {
  const name = readAttribute(attributes, 'author').trim()
  return name === '' ? '' : ` by ${name}`
}
