import { markText, type TextMark } from './mark-text.ts'
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

const marks: ReadonlyMap<string, TextMark> = new Map([
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

/** @param document the root of mammoth's tree */
export function formatWord(document: WordElement): string {
  return new WordFormatter(document).format()
}

class WordFormatter {
  readonly #document: WordElement
  readonly #comments: ReadonlyMap<string, WordElement>
  #depth = 0
  #noteNumber = 0

  constructor(document: WordElement) {
    this.#document = document
    this.#comments = new Map((document.comments ?? []).map((comment) => [comment.commentId ?? '', comment]))
  }

  format(): string {
    const { children = [] } = this.#document
    const isPart = (element: WordElement, kind: keyof typeof pagePartsStyle) =>
      element.type === 'table' && element.styleId === pagePartsStyle[kind]
    const formatParts = (kind: keyof typeof pagePartsStyle, title: string) => {
      const rows = children
        .filter((element) => isPart(element, kind))
        .flatMap((table) => table.children ?? [])
      const texts = rows.map((row) => this.#formatBlocks(row.children?.[0]?.children ?? []))
      // the first page, and pages on the left, often have the same
      return [...new Set(texts)].filter((text) => text !== '').map((text) => `${title}: ${text}`)
    }
    const body = children.filter((element) => !isPart(element, 'header') && !isPart(element, 'footer'))
    return [
      ...formatParts('header', 'Page header'),
      this.#formatBlocks(body),
      ...formatParts('footer', 'Page footer'),
    ]
      .filter((text) => text !== '')
      .join('\n\n')
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
    const text = elements.map((element) => this.#formatElement(element)).join('')
    this.#depth -= 1
    return text
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
      case 'run':
        return this.#formatRun(element)
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

  #formatRun({ children = [], verticalAlignment, isStrikethrough = false }: WordElement): string {
    const text = this.#formatInline(children)
    if (text.trim() === '') return text
    const isNote = children.some(({ type }) => type.endsWith('Reference'))
    const mark = isNote ? undefined : marks.get(verticalAlignment ?? '')
    const shown = mark ? markText(text, mark) : text
    return isStrikethrough ? markText(shown, '~~') : shown
  }

  #formatLink({ children = [], href }: WordElement): string {
    const text = this.#formatInline(children)
    return !href || text.includes(href) || href === `mailto:${text}` ? text : `${text} (${href})`
  }
}
