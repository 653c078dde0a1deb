import { ByteReader } from './byte-stream.ts'
import { FileIndexReader, type Passages } from './read-index.ts'
import { isNear } from './near-words.ts'

// Blocks of stored indexes: which may have a term, and the passages that they list for it.

export interface SearchableFile {
  id: string
  name: string
  /** name of the model of its vectors */
  vectorsModel?: string | undefined
}

export interface OpenFile extends SearchableFile {
  reader: FileIndexReader
  passages: Passages
  /** number of its first passage among those of all files */
  first: number
}

/** How well each passage has a group: its times, weighted. */
export type Hits = Map<number, number>

const prefixWeight = 0.5
const nearWeight = 0.5

/** What is looked for in one block. */
export interface BlockTask {
  file: OpenFile
  firstPassage: number
  range: { from: number; to: number }
  exact: Map<string, [hits: Hits, weight: number][]>
  beginnings: [beginning: string, hits: Hits][]
  near: [word: string, hits: Hits][]
}

type Blocks = FileIndexReader['segments'][number]['blocks']

/** The block that has a term if the segment has it. */
export function findBlock(blocks: Blocks, term: string): number {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((blocks[middle]?.first ?? '') <= term) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** Blocks that may have terms with a beginning. */
export function listBlocks(blocks: Blocks, beginning: string, most: number): number[] {
  const first = findBlock(blocks, beginning)
  const listed = [first]
  for (let block = first + 1; block < blocks.length && listed.length < most; block += 1) {
    if (blocks[block]?.first.startsWith(beginning) !== true) break
    listed.push(block)
  }
  return listed
}

/** Reads the terms of a block, and adds the weights of those that match to the hits of the task. @param bytes of the whole block */
export function scanBlock({ exact, beginnings, near, firstPassage }: BlockTask, bytes: Uint8Array): void {
  let term = ''
  for (const reader = new ByteReader(bytes); !reader.isAtEnd;) {
    const shared = reader.number()
    term = term.slice(0, shared) + reader.text(reader.number())
    const count = reader.number()
    const length = reader.number()
    const start = reader.at
    const take = (hits: Hits, weight: number) => {
      reader.at = start
      addPostings(reader, { count, firstPassage, hits, weight })
    }
    for (const [hits, weight] of exact.get(term) ?? []) take(hits, weight)
    for (const [beginning, hits] of beginnings)
      if (term.length > beginning.length && term.startsWith(beginning)) take(hits, prefixWeight)
    for (const [word, hits] of near) if (isNear(word, term)) take(hits, nearWeight)
    reader.at = start + length
  }
}

function addPostings(
  reader: ByteReader,
  { count, firstPassage, hits, weight }: { count: number; firstPassage: number; hits: Hits; weight: number },
): void {
  let passage = firstPassage
  for (let left = count; left > 0 && !reader.isAtEnd; left -= 1) {
    passage += reader.number()
    const times = reader.number() * weight
    if (times > (hits.get(passage) ?? 0)) hits.set(passage, times)
  }
}
