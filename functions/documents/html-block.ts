export const isWhite = (character: string) => /\s/.test(character)

export const joinSpaces = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ')

export class Block {
  #parts: string[] = []
  length = 0
  /** the last character; a line begins if there is none */
  last: string
  /** whether it has more than the line of a cell */
  hasBlocks = false

  constructor(last = '\n') {
    this.last = last
  }

  get text(): string {
    return this.#parts.join('')
  }

  add(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.length += text.length
    this.last = text.at(-1) ?? this.last
  }

  addWords(text: string): void {
    const words = joinSpaces(text)
    this.add(isWhite(this.last) && words.startsWith(' ') ? words.slice(1) : words)
  }

  endLine(): void {
    if (this.last !== '\n') this.add('\n')
  }
}
