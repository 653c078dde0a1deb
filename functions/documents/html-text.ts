import { Parser } from 'htmlparser2'
import { DocumentError } from './extracted-text.ts'
import { formatRow } from './write-table.ts'

const skipped = new Set(['script', 'style', 'head', 'template', 'noscript', 'svg'])
const blocks = new Set(
  'address article aside blockquote dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table ul'.split(
    ' ',
  ),
)
/** Deeper cells belong to the one around them: pages nest tables for their layout. */
const maxCellDepth = 40

/** The parser searches all open elements at each tag. Pages have far fewer. */
const maxDepth = 2_000

/** Text that is being put together: of the page, or of a cell. */
class Block {
  #parts: string[] = []
  /** the last character; a line begins if there is none */
  #last = '\n'
  /** cells of the row that is open in it */
  cells: string[] | undefined

  get text(): string {
    return this.#parts.join('')
  }

  add(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#last = text.at(-1) ?? this.#last
  }

  addWords(text: string): void {
    const words = text.replace(/\s+/g, ' ')
    this.add(/\s/.test(this.#last) && words.startsWith(' ') ? words.slice(1) : words)
  }

  endLine(): void {
    if (this.#last !== '\n') this.add('\n')
  }

  /** A row of short cells is one of a table; others are layout. */
  endRow(): void {
    const cells = (this.cells ?? []).map((cell) => cell.trim())
    this.cells = undefined
    this.endLine()
    if (cells.every((cell) => cell === '')) return
    const isTable = cells.length > 1 && cells.every((cell) => !cell.includes('\n'))
    this.add(isTable ? formatRow(cells) : cells.filter((cell) => cell !== '').join('\n'))
    this.add('\n')
  }
}

/** The text of an HTML page: a line for each block, rows of tables with tabs between their cells. Nothing of it runs or is loaded.
 * @throws DocumentError if it is nested too deeply */
export function readHtmlText(html: string): string {
  const page = new Block()
  const stack = [page]
  const current = () => stack.at(-1) ?? page
  let skippedDepth = 0
  let depth = 0
  const parser = new Parser({
    onopentagname(name) {
      depth += 1
      if (depth > maxDepth) throw new DocumentError('unreadable', 'nested too deeply')
      if (skipped.has(name)) skippedDepth += 1
      if (name === 'br') current().add('\n')
      if (blocks.has(name)) current().endLine()
      if (name === 'tr') current().cells = []
      if ((name === 'td' || name === 'th') && stack.length <= maxCellDepth) stack.push(new Block())
      if (name === 'li') current().add('- ')
    },
    ontext(text) {
      if (skippedDepth === 0) current().addWords(text)
    },
    onclosetag(name) {
      depth -= 1
      if (skipped.has(name)) skippedDepth -= 1
      if (blocks.has(name)) current().endLine()
      if ((name === 'td' || name === 'th') && stack.length > 1) {
        const cell = stack.pop()?.text ?? ''
        const row = current()
        if (row.cells) row.cells.push(cell)
        else row.add(cell)
      }
      if (name === 'tr') current().endRow()
    },
  })
  parser.end(html)
  return (
    page.text
      .split('\n')
      .map((line) => (line.includes('\t') ? line : line.trim()))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      // a row may begin, and end, with an empty cell
      .replaceAll(/^\n{1,2}|\n{1,2}$/g, '')
  )
}
