import type { ObjectStore } from '../../platform/s3/object-store.ts'
import { vectorsKey } from '../file-links.ts'
import { decodeVectors, type TextVectors } from './vectors-format.ts'

/** The wordings of a search as vectors of a model; only vectors of the same model are compared with them. */
export interface QueryVectors {
  model: string
  vectors: readonly Float32Array[]
}

/** An opened file of a search. */
export interface VectorFile {
  id: string
  /** number of its first passage among those of all files */
  first: number
  characters: number
  passages: number
}

/** More than one file has: its text would be larger than any that is embedded. */
export const maxVectorBytes = 8 * 1024 * 1024
/** Of all files of a search; the files beyond are found by their words alone. */
const maxSearchBytes = 40 * 1024 * 1024
/** Vectors that stay in memory between searches. */
const maxCachedBytes = 40 * 1024 * 1024
/** Products of two numbers after which other work of the process gets its turn: about 5 ms. */
const productsPerStep = 4_000_000

const caches = new WeakMap<ObjectStore, Map<string, { etag: string; vectors: TextVectors }>>()

/** The vectors of a file that fit its index and the model. @throws ObjectStoreUnavailable */
async function openVectors(
  store: ObjectStore,
  sub: string,
  file: VectorFile,
  { model, vectors: [query] }: QueryVectors,
): Promise<TextVectors | undefined> {
  const cache = caches.get(store) ?? new Map<string, { etag: string; vectors: TextVectors }>()
  caches.set(store, cache)
  const key = vectorsKey(sub, file.id)
  const known = cache.get(key)
  cache.delete(key)
  if (known && (await store.readRange(key, 0, 1, known.etag))) {
    cache.set(key, known)
    return known.vectors
  }
  const read = await store.readRange(key, 0, maxVectorBytes)
  const vectors = read && decodeVectors(read.bytes)
  const fits =
    vectors &&
    vectors.model === model &&
    vectors.dimensions === query?.length &&
    vectors.characters === file.characters &&
    vectors.windows.length <= file.passages
  if (!fits) return undefined
  cache.set(key, { etag: read.etag, vectors })
  let bytes = [...cache.values()].reduce((sum, one) => sum + one.vectors.values.length, 0)
  for (const [oldest, one] of cache) {
    if (bytes <= maxCachedBytes) break
    cache.delete(oldest)
    bytes -= one.vectors.values.length
  }
  return vectors
}

/**
 * For each wording the passages that are nearest to it in meaning, best first. A passage counts as its nearest window. Files without
 * vectors of the model are left out.
 * @param rank takes the best of the scores
 * @param pause lets other work of the process have its turn
 * @throws ObjectStoreUnavailable
 */
export async function rankByVectors(
  { store, sub, mapAtOnce }: { store: ObjectStore; sub: string; mapAtOnce: MapAtOnce },
  files: readonly VectorFile[],
  query: QueryVectors,
  { rank, pause }: { rank: (scores: ReadonlyMap<number, number>) => number[]; pause: () => Promise<void> },
): Promise<number[][]> {
  let left = maxSearchBytes
  const opened = await mapAtOnce(files, async (file) => {
    if (left <= 0) return undefined
    const vectors = await openVectors(store, sub, file, query)
    left -= vectors?.values.length ?? 0
    return vectors && { ...vectors, first: file.first }
  })
  const scores = query.vectors.map(() => new Map<number, number>())
  let products = 0
  for (const file of opened) {
    if (!file) continue
    const { values, dimensions, windows, first } = file
    let at = 0
    for (const [passage, count] of windows.entries())
      for (let window = 0; window < count; window += 1, at += dimensions) {
        for (const [index, wanted] of query.vectors.entries()) {
          const score = compare(wanted, values, at)
          const known = scores[index]?.get(first + passage)
          if (known === undefined || score > known) scores[index]?.set(first + passage, score)
        }
        products += dimensions * query.vectors.length
        if (products < productsPerStep) continue
        products = 0
        await pause()
      }
  }
  return scores.map(rank)
}

type MapAtOnce = <Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
) => Promise<Result[]>

/** The cosine of two vectors, up to the length of the first one, which is the same for all that it is compared with. */
function compare(query: Float32Array, values: Int8Array, from: number): number {
  let product = 0
  let square = 0
  for (let at = 0; at < query.length; at += 1) {
    const value = values[from + at]!
    product += query[at]! * value
    square += value * value
  }
  return square === 0 ? -1 : product / Math.sqrt(square)
}
