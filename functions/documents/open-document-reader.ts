import { isTimeOver, OmissionCounter, TextCollector, TimeOver } from './extracted-text.ts'
import { addLink, markCore, markText, type TextMark } from './format-runs.ts'
import {
  addTypedCells,
  formatColumn,
  maxColumns,
  readTypedCell,
  readValue,
  showTime,
} from './open-document-cells.ts'
import { LetterLedger } from './letter-ledger.ts'
import {
  formatLevel,
  type LevelStyles,
  readLevelStyle,
  type Block,
  type PlacedShape,
  readBox,
} from './open-document-parts.ts'
import { sortShapes } from './shape-order.ts'
import { parseXml, readAttribute, type XmlAttributes } from './read-package.ts'
import { describeShape } from './read-shapes.ts'
import { SheetCollector, type Cell } from './tables/cells.ts'
import { formatRow, formatTable } from './write-table.ts'

/** Rows and cells may be repeated a million times; a cell further from the one before it than this is written with its column. */
const maxGap = 200
/** Rows have as many cells as the widest before them, up to this. */
const maxPaddedWidth = 50

interface Container {
  kind: 'container'
  blocks: Block[]
  comments: string[]
}

interface Paragraph {
  kind: 'paragraph'
  text: string
  /** documents in it, which follow it */
  objects?: string[]
}

interface Table {
  kind: 'table'
  rows: string[][]
  cells: string[]
  /** empty cells, or rows, that count only if something follows them */
  emptyCells: number
  emptyRows: number
  repeat: number
  width: number
  hiddenRows: Set<string[]>
  /** of a sheet: the values of the current row, the column of the next cell, and the number of the row, from 1 */
  typed?: { cells: Cell[]; column: number; row: number; merged: string[] }
  handOver?: () => void
}

type Frame = Container | Paragraph | Table

interface List {
  style: string
  item: number
  isLabelled: boolean
  /** a table within an item has paragraphs that are no items */
  container: Container | undefined
}

interface Change {
  kind: string
  author: string
  text: string
}

/** A document in another one: what a reply gets of it, and whether it stands within a line. */
export type ReadObject = (href: string) => { text: string; isInline: boolean } | undefined

const joinBlocks = (blocks: readonly Block[], separator = '\n\n') =>
  blocks
    .map(({ text, isItem }, index) =>
      index === 0 ? text : `${isItem && blocks[index - 1]?.isItem === true ? '\n' : separator}${text}`,
    )
    .join('')

const countRepeats = (attributes: XmlAttributes, name: string) =>
  Math.max(1, Math.min(1_048_576, Number(readAttribute(attributes, name)) || 1))

type OpenElement = (attributes: XmlAttributes, prefix: string) => (() => void) | undefined | void

const isAddress = (href: string) => /^[a-z][a-z\d+.-]*:/i.test(href)

const addLevelStyle = (styles: LevelStyles, attributes: XmlAttributes) =>
  void styles.set(Number(readAttribute(attributes, 'level')), readLevelStyle(attributes))

export class OpenDocumentReader {
  readonly text = new TextCollector()
  readonly pageParts = new Set<string>()
  readonly cells = new SheetCollector()
  readonly #omissions: OmissionCounter
  readonly #isSpreadsheet: boolean
  readonly #frames: Frame[] = []
  readonly #ledgers = [new LetterLedger()]
  readonly #outline: LevelStyles = new Map()
  readonly #headings: number[] = []
  readonly #lists: List[] = []
  readonly #listStyles: Map<string, LevelStyles> = new Map()
  readonly #changes = new Map<string, Change>()
  readonly #hiddenStyles = new Set<string>()
  readonly #open: ((() => void) | undefined)[] = []
  /** how styles mark what they are used for; `none` where they undo what they inherit */
  readonly #textStyles = new Map<string, Set<TextMark | 'hidden' | 'none'>>()
  readonly #parentStyles = new Map<string, string>()
  /** formats of times that count hours without end, and the formats of styles */
  readonly #durationFormats = new Set<string>()
  readonly #formats = new Map<string, string>()
  /** by table: columns that are hidden, those whose first cell says it, and the styles of cells that name none */
  readonly #columns = new Map<Table, { hidden: boolean[]; named: Set<number>; styles: string[] }>()
  /** last items by list, and by style of list, for lists that are continued */
  readonly #itemCounts = new Map<string, number>()
  /** comments on a range that has not ended */
  readonly #rangeComments = new Map<string, string>()
  #style = ''
  #isHiddenRow = false
  #isInCreator = false
  #description = ''
  #frameHasObject = false
  #listLevels: LevelStyles = new Map()
  #skipped = 0
  #noteNumber = 0
  #slide = 0
  #author = ''
  #change: Change | undefined
  readonly #readObject: ReadObject
  /** objects of a sheet, which stand below its rows */
  #sheetObjects: string[] = []
  /** shapes of a slide, with how many elements are around them */
  #shapes: { depth: number; list: PlacedShape[]; current?: PlacedShape | undefined } | undefined

