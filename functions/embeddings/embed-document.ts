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
import { isUnbilled, ModelError } from '../models/model-errors.ts'
import { estimateTextTokens } from '../models/token-estimate.ts'
import type { EmbeddingBudget } from './embedding-budget.ts'

export interface EmbeddingDeps extends FileDeps<VectorsRepository> {
  model: EmbeddingModel
  budget: EmbeddingBudget
}

/** Of one file: a text of 2,000 pages. What is behind them is found by its words. */
const maxWindows = 8_000
const requestsAtOnce = 4
const requestMs = 60_000
/** A model with a small context rejects long texts instead of cutting them. */
const shortCharacters = 200
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

async function embedWindows(
  { model, budget }: EmbeddingDeps,
  sub: string,
  { windows: all, stored, vectors }: Progress,
  endsAtMs: number,
): Promise<'complete' | 'no time' | 'no budget'> {
  const windows = all.slice(countWindows(stored?.windows))
  let most = Number.POSITIVE_INFINITY
  const embed = async (texts: readonly string[]) => {
    // a server that is asked for a blank text may refuse the others
    const asked = texts.filter((text) => text.trim() !== '')
    if (asked.length === 0) return { vectors: texts.map(() => new Float32Array()), tokens: 0 }
    const request = () =>
      model.embed(
        asked.map((text) => text.slice(0, most).toWellFormed()),
        'passage',
        AbortSignal.timeout(requestMs),
      )
    const answered = await request().catch((error: unknown) => {
      const isRejected = error instanceof ModelError && rejectedStatus.includes(error.rejection?.status)
      if (!isRejected || most === shortCharacters) throw error
      most = shortCharacters
      return request()
    })
    const next = answered.vectors.values()
    return {
      vectors: texts.map((text) =>
        text.trim() === '' ? new Float32Array() : (next.next().value ?? new Float32Array()),
      ),
      tokens: answered.tokens,
    }
  }
  const perStep = embeddingsPerRequest * requestsAtOnce
  while (vectors.length < windows.length) {
    if (performance.now() >= endsAtMs) return 'no time'
    const step = windows.slice(vectors.length, vectors.length + perStep)
    const settle = await budget.reserve(sub, estimateTextTokens(step.join('')), Date.now())
    if (!settle) {
      logger.info('the budget leaves no vectors', { count: windows.length - vectors.length })
      return 'no budget'
    }
    const batches = Array.from({ length: Math.ceil(step.length / embeddingsPerRequest) }, (_, index) =>
      step.slice(index * embeddingsPerRequest, (index + 1) * embeddingsPerRequest),
    )
    const results = await Promise.allSettled(batches.map(embed))
    const used = results.map((result, index) =>
      result.status === 'fulfilled'
        ? result.value.tokens
        : isUnbilled(result.reason)
          ? 0
          : estimateTextTokens((batches[index] ?? []).join('')),
    )
    await settle(used.reduce((sum, tokens) => sum + tokens, 0))
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      vectors.push(...result.value.vectors)
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
