/** The text extracted from a document. */
export interface ExtractedText {
  /** at most `maxTextCharacters` */
  text: string
  /** length of the whole document's text, including what is not in `text` */
  length: number
  /** for documents with pages: where in `text` each extracted page ends, and the number of all pages */
  pages?: { ends: number[]; total: number }
}

export const documentErrorCodes = ['unreadable', 'tooLarge', 'tooSlow'] as const
/** Why a document cannot be read. */
export type DocumentErrorCode = (typeof documentErrorCodes)[number]

export class DocumentError extends Error {
  readonly problem: DocumentErrorCode

  constructor(problem: DocumentErrorCode, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.problem = problem
  }
}

/** The rest of longer texts is only counted. A million characters are about 350 full pages. */
export const maxTextCharacters = 1_000_000

/** Collects text up to the limit, and counts all of it. */
export class TextCollector {
  #parts: string[] = []
  #storedLength = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  get isFull(): boolean {
    return this.#storedLength >= maxTextCharacters
  }

  add(text: string): void {
    this.#length += text.length
    if (this.isFull) return
    const part = text.slice(0, maxTextCharacters - this.#storedLength)
    this.#parts.push(part)
    this.#storedLength += part.length
  }

  /** Counts characters whose text is not at hand, because another collector was full. */
  skip(characters: number): void {
    this.#length += characters
  }

  end(): ExtractedText {
    return { text: this.#parts.join(''), length: this.#length }
  }
}
