import { setImmediate } from 'node:timers/promises'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { fold, forEachTerm } from '#shared/text-compare.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { indexKey, textKey } from '../file-links.ts'
import { ByteReader } from './byte-stream.ts'
import { listLanguages } from './index-format.ts'
import { rankByVectors, type QueryVectors } from './rank-vectors.ts'
import { FileIndexReader, IndexReplaced, type Passages } from './read-index.ts'
import { loadStemmers } from './stemmers.ts'

/** A part of a file that a search found. */
export interface FoundPassage {
  id: string
  name: string
  /** its first character in the text of the file, and the one after its last */
  from: number
  to: number
  text: string
}

export interface SearchResult {
  /** best first */
  passages: FoundPassage[]
  /** the files whose text was searched, each with the characters that were */
  searched: { name: string; characters: number }[]
  /** ISO 639-1 codes of the languages in which the files are written */
  languages: string[]
  /** what the files seem to be about; only if nothing was found */
  headings?: { name: string; headings: string[] }[]
  /** files that could not be searched */
  not_searched?: NotSearched[]
}

interface SearchableFile {
  id: string
  name: string
  /** name of the model of its vectors */
  vectorsModel?: string | undefined
}

/** A file that was not searched, or in part only. */
export interface NotSearched {
  name: string
  why: Sentence
}

/** A word of a wording, with the terms that count as it. */
interface Group {
  word: string
  /** weights by term: 1 for the word itself */
  terms: Map<string, number>
  /** terms that begin with the word count, too */
  isPrefix: boolean
}

interface OpenFile extends SearchableFile {
  reader: FileIndexReader
  passages: Passages
  /** number of its first passage among those of all files */
  first: number
}

/** How well each passage has a group: its times, weighted. */
type Hits = Map<number, number>

const requestsAtOnce = 16
/** After this long other work of the process gets its turn. */
const stepMs = 5
const scoredPerStep = 4_096
const openMs = 5_000
/** BM25. A low k1: that a passage repeats a common word says less than that it has the rare one. @see https://en.wikipedia.org/wiki/Okapi_BM25 */
const k1 = 0.6
const b = 0.6
const stemWeight = 0.9
const prefixWeight = 0.5
const nearWeight = 0.5
const nameWeight = 0.4
/** Places of a ranking that count, and how much less the next place counts. */
const rankedPassages = 100
const rankOffset = 0.5
/** Blocks that are read for the beginning of a word, per segment. */
const maxPrefixBlocks = 3
const maxNearBlocks = 8
const maxWords = 40

/**
 * Searches the stored indexes of files. Time and memory depend on the wordings, not on the size of the files.
 * @param wordings the same question in several words or languages; their rankings are joined by reciprocal rank
 * @param query their vectors, if there is a model for them: files that have vectors of it are ranked by their meaning, too
 * @throws ObjectStoreUnavailable
 */
export async function searchFiles(
  store: ObjectStore,
  sub: string,
  files: readonly SearchableFile[],
  {
    wordings,
    limit,
    query,
  }: { wordings: readonly string[]; limit: number; query?: QueryVectors | undefined },
): Promise<SearchResult> {
  const { open, notSearched } = await openFiles(store, sub, files)
  const languages = countLanguages(open)
  const stemmers = [...(await loadStemmers(languages)).values()]
  const search = new Search(open)
  const scores = new Map<number, number>()
  const byWords = await search.rank(wordings.map((wording) => parseWording(wording, stemmers)))
  const byMeaning = query ? await search.rankByMeaning(store, sub, query) : []
  for (const ranking of [...byWords, ...byMeaning])
    for (const [rank, passage] of ranking.entries())
      scores.set(passage, (scores.get(passage) ?? 0) + 1 / (rankOffset + rank))
  const best = takeBest(scores, limit)
  const passages = await readPassages(store, sub, open, best)
  return {
    passages,
    searched: open.map(({ name, reader }) => ({ name, characters: reader.head.characters })),
    languages,
    ...(passages.length === 0 && {
      headings: open.map(({ name, reader }) => ({ name, headings: reader.head.headings })),
    }),
    ...(notSearched.length > 0 && { not_searched: notSearched }),
  }
}

