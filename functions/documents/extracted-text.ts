import type { DocumentKind } from '#shared/document-formats.ts'
import type { OmissionKind } from '#shared/sentences/documents.ts'
import type { PagePicture } from './page-pictures.ts'
import type { Sheet } from './tables/cells.ts'
import type { Scan } from './split-scans.ts'

export interface Omission {
  what: OmissionKind
  count: number
}

const facts = ['hidden', 'plain', 'unproven'] as const

export class OmissionCounter {
  readonly #counts = new Map<OmissionKind, number>()
  readonly #facts: Partial<Record<(typeof facts)[number], number>> = {}

  add(what: OmissionKind, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count)
  }

  /** Counts a part that is hidden, or given without its layout (plain), or does not have the checksum of its archive (unproven). */
  note(fact: (typeof facts)[number], count = 1): void {
    if (count > 0) this.#facts[fact] = (this.#facts[fact] ?? 0) + count
  }

  addAll({ omitted = [], text, length, isCut, pages, ...noted }: ExtractedText): void {
    for (const fact of facts) this.note(fact, noted[fact] ?? 0)
    for (const { what, count } of omitted) this.add(what, count)
    const isPart = text.length < length || isCut || (pages && pages.ends.length < pages.total)
    this.add('unfinished', isPart ? 1 : 0)
    this.add('garbled', pages?.garbled?.length ?? 0)
    this.add('scans', pages?.empty?.length ?? 0)
  }

  /** Adds what a page leaves out, but its pictures: they are counted as parts of its document. */
  addPage(page: OmissionCounter): void {
    const omitted = page.end().filter(({ what }) => what !== 'pictures')
    this.addAll({ text: '', length: 0, ...page.list(), omitted })
  }

  end(): Omission[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }))
  }

  /** As fields of the extracted text; none if nothing was left out or hidden. */
  list(): Pick<ExtractedText, 'omitted' | (typeof facts)[number]> {
    return { ...(this.#counts.size > 0 && { omitted: this.end() }), ...this.#facts }
  }
}

export interface PageList {
  ends: number[]
  total: number
  empty?: number[]
  garbled?: number[]
  plain?: number[]
}

/** Where a slide, sheet or chapter begins. */
export interface Place {
  /** `slide 3` */
  label: string
  /** in characters of the text, before the empty lines that divide parts */
  at: number
  /** how the text names it, with which it then begins */
  title: string
}

export interface ExtractedText {
  /** pictures of pages without text */
  pictures?: PagePicture[]
  /** pages that the text does not show: how many, and PDFs of them */
  scans?: { of: number; parts: Scan[] }
  /** at most `maxTextCharacters` */
  text: string
  length: number
  pages?: PageList
  places?: Place[]
  omitted?: Omission[]
  hidden?: number
  /** slides, sheets and bodies that are given in reading order without their layout */
  plain?: number
  unproven?: number
  sheets?: readonly Sheet[]
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

export class TextCollector {
  #parts: string[] = []
  #places: Place[] = []
  #storedLength = 0
  /** with characters whose text is not at hand, because another collector was full */
  length = 0

  get isFull(): boolean {
    return this.#storedLength >= maxTextCharacters
  }

  /** The first text is always taken: its reader has done its work. @throws TimeOver */
  add(text: string, place?: Omit<Place, 'at'>): void {
    if (this.length > 0 && isTimeOver()) throw new TimeOver(this)
    this.addLast(text, place)
  }

  /** Adds what the reader has, also when its time is over. */
  addLast(text: string, place?: Omit<Place, 'at'>): void {
    if (place && !this.isFull) this.#places.push({ ...place, at: this.length })
    this.length += text.length
    if (this.isFull) return
    const part = text.slice(0, maxTextCharacters - this.#storedLength)
    this.#parts.push(part)
    this.#storedLength += part.length
  }

  end(): ExtractedText {
    const places = this.#places
    return { text: this.#parts.join(''), length: this.length, ...(places.length > 0 && { places }) }
  }
}
