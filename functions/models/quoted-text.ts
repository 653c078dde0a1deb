/** Whether what follows a text stands in code, in quotation marks or in a quoted paragraph. */
export function isQuoted(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isInFence = before.split(/^ {0,3}(?:```|~~~)/m).length % 2 === 0
  const isInCode = line.split('`').length % 2 === 0
  return isInFence || isInCode || /^(?:\s*>|\t| {4})/.test(line) || /["'“‘«„`]$/.test(line)
}

/** As `isQuoted`, of a text that arrives in pieces, in a time that grows with its length. */
export class QuoteTracker {
  #isInFence = false
  #ticks = 0
  /** the beginning of the line, as far as it tells what the line is */
  #start = ''
  #last = ''

  add(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.#endLine()
      this.#start = (this.#start + line.slice(0, 8)).slice(0, 8)
      for (let at = line.indexOf('`'); at !== -1; at = line.indexOf('`', at + 1)) this.#ticks += 1
      this.#last = line.at(-1) ?? this.#last
    }
  }

  #endLine(): void {
    if (/^ {0,3}(?:```|~~~)/.test(this.#start)) this.#isInFence = !this.#isInFence
    this.#ticks = 0
    this.#start = ''
    this.#last = ''
  }

  /** Whether what follows stands in code, in quotation marks or in a quoted paragraph. */
  get isQuoted(): boolean {
    const isInCode = this.#ticks % 2 === 1
    return (
      this.#isInFence || isInCode || /^(?:\s*>|\t| {4})/.test(this.#start) || /["'“‘«„`]$/.test(this.#last)
    )
  }
}
