/** What a reader gets out of a document. */
export interface Extracted {
  /** at most `maxTextCharacters` of it */
  text: string
  /** characters of the whole document, kept or not */
  length: number
  /** of paged documents: where in `text` each read page ends, and how many pages there are */
  pages?: { ends: number[]; total: number }
}

export const documentErrorCodes = ['unreadable', 'tooLarge', 'tooSlow'] as const
/** Why a document cannot be read; each has its sentence. */
export type DocumentErrorCode = (typeof documentErrorCodes)[number]

export class DocumentError extends Error {
  readonly problem: DocumentErrorCode

  constructor(problem: DocumentErrorCode, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.problem = problem
  }
}

/** Of longer texts the rest is counted only; nobody asks an assistant to read two thousand pages word by word. */
export const maxTextCharacters = 1_000_000

/** Gathers text up to the limit, and counts all of it. */
export class TextCollector {
  #parts: string[] = []
  #kept = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  get isFull(): boolean {
    return this.#kept >= maxTextCharacters
  }

  add(text: string): void {
    this.#length += text.length
    if (this.isFull) return
    const part = text.slice(0, maxTextCharacters - this.#kept)
    this.#parts.push(part)
    this.#kept += part.length
  }

  /** Counts what another collector has not kept. */
  skip(characters: number): void {
    this.#length += characters
  }

  end(): Extracted {
    return { text: this.#parts.join(''), length: this.#length }
  }
}
