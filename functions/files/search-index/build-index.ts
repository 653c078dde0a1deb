import { eld } from 'eld/small'
import { fold, forEachTerm } from '#shared/text-compare.ts'
import { ByteWriter } from './byte-stream.ts'
import { indexVersion, listLanguages, magic, prefixBytes, type IndexHeader } from './index-format.ts'
import { listMarks } from '../place-marks.ts'
import { splitPassages } from './split-passages.ts'
import { loadStemmers, stemmedLanguages } from './stemmers.ts'

/** Bounds the memory of building: all terms of a segment are in memory at once. */
const segmentCharacters = 1_000_000
const blockBytes = 8 * 1024
/** The characters of a passage by which its language is detected. */
const sampleCharacters = 300
const maxHeadings = 12
const headingCharacters = 80
const maxLanguages = 8

/** The index of a text, as it is stored, and its passages by language. */
export interface BuiltIndex {
  bytes: Uint8Array<ArrayBuffer>
  passages: number
  languages: readonly string[]
}

type Segment = IndexHeader['segments'][number]

/**
 * Indexes a text by its terms, in passages. Time and size are proportional to the text, in every script.
 * @see index-format.ts for the result
 */
export async function buildIndex(text: string): Promise<BuiltIndex> {
  const stemmers = await loadStemmers(stemmedLanguages)
  const languages = new Map<string, number>()
  const segments: Segment[] = []
  const bodies: Uint8Array[] = []
  let passages = 0
  let terms = 0
  let isLineStart = true
  let segment = new SegmentWriter()
  const endSegment = () => {
    const { blocks, table, body } = segment.end()
    segments.push({ passages: segment.passages, tableBytes: table.length, blocks })
    bodies.push(table, body)
    passages += segment.passages
    terms += segment.terms
    segment = new SegmentWriter()
  }
  const places: [number, string][] = []
  for (const passage of splitPassages(text)) {
    const [mark] = listMarks(passage)
    if (mark?.at === 0 && isLineStart) places.push([passages + segment.passages, mark.place])
    isLineStart = passage.endsWith('\n')
    const language = eld.detect(passage.slice(0, sampleCharacters)).language
    if (language !== '') languages.set(language, (languages.get(language) ?? 0) + 1)
    segment.add(passage, stemmers.get(language) ?? ((word) => word))
    if (segment.characters >= segmentCharacters) endSegment()
  }
  if (segment.passages > 0) endSegment()
  const common = [...languages].toSorted(([, a], [, b]) => b - a).slice(0, maxLanguages)
  const head: IndexHeader = {
    v: indexVersion,
    characters: text.length,
    passages,
    terms,
    languages: common,
    ...(places.length > 0 && { places }),
    headings: listHeadings(text),
    segments,
  }
  return { bytes: join(head, bodies), passages, languages: listLanguages(head).map(([language]) => language) }
}

function join(head: IndexHeader, bodies: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(head))
  const length = bodies.reduce((sum, body) => sum + body.length, prefixBytes + json.length)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, json.length, true)
  bytes.set(json, prefixBytes)
  let at = prefixBytes + json.length
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.length
  }
  return bytes
}

/** Collects the terms of passages in the order of the text, and sorts them at the end. */
class SegmentWriter {
  passages = 0
  characters = 0
  terms = 0
  #table = new ByteWriter()
  #ids = new Map<string, number>()
  /** per term and passage: the term, the passage, how often */
  #postings = new Uint32Array(3 * 65_536)
  #length = 0

  add(passage: string, stem: (word: string) => string): void {
    const counts = new Map<number, number>()
    let terms = 0
    forEachTerm(fold(passage), stem, (term) => {
      let id = this.#ids.get(term)
      if (id === undefined) {
        id = this.#ids.size
        this.#ids.set(term, id)
      }
      counts.set(id, (counts.get(id) ?? 0) + 1)
      terms += 1
    })
    for (const [id, times] of counts) this.#addPosting(id, times)
    this.#table.number(passage.length)
    this.#table.number(Buffer.byteLength(passage))
    this.#table.number(terms)
    this.passages += 1
    this.characters += passage.length
    this.terms += terms
  }

