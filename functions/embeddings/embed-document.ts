import { saveRowOrDelete } from '../files/delete-files.ts'
import { AttachmentNotFound } from '../files/errors.ts'
import { vectorsKey, type FileDeps } from '../files/file-links.ts'
import { needsVectors, type StoredFile } from '../files/file-row.ts'
import { readTextRange } from '../files/read-text-range.ts'
import { maxVectorBytes } from '../files/search-index/rank-vectors.ts'
import { passageCharacters } from '../files/search-index/split-passages.ts'
import {
  decodeVectors,
  encodeVectors,
  listWindows,
  quantise,
  type TextVectors,
} from '../files/search-index/vectors-format.ts'
import type { VectorsRepository } from '../files/vectors-repository.ts'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { embeddingsPerRequest, type EmbeddingModel } from '../models/embedding-model.ts'
import { isPromptTooLong, isUnbilled, ModelError } from '../models/model-errors.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'
import type { EmbeddingBudget } from './embedding-budget.ts'

export interface EmbeddingDeps extends FileDeps<VectorsRepository> {
  model: EmbeddingModel
  budget: EmbeddingBudget
}

/** Of one file: a text of 2,000 pages. What is behind them is found by its words. */
const maxWindows = 8_000
const requestsAtOnce = 4
const batchMs = 60_000
/**
 * What is asked for while a server rejects it. A model with a small context rejects long texts instead of cutting them; DashScope and
 * Ark take ten texts in a request. Servers do not say reliably which it was.
 */
const requestLimits = [
  { texts: embeddingsPerRequest, characters: Number.POSITIVE_INFINITY },
  { texts: 10, characters: Number.POSITIVE_INFINITY },
  { texts: embeddingsPerRequest, characters: 200 },
  { texts: 10, characters: 200 },
] as const
const rejectedStatus: readonly (number | undefined)[] = [400, 413, 422]

/** Once the budget leaves none, the rest waits for this long at least. */
const postponedMs = 6 * 3_600_000

/** Texts in the order of their windows, and the vectors of the first ones. */
interface Progress {
  windows: readonly string[]
  /** stored by an earlier attempt */
  stored: TextVectors | undefined
  /** of the windows behind the stored ones */
  vectors: Float32Array[]
}

/**
 * Makes the vectors of a file's text, from its beginning on, and stores them beside its index; an attempt goes on where the last one
 * ended. What the budget, the time or a server that fails does not allow is left for later: those passages are found by their words.
 * @param timeMs after which no more are made
 * @throws ModelError when the server failed, what the table and the bucket throw; then it can be tried again
 */
export async function embedDocument(
  deps: EmbeddingDeps,
  { sub, id }: { sub: string; id: string },
  timeMs: number,
): Promise<void> {
  const { files, store, model } = deps
  const endsAtMs = performance.now() + timeMs
  const file = await files.find(sub, id).catch(ignoreMissing)
  if (!file?.text?.isIndexed || !needsVectors(file, model.name, Date.now())) return
  if (!(await files.claim(sub, id, Date.now()))) return
  let dueMs = Date.now()
  let passages: string[][] = []
  const progress: Progress = { windows: [], stored: undefined, vectors: [] }
  try {
    const text = await readText(deps, sub, file)
    passages = listWindows(text ?? '', maxWindows)
    progress.windows = passages.flat()
    progress.stored = await readStored(store, sub, file, model.name)
    const end = await embedWindows(deps, sub, progress, endsAtMs)
    if (end === 'no budget') dueMs += postponedMs
  } finally {
    await saveVectors(deps, sub, { file, passages, progress, dueMs })
  }
}

/** Vectors of the model that an earlier attempt has stored. */
async function readStored(store: ObjectStore, sub: string, file: StoredFile, model: string) {
  if (file.vectors_model !== model) return undefined
  const bytes = await store.read(vectorsKey(sub, file.id))
  const stored = bytes && decodeVectors(bytes)
  return stored?.model === model && stored.characters === file.text?.characters ? stored : undefined
}

const countWindows = (passages: readonly number[] = []) => passages.reduce((sum, one) => sum + one, 0)

/** The file was deleted meanwhile. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AttachmentNotFound)) throw error
}

async function readText({ store }: EmbeddingDeps, sub: string, { id, text }: StoredFile) {
  return text && readTextRange(store, sub, { id, text }, { from: 0, to: maxWindows * passageCharacters })
}

/** llama-server and Ollama have 500 for a text that is too long. */
const isRejected = (error: unknown) =>
  isPromptTooLong(error) || (error instanceof ModelError && rejectedStatus.includes(error.rejection?.status))

/** The next limits that would change a request which was rejected; undefined if none would. */
function findLimits(behind: number, texts: readonly string[]): number | undefined {
  const longest = Math.max(...texts.map(({ length }) => length))
  const at = requestLimits.findIndex(
    (limits, index) => index > behind && (limits.texts < texts.length || limits.characters < longest),
  )
  return at === -1 ? undefined : at
}

