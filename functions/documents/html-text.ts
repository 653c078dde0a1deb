import type { OmissionKind } from '#shared/sentences/documents.ts'
import { Parser } from 'htmlparser2'
import { DocumentError, type OmissionCounter } from './extracted-text.ts'
import { listPairs } from './list-pairs.ts'
import { markText, type TextMark } from './format-runs.ts'
import { LetterLedger } from './letter-ledger.ts'
import { formatCell, formatTable, placeCells, type SpannedCell } from './write-table.ts'
import { Block, isWhite, joinSpaces } from './html-block.ts'
import { formatNumber, numberFormats } from './word-numbering.ts'
import type { EquationReader } from './read-equation.ts'
import { createMathReader } from './read-math.ts'

/** What a page has that is not for its readers, and how it is counted; empty: not at all. */
const skipped = new Map<string, OmissionKind | ''>(
  listPairs('script:scripts style:styles head: template: noscript: svg: annotation: annotation-xml: rp:') as [
    string,
    OmissionKind | '',
  ][],
)
const omitted = new Map<string, OmissionKind>(
  listPairs(
    'iframe:embedded object:embedded embed:embedded applet:embedded canvas:pictures video:media audio:media',
  ) as [string, OmissionKind][],
)
const blocks = new Set(
  'address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer form header hr legend li main nav ol option p pre section summary table title ul'.split(
    ' ',
  ),
)
const tableParts = new Set(['thead', 'tbody', 'tfoot', 'caption', 'colgroup'])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const marks: ReadonlyMap<string, TextMark> = new Map([
  ['sup', '^'],
  ['sub', '_'],
  ['s', '~~'],
  ['del', '~~'],
  ['strike', '~~'],
])
/** Deeper cells belong to the one around them: pages nest tables for their layout. */
const maxCellDepth = 40
/** The parser searches all open elements at each tag. Pages have far fewer. */
const maxDepth = 2_000
/** A cell with more is one of a layout. */
const maxCellCharacters = 1_000
/** Lines of a cell, in a table of two rows that nothing marks as one of data. */
const maxLinesCharacters = 300

interface Row {
  cells: (SpannedCell & { hasBlocks: boolean })[]
  part: number
}

interface Table {
  rows: Row[]
  /** head, bodies and foot: no cell reaches out of its own */
  parts: number
  isData: boolean
  hasBorder: boolean
  /** a role says it */
  isLayout: boolean
  /** pages nest tables for their layout; one with headers has data */
  hasTables: boolean
}

const newTable = (): Table => ({
  rows: [],
  parts: 0,
  isData: false,
  hasBorder: false,
  isLayout: false,
  hasTables: false,
})

interface List {
  isOrdered: boolean
  number: number
  step: 1 | -1
  format: string
}

const styleFormats = new Map([
  ...['alpha', 'latin'].flatMap((kind) => [
    [`lower-${kind}`, 'lowerLetter'] as const,
    [`upper-${kind}`, 'upperLetter'] as const,
  ]),
  ['lower-roman', 'lowerRoman'],
  ['upper-roman', 'upperRoman'],
])

interface Open {
  name: string
  mark?: TextMark
  href?: string
  isSkipped?: boolean
  isCell?: boolean
  isHeading?: boolean
  isPre?: boolean
  isTable?: boolean
  isCounted?: boolean
  /** what follows is no longer within it, although its end comes later */
  isEnded?: boolean
}

export interface HtmlOptions {
  omissions?: OmissionCounter
  /** whether scripts and styles count: a mail has none that matter to its reader */
  countsCode?: boolean
  hasTitle?: boolean
}

/**
 * The text of an HTML page: a line for each block, `#` before headings, rows of tables with tabs between their cells, addresses behind their
 * links, `^` before what is raised and `~~` around what is struck. Nothing of it runs or is loaded.
 * @throws DocumentError if it is nested too deeply
 */
export function readHtmlText(html: string, options: HtmlOptions = {}): string {
  const reader = new HtmlReader(options)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name, isImplied) => reader.close(name, isImplied),
    },
    { recognizeSelfClosing: isXhtml.test(html.slice(0, 2_000)) },
  )
  parser.end(dropDefinitions(html))
  return reader.end()
}