  #addPosting(id: number, times: number): void {
    if (this.#length === this.#postings.length) {
      const larger = new Uint32Array(this.#postings.length * 2)
      larger.set(this.#postings)
      this.#postings = larger
    }
    this.#postings[this.#length] = id
    this.#postings[this.#length + 1] = this.passages
    this.#postings[this.#length + 2] = times
    this.#length += 3
  }

  /** Postings by term, in the order of the passages: a counting sort. */
  #sortPostings(): { starts: Uint32Array; sorted: Uint32Array } {
    const starts = new Uint32Array(this.#ids.size + 1)
    for (let at = 0; at < this.#length; at += 3) starts[this.#postings[at]! + 1]! += 1
    for (let id = 0; id < this.#ids.size; id += 1) starts[id + 1]! += starts[id]!
    const next = starts.slice()
    const sorted = new Uint32Array((this.#length / 3) * 2)
    for (let at = 0; at < this.#length; at += 3) {
      const to = next[this.#postings[at]!]!++ * 2
      sorted[to] = this.#postings[at + 1]!
      sorted[to + 1] = this.#postings[at + 2]!
    }
    return { starts, sorted }
  }

  end(): { table: Uint8Array; blocks: Segment['blocks']; body: Uint8Array } {
    const { starts, sorted } = this.#sortPostings()
    const terms = [...this.#ids.keys()].toSorted((a, b) => (a < b ? -1 : 1))
    const encoder = new TextEncoder()
    const body = new ByteWriter()
    const list = new ByteWriter()
    const blocks: Segment['blocks'] = []
    let blockStart = 0
    let first = ''
    let before = ''
    for (const term of terms) {
      if (body.length - blockStart >= blockBytes) {
        blocks.push([first, body.length - blockStart])
        blockStart = body.length
      }
      const isFirst = body.length === blockStart
      if (isFirst) first = term
      const shared = isFirst ? 0 : countShared(before, term)
      const rest = encoder.encode(term.slice(shared))
      const id = this.#ids.get(term) ?? 0
      const from = starts[id] ?? 0
      const to = starts[id + 1] ?? 0
      list.clear()
      let last = 0
      for (let at = from; at < to; at += 1) {
        const passage = sorted[at * 2] ?? 0
        list.number(passage - last)
        list.number(sorted[at * 2 + 1] ?? 0)
        last = passage
      }
      body.number(shared)
      body.number(rest.length)
      body.bytes(rest)
      body.number(to - from)
      body.number(list.length)
      body.bytes(list.view())
      before = term
    }
    if (body.length > blockStart) blocks.push([first, body.length - blockStart])
    return { table: this.#table.view().slice(), blocks, body: body.view().slice() }
  }
}

/** Code units that two terms share at their beginning, without dividing a letter of two. */
function countShared(a: string, b: string): number {
  let shared = 0
  while (shared < a.length && shared < b.length && a.charCodeAt(shared) === b.charCodeAt(shared)) shared += 1
  const code = b.charCodeAt(shared - 1)
  return shared > 0 && code >= 0xd8_00 && code <= 0xdb_ff ? shared - 1 : shared
}

/** Lines that look like headings, else the first line. */
function listHeadings(text: string): string[] {
  const headings: string[] = []
  let first = ''
  for (let from = 0; from < text.length && headings.length < maxHeadings;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    if (to - from <= headingCharacters) {
      const line = text.slice(from, to).trim()
      first ||= line
      if (/^(?:#{1,6} |\p{N}{1,3}(?:\.\p{N}{1,3}){0,3}\.? )\S/u.test(line)) headings.push(line)
    }
    from = to + 1
  }
  return headings.length > 0 || first === '' ? headings : [first]
}
