import type { OmissionKind } from '#shared/document-omissions.ts'

/** Things of one kind that are in the document and not in its text. */
export interface Omission {
  what: OmissionKind
  count: number
}

/** Adds up what a reader leaves out. */
export class OmissionCounter {
  #counts = new Map<OmissionKind, number>()

  add(what: OmissionKind, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count)
  }

  end(): Omission[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }))
  }
}

export interface PageList {
  ends: number[]
  total: number
  /** numbers of pages without text */
  empty?: number[]
}

/** The text extracted from a document. */
export interface ExtractedText {
  /** at most `maxTextCharacters` */
  text: string
  /** length of the whole document's text, including what is not in `text` */
  length: number
  /** for documents with pages: where in `text` each extracted page ends, and the number of all pages */
  pages?: PageList
  /** what is in the document and not in the text, besides what its length says */
  omitted?: Omission[]
  /** the encoding of a text, if nothing names it */
  assumedEncoding?: string
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

/** The rest of longer texts is only counted. The largest text files have 20 million; what other formats unpack to is bounded by this. */
export const maxTextCharacters = 32_000_000

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