/** Makes vectors of one file's texts, empty ones of blank texts. Limits that the server has shown once hold for the rest of the file. */
function openEmbed(model: EmbeddingModel) {
  let limitsAt = 0
  return async (texts: readonly string[], spend: (tokens: number) => void): Promise<Float32Array[]> => {
    const signal = AbortSignal.timeout(batchMs)
    // a server that is asked for a blank text may refuse the others
    const asked = texts.filter((text) => text.trim() !== '')
    const vectors: Float32Array[] = []
    while (vectors.length < asked.length) {
      const at = limitsAt
      const limits = requestLimits[at] ?? requestLimits[0]
      const some = asked
        .slice(vectors.length, vectors.length + limits.texts)
        .map((text) => text.slice(0, limits.characters).toWellFormed())
      try {
        const answered = await model.embed(some, 'passage', signal)
        spend(answered.tokens)
        vectors.push(...answered.vectors)
      } catch (error) {
        if (!isUnbilled(error)) spend(estimateTextTokens(some.join('')))
        const next = isRejected(error) ? findLimits(at, some) : undefined
        if (next === undefined) throw error
        // another batch may have been rejected meanwhile
        limitsAt = Math.max(limitsAt, next)
      }
    }
    const next = vectors.values()
    return texts.map((text) =>
      text.trim() === '' ? new Float32Array() : (next.next().value ?? new Float32Array()),
    )
  }
}

async function embedWindows(
  { model, budget }: EmbeddingDeps,
  sub: string,
  { windows: all, stored, vectors }: Progress,
  endsAtMs: number,
): Promise<'complete' | 'no time' | 'no budget'> {
  const windows = all.slice(countWindows(stored?.windows))
  const embed = openEmbed(model)
  const perStep = embeddingsPerRequest * requestsAtOnce
  while (vectors.length < windows.length) {
    if (performance.now() >= endsAtMs) return 'no time'
    let step = windows.slice(vectors.length, vectors.length + perStep)
    let settle = await budget.reserve(sub, estimateTextTokens(step.join('')), Date.now())
    // a small budget has room for less
    while (!settle && step.length > 1) {
      step = step.slice(0, Math.ceil(step.length / 4))
      settle = await budget.reserve(sub, estimateTextTokens(step.join('')), Date.now())
    }
    if (!settle) {
      logger.info('the budget leaves no vectors', { count: windows.length - vectors.length })
      return 'no budget'
    }
    const batches = Array.from({ length: Math.ceil(step.length / embeddingsPerRequest) }, (_, index) =>
      step.slice(index * embeddingsPerRequest, (index + 1) * embeddingsPerRequest),
    )
    let used = 0
    const spend = (tokens: number) => {
      used += tokens
    }
    const results = await Promise.allSettled(batches.map((texts) => embed(texts, spend)))
    await settle(used)
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      vectors.push(...result.value)
    }
  }
  return 'complete'
}

/** Stores the vectors of whole passages, as many as there may be, and whether they are all. */
async function saveVectors(
  { files, store, model: { name: model } }: EmbeddingDeps,
  sub: string,
  {
    file: { id, text, vectors_model: earlier },
    passages,
    progress: { windows, stored, vectors },
    dueMs,
  }: { file: StoredFile; passages: readonly string[][]; progress: Progress; dueMs: number },
): Promise<void> {
  const made = vectors.find(({ length }) => length > 0)?.length
  // a server that has changed its model under the same name: the stored vectors are none of it
  if (stored && made !== undefined && made !== stored.dimensions)
    return files.postpone(sub, id, undefined, dueMs).catch(ignoreMissing)
  const dimensions = stored?.dimensions ?? made
  const before = countWindows(stored?.windows)
  const most = dimensions === undefined ? 0 : Math.floor((maxVectorBytes * 0.9) / dimensions)
  const counts: number[] = []
  let total = 0
  for (const { length } of passages) {
    if (total + length > Math.min(before + vectors.length, most)) break
    counts.push(length)
    total += length
  }
  const isComplete = before + vectors.length >= Math.min(windows.length, most) && passages.length > 0
  const saveRow = () =>
    isComplete ? files.complete(sub, id, model) : files.postpone(sub, id, total > 0 ? model : earlier, dueMs)
  if (dimensions === undefined || total <= before) return saveRow().catch(ignoreMissing)
  const values = new Int8Array(total * dimensions)
  if (stored) values.set(stored.values)
  for (const [index, vector] of vectors.slice(0, total - before).entries())
    quantise(vector, values.subarray((before + index) * dimensions, (before + index + 1) * dimensions))
  const key = vectorsKey(sub, id)
  const body = encodeVectors({
    model,
    dimensions,
    characters: text?.characters ?? 0,
    windows: counts,
    values,
  })
  await putObject(store, { key, body, type: 'application/octet-stream' })
  await saveRowOrDelete(store, [key], saveRow).catch(ignoreMissing)
}
