import { markText } from './format-runs.ts'
import { formatTable } from './write-table.ts'

export interface State {
  isSkipped: boolean
  destination: string
  fallback: number
  page: number
  isSymbol: boolean
  isHidden: boolean
  isDeleted: boolean
  isStruck: boolean
  position: '' | '^' | '_'
  end?: () => void
}

export class Flow {
  readonly lines: string[] = []
  #line: string[] = []
  cells: string[] = []
  rows: string[][] = []
  #run: string[] = []
  #marks = ''
  heading = 0

  add(text: string, { isHidden, isDeleted, isStruck, position }: State): void {
    const marks = `${isHidden ? 'h' : ''}${isDeleted ? 'd' : ''}${isStruck ? '~' : ''}${position}`
    if (marks !== this.#marks) this.endRun()
    this.#marks = marks
    this.#run.push(text)
  }

  endRun(): void {
    const text = this.#run.join('')
    this.#run = []
    const words = text.trim()
    if (this.#marks === '' || words === '') this.#line.push(text)
    else {
      const at = text.indexOf(words)
      this.#line.push(text.slice(0, at), this.#mark(words), text.slice(at + words.length))
    }
  }

  #mark(words: string): string {
    const position = this.#marks.at(-1)
    let marked = position === '^' || position === '_' ? markText(words, position) : words
    if (this.#marks.includes('~')) marked = markText(marked, '~~')
    if (this.#marks.includes('d')) marked = `[deleted: ${marked}]`
    return this.#marks.includes('h') ? `[hidden: ${marked}]` : marked
  }

  #takeLine(): string {
    this.endRun()
    const line = this.#line.join('')
    this.#line = []
    return line
  }

  get isEmpty(): boolean {
    return this.#run.length === 0 && this.#line.length === 0
  }

  endParagraph(isInTable: boolean): void {
    if (isInTable) {
      if (!this.isEmpty) this.#run.push('\n')
      return
    }
    this.endTable()
    const line = this.#takeLine().trimEnd()
    this.lines.push(
      this.heading > 0 && line.trim() !== '' ? `${'#'.repeat(this.heading)} ${line.trim()}` : line,
    )
  }

  endCell(): void {
    this.cells.push(this.#takeLine())
  }

  endRow(): void {
    if (this.cells.length > 0) this.rows.push(this.cells)
    this.cells = []
  }

  endTable(): void {
    this.endRow()
    if (this.rows.length > 0) this.lines.push(formatTable(this.rows).slice(0, -1))
    this.rows = []
  }

  take(): string {
    const isOpen = this.cells.length > 0 || !this.isEmpty
    if (isOpen && this.cells.length > 0) this.endCell()
    this.endParagraph(false)
    return this.lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .replaceAll(/^\n{1,1000}|\n{1,1000}$/g, '')
  }
}
