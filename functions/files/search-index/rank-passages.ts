import { setImmediate } from 'node:timers/promises'
import { fold, forEachTerm } from '#shared/text-compare.ts'
import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { rankByVectors, type QueryVectors } from './rank-vectors.ts'
import { IndexReplaced } from './read-index.ts'
import { type BlockTask, type Hits, type OpenFile, findBlock, listBlocks, scanBlock } from './index-blocks.ts'
import { mapAtOnce } from './map-at-once.ts'

// Ranks the passages of files by the words of a search.

/** A word of a wording, with the terms that count as it. */
interface Group {
  word: string
  /** weights by term: 1 for the word itself */
  terms: Map<string, number>
  /** terms that begin with the word count, too */
  isPrefix: boolean
}

/** After this long other work of the process gets its turn. */
const stepMs = 5
const scoredPerStep = 4_096

/** BM25. A low k1: that a passage repeats a common word says less than that it has the rare one. @see https://en.wikipedia.org/wiki/Okapi_BM25 */
const k1 = 0.6
const b = 0.6
const stemWeight = 0.9

const nameWeight = 0.4
/** Places of a ranking that count. */
const rankedPassages = 100

/** Blocks that are read for the beginning of a word, per segment. */
const maxPrefixBlocks = 3
const maxNearBlocks = 8
const maxWords = 40

/** The words of a wording, each with the stems that count as it. */
export function parseWording(wording: string, stemmers: readonly ((word: string) => string)[]): Group[] {
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

/** One search over the open files. */
export class Search {
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
export function takeBest(scores: ReadonlyMap<number, number>, count: number): number[] {
  const ascending = Float64Array.from(scores.values()).toSorted()
  const least = ascending[Math.max(0, ascending.length - count)] ?? 0
  return [...scores]
    .filter(([, score]) => score >= least)
    .toSorted(([p, x], [q, y]) => y - x || p - q)
    .slice(0, count)
    .map(([passage]) => passage)
}

/** The last file that begins at a passage or before it. */
export function findFile(files: readonly OpenFile[], passage: number): OpenFile | undefined {
  let low = 0
  let high = files.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((files[middle]?.first ?? 0) <= passage) low = middle + 1
    else high = middle
  }
  return files[low - 1]
}