  constructor(omissions: OmissionCounter, isSpreadsheet: boolean, readObject: ReadObject) {
    this.#omissions = omissions
    this.#readObject = readObject
    this.#isSpreadsheet = isSpreadsheet
  }

  read(part: Uint8Array): void {
    parseXml(part, {
      open: (name, attributes, prefix) => {
        const endShape = this.#openShape(attributes, prefix)
        const end = this.#openElement(name, attributes, prefix)
        this.#open.push(
          endShape
            ? () => {
                end?.()
                endShape()
              }
            : end,
        )
      },
      text: (text) => {
        const words = text.replaceAll(/[ \t\r\n]+/g, ' ')
        if (this.#skipped === 0 && this.#top?.kind === 'paragraph') this.#ledger.receive(words)
        this.#addText(words)
      },
      close: () => this.#open.pop()?.(),
    })
  }

  get #top(): Frame | undefined {
    return this.#frames.at(-1)
  }

  get #ledger(): LetterLedger {
    return this.#ledgers.at(-1) as LetterLedger
  }

  /** Writes what is none of the document's own text. */
  #write(text: string): string {
    this.#ledger.write(text)
    return text
  }

  #addText(text: string): void {
    if (this.#skipped > 0) return
    const top = this.#top
    if (top?.kind === 'paragraph') top.text += text
    else if (this.#isInCreator) this.#author += text
  }

  #findContainer(): Container | undefined {
    return this.#frames.findLast((frame) => frame.kind === 'container')
  }

  /** A part of its own. @param end gets its blocks, or one with all its lines where they would not have its letters @param list where they are */
  #openPart(
    end: (blocks: readonly Block[]) => void,
    list = ({ blocks, comments }: Container) => [
      ...blocks,
      ...comments.map((text) => ({ text, isItem: false })),
    ],
  ): () => void {
    this.#ledgers.push(new LetterLedger())
    return this.#pushContainer((container) => {
      const blocks = list(container)
      const given = blocks.map(({ text }) => text)
      const settled = this.#settle(given)
      end(settled === given ? blocks : settled.map((text) => ({ text, isItem: false })))
    })
  }

  #settle = (given: readonly string[]) => this.#ledgers.pop()?.settle(given, this.#omissions) ?? given

  #pushContainer(end: (container: Container) => void): () => void {
    const container: Container = { kind: 'container', blocks: [], comments: [] }
    this.#frames.push(container)
    return () => {
      this.#frames.pop()
      end(container)
    }
  }

  #addNote(note: string): void {
    const top = this.#top
    if (top?.kind === 'paragraph') top.text += ` ${note}`
    else this.#findContainer()?.comments.push(note)
  }

  #addBlock(text: string, isItem = false): void {
    if (text.trim() !== '') this.#findContainer()?.blocks.push({ text, isItem })
  }

  /** What an element says, and what to do at its end. */
  readonly #elements: Readonly<Record<string, OpenElement>> = {
    // styles
    style: (attributes) => {
      this.#style = readAttribute(attributes, 'name')
      this.#parentStyles.set(this.#style, readAttribute(attributes, 'parent-style-name'))
      const format = readAttribute(attributes, 'data-style-name')
      if (format !== '') this.#formats.set(this.#style, format)
    },
    'time-style': (attributes) => {
      if (readAttribute(attributes, 'truncate-on-overflow') === 'false')
        this.#durationFormats.add(readAttribute(attributes, 'name'))
    },
    'table-properties': (attributes) => {
      if (readAttribute(attributes, 'display') === 'false') this.#hiddenStyles.add(this.#style)
    },
    'drawing-page-properties': (attributes) => {
      if (readAttribute(attributes, 'visibility') === 'hidden') this.#hiddenStyles.add(this.#style)
    },
    'text-properties': (attributes) => this.#readTextStyle(attributes),
    'list-style': (attributes) => {
      this.#listLevels = new Map()
      this.#listStyles.set(readAttribute(attributes, 'name'), this.#listLevels)
    },
    'list-level-style-number': (attributes) => addLevelStyle(this.#listLevels, attributes),
    'outline-level-style': (attributes) => addLevelStyle(this.#outline, attributes),
    // parts
    ...Object.fromEntries(
      ['header', 'footer'].flatMap((kind) =>
        ['', '-left', '-first'].map((pages) => [`${kind}${pages}`, () => this.#openPagePart(kind)]),
      ),
    ),
    text: () => this.#openBody(),
    spreadsheet: () => this.#openBody(),
    page: (attributes) => this.#openSlide(readAttribute(attributes, 'style-name')),
    notes: () =>
      this.#pushContainer(({ blocks }) => {
        const text = joinBlocks(blocks, '\n')
        if (text !== '') this.#addBlock(`${this.#write('Speaker notes: ')}${text}`)
      }),
    // of a sheet, in the order of the others
    shapes: () => {
      this.#ledgers.push(this.#ledgers.at(-2) ?? this.#ledger)
      return () => void this.#ledgers.pop()
    },
    table: (attributes) =>
      this.#openTable(readAttribute(attributes, 'name'), readAttribute(attributes, 'style-name')),
    'table-column': (attributes) => this.#readColumn(attributes),
    'table-row': (attributes) => {
      this.#isHiddenRow = /^(?:collapse|filter)$/.test(readAttribute(attributes, 'visibility'))
      return this.#openRow(countRepeats(attributes, 'number-rows-repeated'))
    },
    'table-cell': (attributes) => this.#openCell(attributes, false),
    'covered-table-cell': (attributes) => this.#openCell(attributes, true),
    // paragraphs, and what is in them
    'page-number': () => this.#writeField('[page]'),
    'page-count': () => this.#writeField('[pages]'),
    'sheet-name': () => this.#writeField('[sheet]'),
    p: (attributes) => this.#openParagraph(attributes),
    h: (attributes) => this.#openParagraph(attributes, this.#numberHeading(attributes)),
    s: (attributes) => this.#addText(' '.repeat(Math.min(100, Number(readAttribute(attributes, 'c')) || 1))),
    tab: () => this.#addText('\t'),
    'line-break': () => this.#addText('\n'),
    // how the characters before it are read aloud
    'ruby-text': () => {
      this.#addText('(')
      return () => this.#addText(')')
    },
    a: (attributes, prefix) => this.#openLink(readAttribute(attributes, 'href'), prefix),
    list: (attributes) => this.#openList(attributes),
    'list-item': (attributes) => {
      const list = this.#lists.at(-1)
      if (!list) return
      const named = Number(readAttribute(attributes, 'start-value'))
      const { start = 1 } = this.#listStyles.get(list.style)?.get(this.#lists.length) ?? {}
      list.item = named > 0 ? named - start + 1 : list.item + 1
      list.isLabelled = false
    },
    section: (attributes) =>
      readAttribute(attributes, 'display') === 'none' ? this.#openHidden() : undefined,
    span: (attributes) =>
      this.#openInline((text) => this.#mark(text, readAttribute(attributes, 'style-name'))),
    'hidden-text': (attributes) => this.#openHiddenField(attributes),
    'hidden-paragraph': (attributes) => this.#openHiddenField(attributes),
    note: (attributes) => {
      const kind = readAttribute(attributes, 'note-class') === 'endnote' ? 'endnote' : 'footnote'
      this.#noteNumber += 1
      const label = `[${kind} ${this.#noteNumber}: `
      return this.#pushContainer(({ blocks }) =>
        this.#addNote(`${this.#write(label)}${joinBlocks(blocks, '\n')}]`),
      )
    },
    annotation: (attributes) => {
      this.#author = ''
      const range = readAttribute(attributes, 'name')
      return this.#pushContainer(({ blocks }) => {
        const by = this.#author.trim() === '' ? '' : ` by ${this.#author.trim()}`
        const comment = `${this.#write(`[comment${by}: `)}${joinBlocks(blocks, '\n')}]`
        if (range === '') this.#addNote(comment)
        else this.#rangeComments.set(range, comment)
      })
    },
    'annotation-end': (attributes) => {
      const range = readAttribute(attributes, 'name')
      const comment = this.#rangeComments.get(range)
      if (comment !== undefined) this.#addNote(comment)
      this.#rangeComments.delete(range)
    },
    creator: () => {
      this.#isInCreator = true
      return () => {
        this.#isInCreator = false
        if (this.#change) this.#change.author = this.#author.trim()
      }
    },
    // texts that were deleted are stored at the beginning; `change` marks where they were
    'changed-region': (attributes) => {
      this.#author = ''
      const change = { kind: '', author: '', text: '' }
      this.#change = change
      return this.#pushContainer(({ blocks }) => {
        change.text = joinBlocks(blocks, '\n')
        // it is given where the change is
        this.#ledger.drop(change.text)
        this.#changes.set(readAttribute(attributes, 'id'), change)
        this.#change = undefined
      })
    },
    insertion: () => this.#nameChange('inserted'),
    deletion: () => this.#nameChange('deleted'),
    change: (attributes) => {
      const change = this.#beginChange(attributes)
      if (!change) return
      this.#ledger.receive(change.text)
      this.#addText(`${change.text}]`)
    },
    'change-start': (attributes) => void this.#beginChange(attributes),
    'change-end': (attributes) => {
      if (this.#changes.get(readAttribute(attributes, 'change-id'))?.kind === 'inserted') this.#addText(']')
    },
  }

  /** Pictures, documents and what is said of them. The master pages of slides, outside of all texts, have pictures too. */
  readonly #objects: Readonly<Record<string, OpenElement>> = {
    object: (attributes) => this.#openObject(attributes),
    'object-ole': (attributes) => this.#openObject(attributes),
    'binary-data': () => this.#skip(),
    'note-citation': () => this.#skip(),
    plugin: () => {
      this.#omissions.add('media')
      this.#frameHasObject = true
    },
    frame: (attributes) => {
      this.#frameHasObject = false
      this.#description = ''
      if (readAttribute(attributes, 'class') === 'page-number') return this.#skip()
      return () => this.#endFrame()
    },
    image: () => {
      // the picture beside an object, or a table, is its preview
      if (!this.#frameHasObject) this.#omissions.add('pictures')
    },
    'text-box': () =>
      this.#pushContainer(({ blocks }) => {
        for (const { text, isItem } of blocks) this.#addBlock(text, isItem)
      }),
    // what a click on a shape opens
    'event-listener': (attributes) => {
      const href = readAttribute(attributes, 'href')
      if (isAddress(href)) this.#addBlock(this.#write(`[link: ${href}]`))
    },
    // descriptions of pictures, which are no part of the paragraph
    desc: (_, prefix) => (prefix === 'svg' ? this.#readDescription('desc') : undefined),
    title: (_, prefix) => (prefix === 'svg' ? this.#readDescription('title') : undefined),
  }

  #openElement(name: string, attributes: XmlAttributes, prefix: string): (() => void) | undefined {
    const open = Object.hasOwn(this.#elements, name)
      ? this.#elements[name]
      : this.#frames.length > 0 && Object.hasOwn(this.#objects, name)
        ? this.#objects[name]
        : undefined
    return open?.(attributes, prefix) ?? undefined
  }

  #openPagePart(kind: string): () => void {
    return this.#openPart((blocks) => {
      const text = joinBlocks(blocks, '\n')
      // a single word, such as the default 'Page 1', is not content
      if (/\s/.test(text.replaceAll(/\[(?:pages?|sheet)\]/g, '').trim()))
        this.pageParts.add(`Page ${kind}: ${text}`)
    })
  }

  #openBody(): () => void {
    return this.#openPart((blocks) => {
      const text = joinBlocks(blocks)
      if (text !== '') this.text.add(`${this.text.length > 0 ? '\n' : ''}${text}`)
    })
  }

  #writeField(field: string): () => void {
    this.#addText(this.#write(field))
    return this.#skip()
  }

  /** @param write gets what stands within the element */
  #openInline(write: (text: string) => string): (() => void) | undefined {
    const paragraph = this.#top
    if (paragraph?.kind !== 'paragraph') return undefined
    const from = paragraph.text.length
    return () => {
      paragraph.text = paragraph.text.slice(0, from) + write(paragraph.text.slice(from))
    }
  }

  #openLink(href: string, prefix: string): (() => void) | undefined {
    if (!isAddress(href)) return undefined
    if (prefix === 'draw' && this.#top?.kind === 'container')
      return () => this.#addBlock(this.#write(`[link: ${href}]`))
    return this.#openInline((shown) => {
      this.#write(href)
      return shown.trim() === '' ? `${shown} (${href})` : addLink(shown, href)
    })
  }

  /** While its condition holds, a field is empty, and its text an attribute. */
  #openHiddenField(attributes: XmlAttributes): (() => void) | undefined {
    const stored = readAttribute(attributes, 'string-value')
    return this.#openInline((shown) => {
      const text = shown.trim() === '' ? stored : shown
      if (text.trim() === '') return shown
      this.#omissions.note('hidden')
      this.#write(`hidden${stored}`)
      return `[hidden: ${text}]`
    })
  }

  #nameChange(kind: string): void {
    if (this.#change) this.#change.kind = kind
  }

  #beginChange(attributes: XmlAttributes): Change | undefined {
    const change = this.#changes.get(readAttribute(attributes, 'change-id'))
    if (!change || change.kind === '') return undefined
    const by = change.author === '' ? '' : ` by ${change.author}`
    this.#addText(this.#write(`[${change.kind}${by}: `))
    return change
  }

  #openObject(attributes: XmlAttributes): (() => void) | undefined {
    const href = readAttribute(attributes, 'href')
    this.#addObject(href)
    this.#frameHasObject = true
    // one that is within the part
    return href === '' ? this.#skip() : undefined
  }

  #addObject(href: string): void {
    const found = this.#readObject(href)
    if (!found || found.text === '') {
      this.#omissions.add('embedded')
      return
    }
    const top = this.#top
    this.#write(found.text)
    if (found.isInline && top?.kind === 'paragraph') top.text += found.text
    else if (this.#isSpreadsheet) this.#sheetObjects.push(found.text)
    else if (top?.kind === 'paragraph') (top.objects ??= []).push(found.text)
    else this.#addBlock(found.text)
  }

  #openShape(attributes: XmlAttributes, prefix: string): (() => void) | undefined {
    const shapes = this.#shapes
    if (!shapes || !/^(?:draw|dr3d)$/.test(prefix)) return undefined
    const box = readBox(attributes)
    // a group stands where the first of its shapes does
    if (shapes.current && box) shapes.current.box ??= box
    const container = this.#findContainer()
    if (shapes.current || this.#open.length !== shapes.depth || !container) return undefined
    const isTitle = /^(?:title|subtitle)$/.test(readAttribute(attributes, 'class'))
    const shape: PlacedShape = { box, isTitle, blocks: [] }
    shapes.current = shape
    const from = container.blocks.length
    return () => {
      shape.blocks = container.blocks.splice(from)
      shapes.list.push(shape)
      shapes.current = undefined
    }
  }

  /** Reads what a picture shows; the title only if there is no description. */
  #readDescription(name: 'desc' | 'title'): () => void {
    const description: Paragraph = { kind: 'paragraph', text: '' }
    this.#frames.push(description)
    return () => {
      this.#frames.pop()
      this.#ledger.drop(description.text)
      const text = description.text.trim()
      if (name === 'desc' ? text !== '' : this.#description === '') this.#description = text
    }
  }

  #endFrame(): void {
    const text = this.#write(describeShape(this.#description, true))
    this.#description = ''
    if (text === '') return
    const top = this.#top
    if (top?.kind === 'paragraph') top.text += `${top.text.trim() === '' ? '' : ' '}${text}`
    else this.#addBlock(text)
  }

  #mark(text: string, style: string): string {
    if (text.trim() === '') return text
    const marks = new Set<TextMark | 'hidden'>()
    const decided = new Set<string>()
    let next = style
    for (let depth = 0; next !== '' && depth < 20; depth += 1) {
      for (const mark of this.#textStyles.get(next) ?? [])
        if (mark !== 'none' && !decided.has('none')) marks.add(mark)
      if (this.#textStyles.get(next)?.has('none')) decided.add('none')
      next = this.#parentStyles.get(next) ?? ''
    }
    let marked = text
    for (const mark of ['^', '_', '~~'] as const)
      if (marks.has(mark)) marked = markCore(marked, (core) => markText(core, mark))
    if (!marks.has('hidden')) return marked
    this.#omissions.note('hidden')
    this.#write('hidden')
    return markCore(marked, (core) => `[hidden: ${core}]`)
  }

  #readColumn(attributes: XmlAttributes): void {
    const table = this.#top
    if (table?.kind !== 'table') return
    const known = this.#columns.get(table) ?? { hidden: [], named: new Set<number>(), styles: [] }
    this.#columns.set(table, known)
    const isHidden = /^(?:collapse|filter)$/.test(readAttribute(attributes, 'visibility'))
    const count = Math.min(
      countRepeats(attributes, 'number-columns-repeated'),
      maxColumns - known.hidden.length,
    )
    for (let index = 0; index < count; index += 1) {
      known.hidden.push(isHidden)
      known.styles.push(readAttribute(attributes, 'default-cell-style-name'))
    }
  }

  #isDuration(style: string): boolean {
    if (this.#durationFormats.size === 0) return false
    let next = style
    for (let depth = 0; depth < 10 && next !== ''; depth += 1) {
      const format = this.#formats.get(next)
      if (format !== undefined) return this.#durationFormats.has(format)
      next = this.#parentStyles.get(next) ?? ''
    }
    return false
  }

  #nameHiddenColumns(table: Table): void {
    const known = this.#columns.get(table)
    if (!known?.hidden.includes(true)) return
    for (const [column, cell] of table.cells.entries()) {
      if (cell === '' || !known.hidden[column] || known.named.has(column)) continue
      known.named.add(column)
      table.cells[column] = `${cell} ${this.#write('[hidden column]')}`
      this.#omissions.note('hidden')
    }
  }

  #skip(): () => void {
    this.#skipped += 1
    return () => {
      this.#skipped -= 1
    }
  }

  #openHidden(): (() => void) | undefined {
    const blocks = this.#findContainer()?.blocks
    if (!blocks) return undefined
    const from = blocks.length
    return () => {
      for (const block of blocks.slice(from)) {
        block.text = `${this.#write('[hidden: ')}${block.text}]`
        this.#omissions.note('hidden')
      }
    }
  }

  /** @returns the number of a heading with a space behind it; empty if it has none, or that of a list */
  #numberHeading(attributes: XmlAttributes): string {
    const level = Number(readAttribute(attributes, 'outline-level')) || 1
    const style = this.#outline.get(level)
    if (!style || this.#lists.length > 0 || readAttribute(attributes, 'is-list-header') === 'true') return ''
    const isRestart = readAttribute(attributes, 'restart-numbering') === 'true'
    const restart = (Number(readAttribute(attributes, 'start-value')) || style.start) - 1
    const before = isRestart ? restart : (this.#headings[level - 1] ?? style.start - 1)
    this.#headings.length = level - 1
    for (let above = 0; above < level - 1; above += 1)
      this.#headings[above] ??= this.#outline.get(above + 1)?.start ?? 1
    this.#headings.push(before + 1)
    const number = formatLevel(this.#outline, this.#headings)
    return number === undefined || number === '' ? '' : `${number} `
  }

  #openParagraph(attributes: XmlAttributes, number = ''): () => void {
    const style = readAttribute(attributes, 'style-name')
    const paragraph: Paragraph = { kind: 'paragraph', text: '' }
    const list = this.#lists.at(-1)
    const label = list && this.#findContainer() === list.container ? this.#takeLabel(list) : undefined
    this.#frames.push(paragraph)
    return () => {
      // a comment on a range may end in a later paragraph, or not at all
      for (const comment of this.#rangeComments.values()) this.#addNote(comment)
      this.#rangeComments.clear()
      this.#frames.pop()
      this.#ledger.endLine()
      const text = this.#mark(paragraph.text.trim(), style)
      if (text !== '') this.#addBlock(`${this.#write(label ?? number)}${text}`, label !== undefined)
      for (const object of paragraph.objects ?? []) this.#addBlock(object)
      const [body] = this.#frames
      if (
        this.#frames.length !== 1 ||
        body?.kind !== 'container' ||
        body.blocks.length === 0 ||
        !isTimeOver()
      )
        return
      this.text.addLast(joinBlocks(body.blocks))
      throw new TimeOver(this.text)
    }
  }

  #openList(attributes: XmlAttributes): () => void {
    const style = readAttribute(attributes, 'style-name') || (this.#lists.at(-1)?.style ?? '')
    const continued =
      this.#itemCounts.get(readAttribute(attributes, 'continue-list')) ??
      (readAttribute(attributes, 'continue-numbering') === 'true'
        ? this.#itemCounts.get(`style ${style}`)
        : 0) ??
      0
    const list: List = { style, item: continued, isLabelled: true, container: this.#findContainer() }
    this.#lists.push(list)
    return () => {
      this.#lists.pop()
      this.#itemCounts.set(`style ${style}`, list.item)
      const id = readAttribute(attributes, 'id')
      if (id !== '') this.#itemCounts.set(id, list.item)
    }
  }

  #takeLabel(list: List): string {
    const level = this.#lists.length
    const indent = '  '.repeat(level - 1)
    if (list.isLabelled) return `${indent}  `
    list.isLabelled = true
    const styles = this.#listStyles.get(list.style)
    const numbers = this.#lists.map(
      ({ item }, index) => (styles?.get(index + 1)?.start ?? 1) + Math.max(1, item) - 1,
    )
    return `${indent}${formatLevel(styles, numbers) ?? '-'} `
  }

  #readTextStyle(attributes: XmlAttributes): void {
    const position = readAttribute(attributes, 'text-position')
    const line =
      readAttribute(attributes, 'text-line-through-style') ||
      readAttribute(attributes, 'text-line-through-type')
    const marks = new Set<TextMark | 'hidden' | 'none'>()
    if (/^super|^[1-9]/.test(position)) marks.add('^')
    else if (/^(?:sub|-)/.test(position)) marks.add('_')
    if (line === 'none') marks.add('none')
    else if (readAttribute(attributes, 'text-line-through-style') !== '') marks.add('~~')
    if (readAttribute(attributes, 'display') === 'none') marks.add('hidden')
    if (marks.size > 0) this.#textStyles.set(this.#style, marks)
  }

  #openSlide(style: string): () => void {
    this.#slide += 1
    const isHidden = this.#hiddenStyles.has(style)
    const number = this.#slide
    const title = `Slide ${number}`
    const shapes = { depth: this.#open.length + 1, list: [] as PlacedShape[] }
    this.#shapes = shapes
    return this.#openPart(
      (blocks) => {
        const text = joinBlocks(blocks, '\n')
        if (isHidden && text !== '') this.#omissions.note('hidden')
        this.text.add(
          text === ''
            ? ''
            : `${this.text.length > 0 ? '\n\n' : ''}${title}${isHidden ? ' (hidden)' : ''}\n${text}`,
          { label: `slide ${number}`, title },
        )
      },
      ({ blocks, comments }) => {
        this.#shapes = undefined
        const placed = sortShapes(shapes.list, ({ box }) => box).flatMap((shape) => shape.blocks)
        return [...placed, ...blocks, ...comments.map((text) => ({ text, isItem: false }))]
      },
    )
  }

  #openTable(name: string, style: string): () => void {
    const table: Table = {
      kind: 'table',
      rows: [],
      cells: [],
      emptyCells: 0,
      emptyRows: 0,
      repeat: 1,
      width: 0,
      hiddenRows: new Set(),
    }
    const isSheet = this.#frames.length === 1 && this.#isSpreadsheet
    if (isSheet) {
      table.handOver = () => this.#addSheet(table, name, style)
      table.typed = { cells: [], column: 0, row: 1, merged: [] }
      this.cells.open(name, this.#hiddenStyles.has(style))
      this.#ledgers.push(new LetterLedger())
    }
    this.#frames.push(table)
    return () => {
      this.#frames.pop()
      this.#frameHasObject = true
      const given = [...new Set(table.rows)].map((row) => row.join('\t'))
      const settled = isSheet ? this.#settle(given) : given
      if (settled !== given) table.rows = settled.flatMap((text) => text.split('\n')).map((line) => [line])
      for (const range of table.typed?.merged ?? []) this.cells.merge(range)
      if (!isSheet) {
        const isNested = this.#frames.some((frame) => frame.kind === 'table')
        this.#addBlock(
          isNested
            ? table.rows.map((row) => row.join(' | ')).join('\n')
            : formatTable(table.rows).replace(/\n$/, ''),
        )
        return
      }
      this.#addSheet(table, name, style)
    }
  }

  #addSheet(table: Table, name: string, style: string): void {
    const objects = this.#sheetObjects
    this.#sheetObjects = []
    if (table.rows.length === 0 && objects.length === 0) return
    const isHidden = this.#hiddenStyles.has(style)
    if (isHidden) this.#omissions.note('hidden')
    const title = `Sheet: ${name}`
    this.text.addLast(`${this.text.length > 0 ? '\n' : ''}${title}${isHidden ? ' (hidden)' : ''}\n`, {
      label: `sheet ${name}`,
      title,
    })
    let width = 0
    for (const row of table.rows) {
      const isHiddenRow = table.hiddenRows.has(row)
      width = Math.min(maxPaddedWidth, Math.max(width, row.length))
      this.text.addLast(
        row.length === 0 ? '\n' : `${formatRow(row, width)}${isHiddenRow ? '\t[hidden row]' : ''}\n`,
      )
    }
    for (const object of objects) this.text.addLast(`\n${object}\n`)
  }

  #openRow(repeat: number): (() => void) | undefined {
    const table = this.#top
    if (table?.kind !== 'table') return undefined
    table.cells = []
    table.emptyCells = 0
    if (table.typed) table.typed = { ...table.typed, cells: [], column: 0 }
    const isHidden = this.#isHiddenRow
    return () => {
      if (table.typed) {
        this.cells.add(table.typed.row, table.typed.cells, repeat)
        table.typed.row += repeat
      }
      if (table.handOver && table.rows.length > 0 && isTimeOver()) {
        table.handOver()
        throw new TimeOver(this.text)
      }
      const isEmpty = table.cells.every((cell) => cell === '')
      if (isEmpty && this.#isSpreadsheet) {
        table.emptyRows += repeat
        return
      }
      if (table.emptyRows > 0 && table.rows.length > 0) table.rows.push([])
      table.emptyRows = 0
      this.#nameHiddenColumns(table)
      const cells = this.#isSpreadsheet
        ? table.cells
        : [...table.cells, ...Array<string>(Math.min(table.emptyCells, maxGap)).fill('')]
      if (isHidden) {
        table.hiddenRows.add(cells)
        this.#omissions.note('hidden', repeat)
        if (!this.#isSpreadsheet) cells.push(this.#write('[hidden row]'))
      }
      if (!table.handOver && repeat > 1) this.#write(cells.join('').repeat(Math.min(repeat, maxRepeatedRows)))
      for (let count = 0; count < Math.min(repeat, maxRepeatedRows); count += 1) table.rows.push(cells)
      this.#omissions.add('rows', Math.max(0, repeat - maxRepeatedRows))
    }
  }

  #openCell(attributes: XmlAttributes, isCovered: boolean): (() => void) | undefined {
    const table = this.#top
    if (table?.kind !== 'table') return undefined
    const repeat = countRepeats(attributes, 'number-columns-repeated')
    const height = countRepeats(attributes, 'number-rows-spanned')
    const formula = readAttribute(attributes, 'formula').replace(/^\w+:/, '')
    const value = readValue(attributes)
    const date = readAttribute(attributes, 'date-value')
    const style = readAttribute(attributes, 'style-name')
    return this.#pushContainer(({ blocks, comments }) => {
      const written = joinBlocks(blocks, '\n')
      const shown =
        date !== ''
          ? date.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, '')
          : showTime(attributes, written) || value || formula
      if (table.typed) {
        const { row, column, merged } = table.typed
        const isDuration = this.#isDuration(style || (this.#columns.get(table)?.styles[column] ?? ''))
        const cell = isCovered ? undefined : readTypedCell(attributes, written, isDuration)
        if (height > 1) merged.push(formatColumn(column, row, row + height - 1))
        addTypedCells(table.typed, cell, repeat)
      }
      const text = isCovered
        ? ''
        : [this.#mark(shown, style), ...comments].filter((one) => one !== '').join(' ')
      // a date is written in its own way, and a time with its day
      if (isCovered) this.#ledger.drop(`${written}${comments.join('')}`)
      else if (date !== '') this.#ledger.drop(written)
      const isTime = readAttribute(attributes, 'value-type') === 'time'
      if (date !== '' || written === '' || isTime) this.#write(shown)
      if (text === '') {
        table.emptyCells += repeat
        return
      }
      if (table.emptyCells > maxGap) table.cells.push(this.#write(`(${table.emptyCells} empty cells)`))
      else table.cells.push(...Array<string>(table.emptyCells).fill(''))
      table.emptyCells = 0
      table.cells.push(...Array<string>(Math.min(repeat, maxGap)).fill(text))
      if (repeat > 1) this.#write(text.repeat(Math.min(repeat, maxGap)))
    })
  }
}

const maxRepeatedRows = 1_000
