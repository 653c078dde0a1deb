import { saveRowOrDelete } from '../../files/delete-files.ts'
import { AttachmentNotFound } from '../../files/errors.ts'
import { vectorsKey, type FileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import { maxVectorBytes } from '../../files/search-index/rank-vectors.ts'
import { passageCharacters } from '../../files/search-index/index-format.ts'
import { encodeVectors, listWindows, quantise } from '../../files/search-index/vectors-format.ts'
import type { VectorsRepository } from '../../files/vectors-repository.ts'
import { putObject } from '../../platform/s3/object-writer.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { embeddingsPerRequest, type EmbeddingModel } from '../model/embedding-model.ts'
import { isUnbilled, ModelError } from '../model/model-errors.ts'
import { estimateTextTokens } from '../model/token-estimate.ts'
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

/** Texts in the order of their windows, and the vectors of the first ones. */
interface Progress {
  windows: readonly string[]
  vectors: Float32Array[]
}

/**
 * Makes the vectors of a file's text, from its beginning on, and stores them beside its index. What the budget, the time or a server that
 * fails does not allow is left out: those passages are found by their words.
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
  const text = file && (await readText(deps, sub, file))
  if (!file?.text || !text || file.vectors_model === model.name) return
  const passages = listWindows(text, maxWindows)
  const progress: Progress = { windows: passages.flat(), vectors: [] }
  try {
    await embedWindows(deps, sub, progress, endsAtMs)
  } finally {
    await saveVectors({ files, store }, sub, { file, model: model.name, passages, vectors: progress.vectors })
  }
}

/** The file was deleted meanwhile. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AttachmentNotFound)) throw error
}

/** @returns undefined for a text that cannot be searched */
async function readText({ store }: EmbeddingDeps, sub: string, { id, text }: StoredFile) {
  if (!text?.isIndexed) return undefined
  return readTextRange(store, sub, { id, text }, { from: 0, to: maxWindows * passageCharacters })
}

async function embedWindows(
  { model, budget }: EmbeddingDeps,
  sub: string,
  { windows, vectors }: Progress,
  endsAtMs: number,
): Promise<void> {
  let most = Number.POSITIVE_INFINITY
  const embed = async (texts: readonly string[]) => {
    // a server that is asked for a blank text may refuse the others
    const asked = texts.filter((text) => text.trim() !== '')
    if (asked.length === 0) return { vectors: texts.map(() => new Float32Array()), tokens: 0 }
    const request = () =>
      model.embed(
        asked.map((text) => text.slice(0, most).toWellFormed()),
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
  while (vectors.length < windows.length && performance.now() < endsAtMs) {
    const step = windows.slice(vectors.length, vectors.length + perStep)
    const settle = await budget.reserve(sub, estimateTextTokens(step.join('')), Date.now())
    if (!settle) {
      logger.info('the budget leaves no vectors', { count: windows.length - vectors.length })
      return
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
}

/** Stores the vectors of whole passages, as many as there may be. */
async function saveVectors(
  { files, store }: FileDeps<VectorsRepository>,
  sub: string,
  {
    file,
    model,
    passages,
    vectors,
  }: { file: StoredFile; model: string; passages: readonly string[][]; vectors: readonly Float32Array[] },
): Promise<void> {
  const dimensions = vectors.find(({ length }) => length > 0)?.length
  if (dimensions === undefined) return
  const most = Math.min(vectors.length, Math.floor((maxVectorBytes * 0.9) / dimensions))
  const windows: number[] = []
  let total = 0
  for (const { length } of passages) {
    if (total + length > most) break
    windows.push(length)
    total += length
  }
  if (total === 0) return
  const values = new Int8Array(total * dimensions)
  for (const [index, vector] of vectors.slice(0, total).entries())
    quantise(vector, values.subarray(index * dimensions, (index + 1) * dimensions))
  const key = vectorsKey(sub, file.id)
  const characters = file.text?.characters ?? 0
  const body = encodeVectors({ model, dimensions, characters, windows, values })
  await putObject(store, { key, body, type: 'application/octet-stream' })
  await saveRowOrDelete(store, [key], () => files.save(sub, file.id, model)).catch(ignoreMissing)
}