/** What a page of XML defines in its document type: the parser would end it at its first `>`. */
function dropDefinitions(html: string): string {
  const start = html.slice(0, 1_000).search(/<!doctype\s/i)
  if (start < 0) return html
  const type = /^[^[>]{0,1000}\[[^\]]{0,20000}\]\s{0,100}>/.exec(html.slice(start, start + 22_000))?.[0]
  return type === undefined ? html : html.slice(0, start) + html.slice(start + type.length)
}

/** Where `<title/>` and `<script/>` are closed: in HTML all that follows would be within them. */
const isXhtml =
  /^\ufeff?\s{0,20}<\?xml[\s?]|<html\s[^>]{0,1000}\bxmlns\s{0,3}=\s{0,3}["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i

class HtmlReader {
  readonly #options: HtmlOptions
  readonly #page = new Block()
  readonly #ledger = new LetterLedger()
  readonly #blocks: Block[] = [this.#page]
  readonly #tables: Table[] = []
  readonly #lists: List[] = []
  readonly #open: Open[] = []
  #skippedDepth = 0
  #preDepth = 0
  #cellDepth = 0
  #title = ''
  #isTitle = false
  #math: { reader: EquationReader; depth: number } | undefined
  #item: { block: Block; length: number } | undefined

  constructor(options: HtmlOptions) {
    this.#options = options
  }

  get #current(): Block {
    return this.#blocks.at(-1) ?? this.#page
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#math) {
      this.#math.reader.open(name, attributes)
      this.#math.depth += 1
      this.#open.push({ name })
      return
    }
    if (voidElements.has(name)) {
      // the parser closes it at once
      this.#open.push({ name })
      if (this.#skippedDepth === 0) this.#openVoid(name, attributes)
      return
    }
    if (this.#open.length >= maxDepth) throw new DocumentError('unreadable', 'nested too deeply')
    const style = attributes['style']?.slice(0, 2_000).toLowerCase() ?? ''
    const isHidden =
      'hidden' in attributes ||
      /display\s{0,3}:\s{0,3}none/.test(style) ||
      /mso-hide\s{0,3}:\s{0,3}all/.test(style)
    const isSkipped = skipped.has(name) && !('shadowrootmode' in attributes)
    const open: Open = { name }
    this.#open.push(open)
    if (name === 'title' && this.#page.length === 0 && this.#title === '') this.#isTitle = true
    if (name === 'text' && this.#skippedDepth === 1) this.#countDrawing()
    if (this.#skippedDepth > 0 || isSkipped || isHidden) {
      this.#countSkipped(name, isSkipped, attributes)
      open.isSkipped = isSkipped || isHidden
      if (open.isSkipped) this.#skippedDepth += 1
      return
    }
    const omission = omitted.get(name)
    if (omission) this.#options.omissions?.add(omission)
    if (name === 'math') this.#math = { reader: createMathReader(), depth: 0 }
    if (blocks.has(name) || headings.has(name)) this.#startBlock()
    this.#openElement(name, attributes, open, style)
  }

  #countSkipped(name: string, isSkipped: boolean, attributes: Readonly<Record<string, string>>): void {
    const { omissions, countsCode = false } = this.#options
    if (isSkipped) {
      const kind = skipped.get(name)
      const isData = /json|template|math/.test(attributes['type'] ?? '') && name === 'script'
      if (kind && countsCode && !isData) omissions?.add(kind)
    } else if (this.#skippedDepth === 0) omissions?.add('hidden')
  }

  /** Pages have many icons; a drawing with texts says something. */
  #countDrawing(): void {
    const drawing = this.#open.find(({ isSkipped }) => isSkipped)
    if (drawing?.name !== 'svg' || drawing.isCounted) return
    drawing.isCounted = true
    this.#options.omissions?.add('pictures')
  }

  #startBlock(): void {
    this.#ledger.endLine()
    const block = this.#current
    // the first block of an item stands behind its mark
    if (block === this.#item?.block && block.length === this.#item.length) return
    if (block.length > 0) block.hasBlocks = true
    block.endLine()
  }

  #openElement(name: string, attributes: Readonly<Record<string, string>>, open: Open, style: string): void {
    const list = this.#lists.at(-1)
    const table = this.#tables.at(-1)
    if (table && marksData(name, attributes)) table.isData = true
    if (headings.has(name) && this.#blocks.length <= maxCellDepth * 2) {
      open.isHeading = true
      this.#blocks.push(new Block())
    } else if (name === 'table') {
      const outer = this.#tables.at(-1)
      if (outer) outer.hasTables = true
      const isLayout = /^(?:presentation|none)$/.test(attributes['role'] ?? '')
      const hasBorder = Number.parseInt(attributes['border'] ?? '', 10) > 0
      this.#tables.push({ ...newTable(), hasBorder, isLayout })
    } else if (name === 'tr') {
      this.#endOpenCell()
      this.#current.endLine()
      // a part of a page may begin within a table
      open.isTable = this.#tables.length === 0
      if (open.isTable) this.#tables.push(newTable())
      const own = this.#tables.at(-1)
      own?.rows.push({ cells: [], part: own.parts })
    } else if (tableParts.has(name)) {
      this.#endOpenCell()
      if (table) table.parts += 1
    } else if (name === 'td' || name === 'th') this.#openCell(attributes, open)
    else if (name === 'ul' || name === 'ol') {
      const shown = /list-style(?:-type)?\s{0,3}:\s{0,3}([a-z-]{1,20})/.exec(style)?.[1] ?? ''
      const isReversed = 'reversed' in attributes
      const start = toWhole(attributes['start'])
      this.#lists.push({
        // without a start it counts from the number of its items, which follow
        isOrdered: name === 'ol' && !(isReversed && start === undefined),
        number: start ?? 1,
        step: isReversed ? -1 : 1,
        format: styleFormats.get(shown) ?? numberFormats.get(attributes['type'] ?? '') ?? 'decimal',
      })
    } else if (name === 'li') {
      const indent = '  '.repeat(Math.max(0, Math.min(this.#lists.length, 10) - 1))
      if (list?.isOrdered) {
        list.number = toWhole(attributes['value']) ?? list.number
        this.#write(`${indent}${formatNumber(list.number, list.format)}. `)
        list.number += list.step
      } else this.#current.add(`${indent}- `)
      this.#item = { block: this.#current, length: this.#current.length }
    } else if (name === 'pre' || name === 'textarea') {
      if (name === 'textarea') this.#divideField()
      open.isPre = true
      this.#preDepth += 1
    } else if (name === 'rt') this.#current.add('(')
    else if (name === 'q') this.#current.add('“')
    else if (name === 'option') this.#write('selected' in attributes ? '[x] ' : '[ ] ')
    // e-books raise them by a style
    const isNote =
      name === 'a' && /noteref/.test(`${attributes['epub:type'] ?? ''} ${attributes['role'] ?? ''}`)
    const isRaised = isNote && !this.#open.some((outer) => outer.mark === '^')
    const own = marks.get(name) ?? (isRaised ? '^' : findMark(style))
    // the number of a note is raised by its link, and again within it
    const isRepeated = own === '^' && this.#open.at(-2)?.mark === '^'
    const mark = isRepeated ? undefined : own
    const href = name === 'a' ? attributes['href']?.trim() : undefined
    // texts are put together anew at each level
    const isDeep = this.#blocks.length > maxCellDepth * 2
    if (mark && !isDeep) open.mark = mark
    if (href !== undefined && isAddress(href) && !isDeep) open.href = href
    if (open.mark || open.href) this.#blocks.push(new Block(this.#current.last))
  }

  #openCell({ colspan, rowspan }: Readonly<Record<string, string>>, open: Open): void {
    const table = this.#tables.at(-1)
    if (!table || this.#cellDepth > maxCellDepth) return
    const row = table.rows.at(-1)
    if (!row) return
    open.isCell = true
    this.#cellDepth += 1
    row.cells.push({
      text: '',
      columns: toSpan(colspan),
      rows: rowspan?.trim() === '0' ? Infinity : toSpan(rowspan),
      hasBlocks: false,
    })
    this.#blocks.push(new Block())
  }

  #openVoid(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'br') this.#current.add('\n')
    else if (name === 'hr') this.#startBlock()
    else if (name === 'img') this.#addPicture(attributes)
    else if (name === 'embed') this.#options.omissions?.add('embedded')
    else if (name === 'input') this.#addField(attributes)
  }

  #addPicture({ alt = '', src = '', width = '', height = '' }: Readonly<Record<string, string>>): void {
    const isPixel = /^[01](?:px)?$/.test(width.trim()) || /^[01](?:px)?$/.test(height.trim())
    // pictures of a mail are counted as its parts
    if (!isPixel && !/^cid:/i.test(src)) this.#options.omissions?.add('pictures')
    const words = alt.trim()
    if (words !== '') this.#write(`${isWhite(this.#current.last) ? '' : ' '}[picture: ${joinSpaces(words)}] `)
  }

  #addField({ type = 'text', value = '', ...attributes }: Readonly<Record<string, string>>): void {
    const kind = type.toLowerCase()
    if (/^(?:hidden|password|submit|button|reset|image|file)$/.test(kind)) return
    const isChoice = kind === 'checkbox' || kind === 'radio'
    const shown = isChoice ? ('checked' in attributes ? '[x] ' : '[ ] ') : value
    this.#divideField()
    // the label of a choice follows it
    if (shown !== '') this.#write(isChoice ? shown : joinSpaces(`${shown} `))
  }

  #write(text: string): void {
    this.#ledger.write(text)
    this.#current.add(text)
  }

  /** Fields have frames: they touch neither their labels nor each other. */
  #divideField(): void {
    if (!isWhite(this.#current.last)) this.#current.addWords(' ')
  }

  text(text: string): void {
    if (this.#isTitle) this.#title += text
    else if (this.#skippedDepth > 0) return
    else if (this.#math) this.#math.reader.text(text)
    else {
      const content = text.replaceAll('\u00ad', '')
      const isPre = this.#preDepth > 0
      const words = isPre ? content : joinSpaces(content)
      this.#ledger.receive(words)
      if (isPre) this.#current.add(words)
      else this.#current.addWords(words)
    }
  }

  close(name: string, isImplied = false): void {
    const open = this.#open.pop()
    if (this.#math && this.#math.depth > 0) {
      this.#math.reader.close()
      this.#math.depth -= 1
      return
    }
    if (this.#math) {
      const formula = this.#math.reader.end()
      this.#math = undefined
      this.#write(formula)
      return
    }
    if (name === 'title') {
      // one that nothing ends is the rest of the page
      if (this.#isTitle && isImplied) {
        this.#write(this.#title)
        this.#title = ''
      }
      this.#isTitle = false
    }
    if (open?.isSkipped) {
      this.#skippedDepth -= 1
      return
    }
    if (this.#skippedDepth === 0 && open) this.#finish(open)
  }

  /** Ends a cell whose end tag is left out: the parser closes it at a row, but not at a part of the table. */
  #endOpenCell(): void {
    const table = this.#open.findLastIndex(({ name }) => name === 'table')
    const cell = this.#open.findIndex(({ isCell, isEnded }, at) => at > table && isCell && !isEnded)
    if (cell < 0) return
    for (const open of this.#open.slice(cell, -1).toReversed()) this.#finish(open)
  }

  #finish(open: Open): void {
    if (open.isEnded) return
    open.isEnded = true
    const { name } = open
    if (open.isPre) this.#preDepth -= 1
    if (name === 'textarea') this.#divideField()
    if (name === 'rt') this.#current.add(')')
    if (name === 'q') this.#current.add('”')
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (open.mark || open.href) this.#endInline(open)
    if (open.isHeading) {
      const heading = this.#blocks.pop()?.text.replace(/\s+/g, ' ').trim() ?? ''
      if (heading !== '') this.#current.add(`${'#'.repeat(Number(name[1]))} ${heading}`)
    }
    if (open.isCell) this.#endCell()
    const table = this.#tables.at(-1)
    if (table && tableParts.has(name)) table.parts += 1
    if ((name === 'table' || open.isTable) && this.#tables.length > 0) this.#endTable()
    if (blocks.has(name) || headings.has(name)) this.#current.endLine()
  }

  #endInline({ mark, href }: Open): void {
    const inner = this.#blocks.pop()
    const text = inner?.text ?? ''
    const words = text.trim()
    if (inner?.hasBlocks) this.#current.hasBlocks = true
    const [before, after] = [
      text.slice(0, text.indexOf(words)),
      text.slice(text.indexOf(words) + words.length),
    ]
    let shown = words
    if (mark && words !== '') shown = markText(words, mark)
    // a link around a block
    if (
      href !== undefined &&
      words !== '' &&
      !words.includes(href) &&
      href !== `mailto:${words}` &&
      href !== `tel:${words}`
    ) {
      this.#ledger.write(href)
      shown = `${shown} (${href})`
    }
    this.#current.add(words === '' ? text : `${before}${shown}${after}`)
  }

  #endCell(): void {
    this.#cellDepth -= 1
    const block = this.#blocks.pop()
    const cell = this.#tables.at(-1)?.rows.at(-1)?.cells.at(-1)
    if (!cell) this.#current.add(block?.text ?? '')
    else {
      cell.text = block?.text ?? ''
      cell.hasBlocks = block?.hasBlocks ?? false
    }
  }

  #endTable(): void {
    const table = this.#tables.pop()
    const { rows = [], isData: isMarked = false } = table ?? {}
    const isLayout = table === undefined || table.isLayout || (table.hasTables && !isMarked)
    const filled = rows.filter(({ cells }) => cells.some(({ text }) => text.trim() !== ''))
    const isShort = filled.every(({ cells }) => cells.every(({ text }) => text.length <= maxCellCharacters))
    const isSimple = filled.every(({ cells }) =>
      cells.every(({ text, hasBlocks }) => !hasBlocks && !text.trim().includes('\n')),
    )
    const hasLinesOnly = filled.every(({ cells }) =>
      cells.every(({ text, hasBlocks }) => !hasBlocks && text.length <= maxLinesCharacters),
    )
    const width = filled.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    const isData = isSimple
      ? width > 1
      : !isLayout &&
        isShort &&
        width > 1 &&
        (isMarked || table.hasBorder || filled.length > (hasLinesOnly ? 1 : 2))
    const lastRows = new Map(rows.map(({ part }, at) => [part, at]))
    const block = this.#current
    block.endLine()
    if (isData)
      block.add(
        formatTable(
          dropEmptyRows(
            placeCells(
              rows.map(({ cells, part }, at) => {
                const height = (lastRows.get(part) ?? at) - at + 1
                return cells.map((cell) => toTableCell({ ...cell, rows: Math.min(cell.rows ?? 1, height) }))
              }),
            ),
          ),
        ),
      )
    else
      for (const { cells } of filled)
        for (const { text } of cells) if (text.trim() !== '') block.add(`${text.trim()}\n`)
  }

  end(): string {
    // what the page did not close
    while (this.#open.length > 0) this.close(this.#open.at(-1)?.name ?? '')
    const laidOut = this.#page.text
      .split('\n')
      // code and lists are indented
      .map((line) => (line.includes('\t') ? line : line.trimEnd()))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      // a row may begin, and end, with an empty cell
      .replaceAll(/^\n{1,2}|\n{1,2}$/g, '')
    const [text = ''] = this.#ledger.settle([laidOut], this.#options.omissions)
    const title = this.#title.replace(/\s+/g, ' ').trim()
    const isShown = this.#options.hasTitle && title !== '' && !text.slice(0, 1_000).includes(title)
    return isShown ? `Title: ${title}\n\n${text}` : text
  }
}

const toTableCell = ({ text, columns = 1, rows = 1 }: SpannedCell): SpannedCell => ({
  text: formatCell(text),
  columns,
  rows,
})
const dropEmptyRows = (rows: string[][]) => rows.filter((cells) => cells.some((cell) => cell !== ''))
const toWhole = (value: string | undefined) =>
  value !== undefined && /^\s{0,9}-?\d{1,9}\s{0,9}$/.test(value) ? Number(value) : undefined
const toSpan = (value: string | undefined) => Math.max(1, Math.min(1_000, Number(value ?? 1) || 1))

const marksData = (name: string, attributes: Readonly<Record<string, string>>) =>
  name === 'th' ||
  name === 'caption' ||
  name === 'thead' ||
  (name === 'td' && ('scope' in attributes || 'headers' in attributes))

const isAddress = (href: string) =>
  /^(?:[a-z][a-z\d+.-]{0,30}:|\/\/)/i.test(href) && !/^(?:javascript|data|cid|about|blob):/i.test(href)

function findMark(style: string): TextMark | undefined {
  if (/text-decoration(?:-line)?\s{0,3}:[^;]{0,60}line-through/.test(style)) return '~~'
  const align = /vertical-align\s{0,3}:\s{0,3}(super|sub)/.exec(style)?.[1]
  return align === undefined ? undefined : align === 'super' ? '^' : '_'
}