async function openFiles(store: ObjectStore, sub: string, files: readonly SearchableFile[]) {
  const open: OpenFile[] = []
  const notSearched: NotSearched[] = []
  const timeout = AbortSignal.timeout(openMs)
  let first = 0
  const opened = await mapAtOnce(files, async ({ id }) => {
    if (timeout.aborted) return sayOwnTool('not_searched.late')
    try {
      const reader = await FileIndexReader.open(store, indexKey(sub, id))
      return reader ? { reader, passages: await reader.passages() } : sayOwnTool('not_searched.no_index')
    } catch (error) {
      if (error instanceof IndexReplaced) return sayOwnTool('not_searched.no_index')
      throw error
    }
  })
  for (const [index, file] of files.entries()) {
    const result = opened[index] ?? sayOwnTool('not_searched.late')
    if ('code' in result) notSearched.push({ name: file.name, why: result })
    else {
      open.push({ ...file, ...result, first })
      first += result.reader.head.passages
    }
  }
  return { open, notSearched }
}

async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await map(items[at] as Item)
  }
  await Promise.all(Array.from({ length: Math.min(requestsAtOnce, items.length) }, work))
  return results
}

const maxLanguages = 8

function countLanguages(open: readonly OpenFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { reader } of open)
    for (const [language, passages] of listLanguages(reader.head))
      counts.set(language, (counts.get(language) ?? 0) + passages)
  return [...counts]
    .toSorted(([, x], [, y]) => y - x)
    .slice(0, maxLanguages)
    .map(([language]) => language)
}

function parseWording(wording: string, stemmers: readonly ((word: string) => string)[]): Group[] {
  const groups = new Map<string, Group>()
  forEachTerm(
    fold(wording),
    (word) => word,
    (word) => {
      if (groups.has(word) || groups.size >= maxWords) return
      const terms = new Map([[word, 1]])
      for (const stem of stemmers) {
        const stemmed = stem(word)
        if (stemmed.length > 1 && !terms.has(stemmed)) terms.set(stemmed, stemWeight)
      }
      groups.set(word, { word, terms, isPrefix: word.length > 3 || isSingleSign(word) })
    },
  )
  return [...groups.values()]
}

/** A single letter of a script whose words are indexed in pairs. */
const isSingleSign = (word: string) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]$/u.test(word)

/** What is looked for in one block. */
interface BlockTask {
  file: OpenFile
  firstPassage: number
  range: { from: number; to: number }
  exact: Map<string, [hits: Hits, weight: number][]>
  beginnings: [beginning: string, hits: Hits][]
  near: [word: string, hits: Hits][]
}

/** One search over the open files. */
class Search {
  #files: readonly OpenFile[]
  #passages: number
  #averageTerms: number
  #names: { first: number; passages: number; terms: Set<string> }[]
  #stepStartedAt = performance.now()

