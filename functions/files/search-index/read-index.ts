import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { ByteReader } from './byte-stream.ts'
import { indexHeader, magic, prefixBytes, type IndexHeader } from './index-format.ts'

/** Header, table and first blocks of most files. */
const firstBytes = 256 * 1024
/** `buildIndex` writes no larger header. */
const maxHeadBytes = 8 * 1024 * 1024
/** Blocks of all files that stay in memory between searches. */
const maxCachedBytes = 32 * 1024 * 1024

/** Opened indexes that stay in memory between searches. */
const maxOpened = 200
/** by bucket and object, the one that was used last at the end */
const openedIn = new WeakMap<ObjectStore, Map<string, FileIndexReader>>()

type Range = { from: number; to: number }

/** The parts of indexes that were read last, by object and position. */
class RangeCache {
  #parts = new Map<string, Uint8Array>()
  #bytes = 0

  get(key: string): Uint8Array | undefined {
    const part = this.#parts.get(key)
    if (part) {
      this.#parts.delete(key)
      this.#parts.set(key, part)
    }
    return part
  }

  set(key: string, part: Uint8Array): void {
    if (this.#parts.has(key)) return
    this.#parts.set(key, part)
    this.#bytes += part.length
    for (const [oldest, { length }] of this.#parts) {
      if (this.#bytes <= maxCachedBytes) break
      this.#parts.delete(oldest)
      this.#bytes -= length
    }
  }
}

const cache = new RangeCache()

/** The index was written anew while it was read. */
export class IndexReplaced extends Error {}

interface Segment {
  /** number of its first passage */
  firstPassage: number
  table: Range
  /** the first term of each block, and where the block is */
  blocks: readonly (Range & { first: string })[]
}

export interface Passages {
  /** terms of each passage */
  terms: Uint32Array
  /** where each passage begins in the text, in characters and in bytes; and where the last one ends */
  characters: Uint32Array
  bytes: Uint32Array
}

/** The index of one file, of which only what a search needs is read. */
export class FileIndexReader {
  readonly head: IndexHeader
  readonly segments: readonly Segment[]
  #store: ObjectStore
  #key: string
  #etag: string
  #passages: Promise<Passages> | undefined

  private constructor(store: ObjectStore, key: string, head: IndexHeader, headBytes: number, etag: string) {
    this.#store = store
    this.#key = key
    this.#etag = etag
    this.head = head
    let at = prefixBytes + headBytes
    let firstPassage = 0
    this.segments = head.segments.map(({ passages, tableBytes, blocks }) => {
      const table = { from: at, to: at + tableBytes }
      at = table.to
      const segment = {
        firstPassage,
        table,
        blocks: blocks.map(([first, length]) => ({ first, from: at, to: (at += length) })),
      }
      firstPassage += passages
      return segment
    })
  }

  /**
   * Opens an index; one that is open already, and was not replaced, is read no second time.
   * @returns undefined if there is no index, or one of another version
   * @throws ObjectStoreUnavailable
   */
  static async open(store: ObjectStore, key: string): Promise<FileIndexReader | undefined> {
    const opened = openedIn.get(store) ?? new Map<string, FileIndexReader>()
    openedIn.set(store, opened)
    const known = opened.get(key)
    const isCurrent = known && (await store.readRange(key, 0, prefixBytes, known.#etag)) !== undefined
    const reader = isCurrent ? known : await FileIndexReader.#readHead(store, key)
    opened.delete(key)
    if (!reader) return undefined
    opened.set(key, reader)
    for (const oldest of opened.keys()) {
      if (opened.size <= maxOpened) break
      opened.delete(oldest)
    }
    return reader
  }

  static async #readHead(store: ObjectStore, key: string): Promise<FileIndexReader | undefined> {
    let size = firstBytes
    for (;;) {
      const read = await store.readRange(key, 0, size)
      if (!read || read.bytes.length < prefixBytes) return undefined
      const { bytes, etag } = read
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const headBytes = view.getUint32(4, true)
      if (view.getUint32(0, true) !== magic || headBytes > maxHeadBytes) return undefined
      if (prefixBytes + headBytes > bytes.length) {
        if (bytes.length < size) return undefined
        size = prefixBytes + headBytes
        continue
      }
      const head = parseHead(bytes.subarray(prefixBytes, prefixBytes + headBytes))
      if (!head) return undefined
      const reader = new FileIndexReader(store, key, head, headBytes, etag)
      reader.#cacheParts(bytes)
      return reader
    }
  }

  #cacheParts(bytes: Uint8Array): void {
    for (const { table, blocks } of this.segments)
      for (const range of [table, ...blocks])
        if (range.to <= bytes.length) cache.set(this.#cacheKey(range), bytes.slice(range.from, range.to))
  }

  #cacheKey = ({ from }: Range) => `${this.#key} ${this.#etag} ${from}`

  /**
   * Reads parts of the index; neighbours in one request.
   * @throws IndexReplaced, ObjectStoreUnavailable
   */
  async read(ranges: readonly Range[]): Promise<Uint8Array[]> {
    const missing = ranges
      .filter((range) => !cache.get(this.#cacheKey(range)))
      .toSorted((a, b) => a.from - b.from)
    const parts = new Map<number, Uint8Array>()
    for (const group of groupNeighbours(missing)) {
      const from = group[0]?.from ?? 0
      const read = await this.#store.readRange(this.#key, from, group.at(-1)?.to ?? 0, this.#etag)
      if (!read) throw new IndexReplaced(this.#key)
      for (const range of group) {
        const part = read.bytes.slice(range.from - from, range.to - from)
        cache.set(this.#cacheKey(range), part)
        parts.set(range.from, part)
      }
    }
    return ranges.map(
      (range) => parts.get(range.from) ?? cache.get(this.#cacheKey(range)) ?? new Uint8Array(),
    )
  }

  /** The places and sizes of all passages. @throws IndexReplaced, ObjectStoreUnavailable */
  passages(): Promise<Passages> {
    if (!this.#passages) {
      this.#passages = this.#readPassages()
      // the next search tries again
      this.#passages.catch(() => (this.#passages = undefined))
    }
    return this.#passages
  }

  async #readPassages(): Promise<Passages> {
    const count = this.head.passages
    const terms = new Uint32Array(count)
    const characters = new Uint32Array(count + 1)
    const bytes = new Uint32Array(count + 1)
    const tables = await this.read(this.segments.map(({ table }) => table))
    let passage = 0
    for (const table of tables)
      for (const reader = new ByteReader(table); !reader.isAtEnd && passage < count; passage += 1) {
        characters[passage + 1] = (characters[passage] ?? 0) + reader.number()
        bytes[passage + 1] = (bytes[passage] ?? 0) + reader.number()
        terms[passage] = reader.number()
      }
    return { terms, characters, bytes }
  }
}

function parseHead(bytes: Uint8Array): IndexHeader | undefined {
  try {
    return indexHeader.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}

/** Bytes between two parts that are read along rather than by a request of their own. */
const maxGap = 16 * 1024

function groupNeighbours(ranges: readonly Range[]): Range[][] {
  const groups: Range[][] = []
  for (const range of ranges) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && range.from - last.to <= maxGap) group.push(range)
    else groups.push([range])
  }
  return groups
}
