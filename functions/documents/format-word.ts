import type { TextCollector } from './extracted-text.ts'
import { addLink, formatRuns, type TextRun } from './format-runs.ts'
import { formatTable, placeCells } from './write-table.ts'

// Writes mammoth's tree of a Word document as text.

/** A node of mammoth's tree; which fields it has depends on its type. */
export interface WordElement {
  type: string
  children?: WordElement[]
  value?: string
  styleId?: string | null
  numbering?: object | null
  verticalAlignment?: string
  isStrikethrough?: boolean
  href?: string | null
  breakType?: string
  checked?: boolean
  colSpan?: number
  rowSpan?: number
  noteType?: string
  noteId?: string
  commentId?: string
  authorName?: string | null
  body?: WordElement[]
  notes?: { resolve: (reference: WordElement) => WordElement | null }
  comments?: WordElement[]
}

/** Styles that mark the tables into which headers and footers were put. */
export const pagePartsStyle = { header: 'juno-page-headers', footer: 'juno-page-footers' } as const

/** A note may refer to itself. */
const maxDepth = 50

const marks: ReadonlyMap<string, '^' | '_'> = new Map([
  ['superscript', '^'],
  ['subscript', '_'],
])

/** Removes white space from the end of each line, but the tabs that separate cells, and all of it from the end of the text. */
function trimLines(text: string): string {
  const trimLine = (line: string) => {
    let end = line.length
    while (end > 0 && line[end - 1] !== '\t' && line.slice(end - 1, end).trim() === '') end -= 1
    return line.slice(0, end)
  }
  return text.split('\n').map(trimLine).join('\n').trimEnd()
}

/** Writes documents, or the parts that a long one was divided into, one after the other. */
export class WordFormatter {
  readonly #text: TextCollector
  #document: WordElement = { type: 'document' }
  #comments: ReadonlyMap<string, WordElement> = new Map()
  #depth = 0
  #noteNumber = 0
  #wasItem = false
  readonly #pageParts = new Set<string>()

  constructor(text: TextCollector) {
    this.#text = text
  }

  /** @param document the root of mammoth's tree @throws TimeOver */
  add(document: WordElement): void {
    this.#document = document
    this.#comments = new Map((document.comments ?? []).map((comment) => [comment.commentId ?? '', comment]))
    const { children = [] } = document
    const isPart = (element: WordElement, kind: keyof typeof pagePartsStyle) =>
      element.type === 'table' && element.styleId === pagePartsStyle[kind]
    const addParts = (kind: keyof typeof pagePartsStyle, title: string) => {
      const rows = children
        .filter((element) => isPart(element, kind))
        .flatMap((table) => table.children ?? [])
      for (const row of rows) {
        const text = this.#formatBlocks(row.children?.[0]?.children ?? [])
        // the first page, and pages on the left, often have the same
        if (text === '' || this.#pageParts.has(`${title}: ${text}`)) continue
        this.#pageParts.add(`${title}: ${text}`)
        this.#text.add(`${this.#text.length > 0 ? '\n\n' : ''}${title}: ${text}`)
        this.#wasItem = false
      }
    }
    addParts('header', 'Page header')
    for (const element of children) {
      if (isPart(element, 'header') || isPart(element, 'footer')) continue
      const block = this.#formatBlocks([element])
      if (block === '') continue
      const isItem = Boolean(element.numbering)
      const separator = this.#wasItem && isItem ? '\n' : '\n\n'
      this.#text.add(`${this.#text.length > 0 ? separator : ''}${block}`)
      this.#wasItem = isItem
    }
    addParts('footer', 'Page footer')
  }

  /** A blank line between paragraphs and tables, a new line between items of a list. */
  #formatBlocks(elements: readonly WordElement[]): string {
    let text = ''
    let wasItem = false
    for (const element of elements) {
      const isItem = Boolean(element.numbering)
      const block =
        element.type === 'table'
          ? formatTable(this.#readTable(element)).replace(/\n$/, '')
          : trimLines(this.#formatInline([element]))
      if (block.trim() === '') continue
      text += `${text === '' ? '' : wasItem && isItem ? '\n' : '\n\n'}${isItem ? block : block.replace(/^\n+/, '')}`
      wasItem = isItem
    }
    return text
  }

  #readTable({ children = [] }: WordElement): string[][] {
    return placeCells(
      children.map((row) =>
        (row.children ?? [])
          .filter(({ type }) => type === 'tableCell')
          .map((cell) => ({
            text: this.#formatCell(cell),
            columns: cell.colSpan ?? 1,
            rows: cell.rowSpan ?? 1,
          })),
      ),
    )
  }

  #formatCell({ children = [] }: WordElement): string {
    return children
      .map((element) =>
        element.type === 'table'
          ? this.#readTable(element)
              .map((cells) => cells.join(' | '))
              .join('\n')
          : this.#formatInline([element]),
      )
      .join('\n')
  }

  #formatInline(elements: readonly WordElement[]): string {
    if (this.#depth > maxDepth) return ''
    this.#depth += 1
    let text = ''
    let runs: TextRun[] = []
    for (const element of elements) {
      if (element.type === 'run') {
        runs.push(this.#readRun(element))
        continue
      }
      text += formatRuns(runs) + this.#formatElement(element)
      runs = []
    }
    this.#depth -= 1
    return text + formatRuns(runs)
  }

  #formatElement(element: WordElement): string {
    switch (element.type) {
      case 'text':
        return element.value ?? ''
      case 'tab':
        return '\t'
      case 'break':
        return element.breakType === 'page' ? '\n\n[page break]\n\n' : '\n'
      case 'checkbox':
        return element.checked ? '[x]' : '[ ]'
      case 'hyperlink':
        return this.#formatLink(element)
      case 'noteReference': {
        const note = this.#document.notes?.resolve(element)
        this.#noteNumber += 1
        const title = `${element.noteType === 'endnote' ? 'endnote' : 'footnote'} ${this.#noteNumber}`
        return note ? ` [${title}: ${this.#formatBody(note)}]` : ''
      }
      case 'commentReference': {
        const comment = this.#comments.get(element.commentId ?? '')
        if (!comment) return ''
        return ` [comment${comment.authorName ? ` by ${comment.authorName}` : ''}: ${this.#formatBody(comment)}]`
      }
      case 'table':
        return formatTable(this.#readTable(element))
      default:
        return this.#formatInline(element.children ?? [])
    }
  }

  #formatBody({ body = [] }: WordElement): string {
    return body
      .map((element) => this.#formatInline([element]).trim())
      .filter((text) => text !== '')
      .join('\n')
  }

  #readRun({ children = [], verticalAlignment, isStrikethrough = false }: WordElement): TextRun {
    const [first] = children
    // the link of a field is in each of its runs
    const link = children.length === 1 && first?.type === 'hyperlink' ? first : undefined
    const isNote = children.some(({ type }) => type.endsWith('Reference'))
    return {
      text: this.#formatInline(link ? (link.children ?? []) : children),
      position: isNote ? undefined : marks.get(verticalAlignment ?? ''),
      isStruck: isStrikethrough,
      ...(link?.href && { href: link.href }),
    }
  }

  #formatLink({ children = [], href }: WordElement): string {
    const text = this.#formatInline(children)
    return addLink(text, href ?? undefined)
  }
}
