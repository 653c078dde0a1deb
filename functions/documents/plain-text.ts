const counts = new Int32Array(65_536)

function count(text: string, by: number): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    counts[code] = (counts[code] ?? 0) + by
  }
}

/** The texts of a part as it has them: what its reader gives with layout must have all of their letters, and is given plain otherwise. */
export class PlainText {
  #pieces: string[] = []
  #leftOut: string[] = []

  add(text: string): void {
    this.#pieces.push(text)
  }

  endLine(): void {
    this.#pieces.push('\n')
  }

  /** What is not given on purpose, though it was added. */
  leaveOut(text: string): void {
    this.#leftOut.push(text)
  }

  /** @param given may have more: labels, marks, addresses */
  isWholeIn(given: readonly string[]): boolean {
    const text = given.join('\n')
    let from = 0
    const isInOrder = this.#pieces.every((piece) => {
      const words = piece.trim()
      const at = text.indexOf(words, from)
      from = at + words.length
      return at >= 0
    })
    // most texts keep their order, and are found faster than they are counted
    if (isInOrder) return true
    counts.fill(0)
    count(this.#pieces.join(''), 1)
    count(text, -1)
    count(this.#leftOut.join(''), -1)
    // white space is layout
    return counts.every((left, code) => left <= 0 || isWhite(code))
  }

  /** In the order in which the part has them, a line for each of its blocks. */
  get text(): string {
    return this.#pieces
      .join('')
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n')
  }
}

const isWhite = (code: number) => String.fromCharCode(code).trim() === '' || code < 0x20 || code === 0x7f
