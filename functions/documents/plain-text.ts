const counts = new Int32Array(65_536)

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
    counts.fill(0)
    let lacking = 0
    for (const piece of this.#pieces)
      for (let at = 0; at < piece.length; at += 1) {
        const code = piece.charCodeAt(at)
        // white space is layout
        if (code > 0x20 && code !== 0xa0) {
          counts[code] = (counts[code] ?? 0) + 1
          lacking += 1
        }
      }
    for (const texts of [given, this.#leftOut])
      for (const text of texts)
        for (let at = 0; at < text.length && lacking > 0; at += 1) {
          const code = text.charCodeAt(at)
          const count = counts[code] ?? 0
          if (count === 0) continue
          counts[code] = count - 1
          lacking -= 1
        }
    return lacking === 0 || [...counts.entries()].every(([code, count]) => count === 0 || isWhite(code))
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
