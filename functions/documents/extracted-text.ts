import type { DocumentKind } from '#shared/document-formats.ts'
import type { OmissionKind } from '#shared/sentences/documents.ts'
import type { PagePicture } from './page-pictures.ts'
import type { Sheet } from './tables/cells.ts'
import type { Scan } from './split-scans.ts'

export interface Omission {
  what: OmissionKind
  count: number
}

export class OmissionCounter {
  #counts = new Map<OmissionKind, number>()
  #hidden = 0
  #plain = 0
  #unproven = 0

  add(what: OmissionKind, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count)
  }

  addHidden(count = 1): void {
    this.#hidden += count
  }

  /** Counts a part that is given without its layout, because with it letters would be missing. */
  addPlain(count = 1): void {
    this.#plain += count
  }

  /** Counts a part that is read, and does not have the checksum that its archive has for it. */
  addUnproven(count = 1): void {
    this.#unproven += count
  }

  addAll({
    omitted = [],
    text,
    length,
    isCut,
    pages,
    hidden = 0,
    plain = 0,
    unproven = 0,
  }: ExtractedText): void {
    this.addHidden(hidden)
    this.addPlain(plain)
    this.addUnproven(unproven)
    for (const { what, count } of omitted) this.add(what, count)
    const isPart = text.length < length || isCut || (pages && pages.ends.length < pages.total)
    this.add('unfinished', isPart ? 1 : 0)
    this.add('garbled', pages?.garbled?.length ?? 0)
    this.add('scans', pages?.empty?.length ?? 0)
  }

  end(): Omission[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }))
  }

  /** As fields of the extracted text; none if nothing was left out or hidden. */
  list(): Pick<ExtractedText, 'omitted' | 'hidden' | 'plain' | 'unproven'> {
    return {
      ...(this.#counts.size > 0 && { omitted: this.end() }),
      ...(this.#hidden > 0 && { hidden: this.#hidden }),
      ...(this.#plain > 0 && { plain: this.#plain }),
      ...(this.#unproven > 0 && { unproven: this.#unproven }),
    }
  }
}

export interface PageList {
  ends: number[]
  total: number
  /** numbers of pages without text */
  empty?: number[]
  /** numbers of pages whose fonts do not say which characters they show */
  garbled?: number[]
  /** numbers of pages whose text is given line by line, because their layout would lose letters */
  plain?: number[]
}

export interface ExtractedText {
  /** pictures of pages without text */
  pictures?: PagePicture[]
  /** pages that the text does not show: how many, and PDFs of them */
  scans?: { of: number; parts: Scan[] }
  /** at most `maxTextCharacters` */
  text: string
  /** length of the whole document's text, including what is not in `text` */
  length: number
  /** for documents with pages: where in `text` each extracted page ends, and the number of all pages */
  pages?: PageList
  /** what is in the document and not in the text, besides what its length says */
  omitted?: Omission[]
  /** parts of the text that the document hides, which are marked as hidden */
  hidden?: number
  /** slides, sheets and bodies that are given in reading order without their layout */
  plain?: number
  /** parts whose checksum is another one than their archive has for them */
  unproven?: number
  /** cells with their values, of what may have tables */
  sheets?: readonly Sheet[]
  /** the encoding of a text, if nothing names it */
  assumedEncoding?: string
  /** the reader had no more time; the document has more text than `length` */
  isCut?: true
}

export const documentErrorCodes = [
  'unreadable',
  'tooLarge',
  'tooSlow',
  // not read in time on a clock, which may not be the document's fault
  'late',
  // formats that are known by their content, and not read
  'unsupported',
  'archive',
  'encrypted',
  'iwork',
  'oldSheet',
  'oldSlides',
  'oldWord',
  'outlook',
] as const
export type DocumentErrorCode = (typeof documentErrorCodes)[number]

export class DocumentError extends Error {
  readonly problem: DocumentErrorCode
  /** what its content says that it is */
  readonly kind: DocumentKind | undefined

  constructor(
    problem: DocumentErrorCode,
    detail: string,
    { kind, ...options }: { cause?: unknown; kind?: DocumentKind | undefined } = {},
  ) {
    super(detail, options)
    this.problem = problem
    this.kind = kind
  }
}

/** The rest of longer texts is only counted. The largest text files have 20 million; what other formats unpack to is bounded by this. */
export const maxTextCharacters = 32_000_000

/** Thrown where text is added after the reader's time. */
export class TimeOver extends DocumentError {
  readonly collector: TextCollector

  constructor(collector: TextCollector) {
    super('tooSlow', 'no time left')
    this.collector = collector
  }
}

/** Asking for the processor time costs more than asking for the time. */
const checkEveryMs = 10
let maxCpuMs = Infinity
let startUsage = process.cpuUsage()
let checkedAtMs = -Infinity
let isOver = false

/** Gives the reader of this process its time. @param ms of the processor, from now: a busy machine reads no less than an idle one */
export function limitReadingTime(ms: number): void {
  maxCpuMs = ms
  startUsage = process.cpuUsage()
  checkedAtMs = -Infinity
}

export function isTimeOver(): boolean {
  const nowMs = performance.now()
  if (nowMs - checkedAtMs < checkEveryMs) return isOver
  checkedAtMs = nowMs
  const { user, system } = process.cpuUsage(startUsage)
  isOver = (user + system) / 1_000 > maxCpuMs
  return isOver
}

/** Collects text up to the limit, and counts all of it. Hands over what it has when the reader's time is over. */
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

  /** The first text is always taken: its reader has done its work. @throws TimeOver */
  add(text: string): void {
    if (this.#length > 0 && isTimeOver()) throw new TimeOver(this)
    this.addLast(text)
  }

  /** Adds what the reader has, also when its time is over. */
  addLast(text: string): void {
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