  constructor(files: readonly OpenFile[]) {
    this.#files = files
    this.#passages = files.reduce((sum, { reader }) => sum + reader.head.passages, 0)
    const terms = files.reduce((sum, { reader }) => sum + reader.head.terms, 0)
    this.#averageTerms = Math.max(1, terms / Math.max(1, this.#passages))
    this.#names = files.map(({ name, first, reader }) => {
      const names = new Set<string>()
      forEachTerm(
        fold(name),
        (word) => word,
        (term) => names.add(term),
      )
      return { first, passages: reader.head.passages, terms: names }
    })
  }

  async #pause(): Promise<void> {
    if (performance.now() - this.#stepStartedAt < stepMs) return
    await setImmediate()
    this.#stepStartedAt = performance.now()
  }

  /**
   * For each wording the passages that have its words, best first. A part of an index is read once for all of them.
   * @throws ObjectStoreUnavailable
   */
  async rank(wordings: readonly (readonly Group[])[]): Promise<number[][]> {
    const searches = new Map<string, { group: Group; hits: Hits; isNear: boolean }>()
    for (const group of wordings.flat())
      if (!searches.has(group.word)) searches.set(group.word, { group, hits: new Map(), isNear: false })
    await this.#look([...searches.values()])
    // a word of the question that no file has may be a typing error
    const unknown = (wordings[0] ?? []).flatMap(({ word }) => {
      const search = searches.get(word)
      return search?.hits.size === 0 && word.length > 4 && !/\p{N}/u.test(word)
        ? { ...search, isNear: true }
        : []
    })
    if (unknown.length > 0) await this.#look(unknown)
    const rankings: number[][] = []
    for (const groups of wordings)
      rankings.push(
        await this.#score(
          groups,
          groups.map(({ word }) => searches.get(word)?.hits ?? new Map()),
        ),
      )
    return rankings
  }

  /** For each wording the passages that mean something like it, best first. @throws ObjectStoreUnavailable */
  rankByMeaning(store: ObjectStore, sub: string, query: QueryVectors): Promise<number[][]> {
    const withVectors = this.#files.filter(({ vectorsModel }) => vectorsModel === query.model)
    const files = withVectors.map(({ id, first, reader: { head } }) => ({
      id,
      first,
      characters: head.characters,
      passages: head.passages,
    }))
    return rankByVectors({ store, sub, mapAtOnce }, files, query, {
      rank: (scores) => takeBest(scores, rankedPassages),
      pause: () => this.#pause(),
    })
  }

  async #look(searches: readonly { group: Group; hits: Hits; isNear: boolean }[]): Promise<void> {
    const tasks = this.#planTasks(searches)
    const byFile = Map.groupBy(tasks, ({ file }) => file)
    const blocks = new Map<BlockTask, Uint8Array>()
    await mapAtOnce([...byFile], async ([file, fileTasks]) => {
      const read = await file.reader.read(fileTasks.map(({ range }) => range)).catch((error: unknown) => {
        // read again by the reader of documents meanwhile: its new index serves the next search
        if (error instanceof IndexReplaced) return []
        throw error
      })
      for (const [index, task] of fileTasks.entries()) blocks.set(task, read[index] ?? new Uint8Array())
    })
    // computed in one sequence: workers that pause by themselves stop the process together
    for (const [task, bytes] of blocks) {
      scanBlock(task, bytes)
      await this.#pause()
    }
  }

  #planTasks(searches: readonly { group: Group; hits: Hits; isNear: boolean }[]): BlockTask[] {
    const tasks = new Map<string, BlockTask>()
    const addTask = (file: OpenFile, segment: number, block: number): BlockTask | undefined => {
      const { firstPassage, blocks } = file.reader.segments[segment] ?? {}
      const range = blocks?.[block]
      if (!range || firstPassage === undefined) return undefined
      const key = `${file.first} ${range.from}`
      const task = tasks.get(key) ?? {
        file,
        firstPassage: file.first + firstPassage,
        range,
        exact: new Map<string, [Hits, number][]>(),
        beginnings: [],
        near: [],
      }
      tasks.set(key, task)
      return task
    }
    for (const file of this.#files)
      for (const [segment, { blocks }] of file.reader.segments.entries())
        for (const { group, hits, isNear } of searches) {
          if (isNear) {
            const beginning = group.word.slice(0, group.word.length > 6 ? 2 : 1)
            // a stem may be near where the word is not: 'rehersal' and 'rehearses'
            const words = [...group.terms.keys()].filter(({ length }) => length > 4)
            for (const block of listBlocks(blocks, beginning, maxNearBlocks)) {
              const task = addTask(file, segment, block)
              for (const near of words) task?.near.push([near, hits])
            }
            continue
          }
          for (const [term, weight] of group.terms) {
            const task = addTask(file, segment, findBlock(blocks, term))
            if (!task) continue
            const wanted = task.exact.get(term)
            if (wanted) wanted.push([hits, weight])
            else task.exact.set(term, [[hits, weight]])
          }
          if (group.isPrefix)
            for (const block of listBlocks(blocks, group.word, maxPrefixBlocks))
              addTask(file, segment, block)?.beginnings.push([group.word, hits])
        }
    return [...tasks.values()]
  }

  async #score(groups: readonly Group[], hits: readonly Hits[]): Promise<number[]> {
    const scores = new Map<number, number>()
    const weights = hits.map(({ size }) =>
      size === 0 ? 0 : Math.log(1 + (this.#passages - size + 0.5) / (size + 0.5)),
    )
    const heaviest = Math.max(0, ...weights)
    let scored = 0
    for (const [index, group] of groups.entries()) {
      const weight = weights[index] ?? 0
      // what nearly every passage has tells nothing beside a rarer word
      if (weight < heaviest * 0.05) continue
      for (const [passage, times] of hits[index] ?? []) {
        const length = this.#countTerms(passage) / this.#averageTerms
        const score = (weight * times * (k1 + 1)) / (times + k1 * (1 - b + b * length))
        scores.set(passage, (scores.get(passage) ?? 0) + score)
        scored += 1
        if (scored % scoredPerStep === 0) await this.#pause()
      }
      for (const { first, passages, terms } of this.#names) {
        if (!terms.has(group.word)) continue
        const bonus = nameWeight * (weight || Math.log(1 + this.#passages))
        for (let passage = first; passage < first + passages; passage += 1)
          if (passage === first || scores.has(passage))
            scores.set(passage, (scores.get(passage) ?? 0) + bonus)
      }
      await this.#pause()
    }
    return takeBest(scores, rankedPassages)
  }

  #countTerms(passage: number): number {
    const file = findFile(this.#files, passage)
    return file?.passages.terms[passage - file.first] ?? 0
  }
}

/** The passages with the highest scores, best first. To sort all of a large project would stop the process. */
function takeBest(scores: ReadonlyMap<number, number>, count: number): number[] {
  const ascending = Float64Array.from(scores.values()).toSorted()
  const least = ascending[Math.max(0, ascending.length - count)] ?? 0
  return [...scores]
    .filter(([, score]) => score >= least)
    .toSorted(([p, x], [q, y]) => y - x || p - q)
    .slice(0, count)
    .map(([passage]) => passage)
}

/** The last file that begins at a passage or before it. */
function findFile(files: readonly OpenFile[], passage: number): OpenFile | undefined {
  let low = 0
  let high = files.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((files[middle]?.first ?? 0) <= passage) low = middle + 1
    else high = middle
  }
  return files[low - 1]
}

type Blocks = FileIndexReader['segments'][number]['blocks']

/** The block that has a term if the segment has it. */
function findBlock(blocks: Blocks, term: string): number {
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
function listBlocks(blocks: Blocks, beginning: string, most: number): number[] {
  const first = findBlock(blocks, beginning)
  const listed = [first]
  for (let block = first + 1; block < blocks.length && listed.length < most; block += 1) {
    if (blocks[block]?.first.startsWith(beginning) !== true) break
    listed.push(block)
  }
  return listed
}

function scanBlock({ exact, beginnings, near, firstPassage }: BlockTask, bytes: Uint8Array): void {
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

/** Whether one or, in long words, two letters are wrong, missing, too many or exchanged. */
export function isNear(a: string, b: string): boolean {
  const most = a.length > 8 ? 2 : 1
  if (Math.abs(a.length - b.length) > most || a === b) return false
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      const isExchanged =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isExchanged) value = Math.min(value, (before[j - 2] ?? 0) + 1)
      next.push(value)
      least = Math.min(least, value)
    }
    if (least > most) return false
    before = row
    row = next
  }
  return (row[b.length] ?? most + 1) <= most
}

async function readPassages(
  store: ObjectStore,
  sub: string,
  files: readonly OpenFile[],
  found: readonly number[],
): Promise<FoundPassage[]> {
  const read = await mapAtOnce(found, async (number): Promise<FoundPassage[]> => {
    const file = findFile(files, number)
    if (!file) return []
    const { id, name, passages } = file
    const passage = number - file.first
    const [from, to] = [passages.characters[passage] ?? 0, passages.characters[passage + 1] ?? 0]
    const range = [passages.bytes[passage] ?? 0, passages.bytes[passage + 1] ?? 0] as const
    const part = await store.readRange(textKey(sub, id), ...range)
    return part
      ? [{ id, name, from, to, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(part.bytes) }]
      : []
  })
  return read.flat()
}
