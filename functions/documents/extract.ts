import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DocumentKind } from '#shared/document-formats.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { ExtractResult, TablesResult } from './extract-worker.ts'
import { DocumentError, type ExtractedText } from './extracted-text.ts'
import type { BuiltTables } from './tables/build.ts'

/** After this time a reader hands over what it has. */
const maxExtractionMs = 100_000
/** After these, its thread ends. Together with the time for the index less than the parser has. */
const graceMs = 10_000
const heapMb = 512

export interface Extracted {
  text: ExtractedText
  tables: BuiltTables | undefined
}

/**
 * Extracts the text of a document, and its tables, in a separate thread with limits on time and memory.
 * When the time is over, the text that was read so far is the result, and the tables are none.
 * @param bytes transferred to the thread, and empty afterwards
 * @throws DocumentError
 */
export async function extract(
  kind: DocumentKind,
  bytes: Uint8Array<ArrayBuffer>,
  {
    timeMs = maxExtractionMs,
    afterMs = graceMs,
    memoryMb = heapMb,
  }: { timeMs?: number; afterMs?: number; memoryMb?: number } = {},
): Promise<Extracted> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  try {
    return await runThread({ kind, bytes, timeMs, folder }, { afterMs, memoryMb })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runThread(
  input: { kind: DocumentKind; bytes: Uint8Array<ArrayBuffer>; timeMs: number; folder: string },
  { afterMs, memoryMb }: { afterMs: number; memoryMb: number },
): Promise<Extracted> {
  const { bytes, timeMs } = input
  const worker = new Worker(new URL('./extract-worker.ts', import.meta.url), {
    workerData: input,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // output of the reader is discarded
    stdout: true,
    stderr: true,
    env: {},
    // what the process loads before its program is not for its threads
    execArgv: [],
  })
  const first = Promise.withResolvers<ExtractResult>()
  const second = Promise.withResolvers<BuiltTables | undefined>()
  const fail = (error: DocumentError) => {
    first.reject(error)
    second.reject(error)
  }
  second.promise.catch(() => undefined)
  worker.on('message', (message: ExtractResult | TablesResult) => {
    if ('built' in message) second.resolve(message.built)
    else first.resolve(message)
  })
  worker.once('error', (cause: Error & { code?: string }) => {
    const isOutOfMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    fail(new DocumentError(isOutOfMemory ? 'tooLarge' : 'unreadable', 'the reader failed', { cause }))
  })
  worker.once('exit', () => fail(new DocumentError('unreadable', 'the reader exited without a result')))
  const timer = setTimeout(
    () => fail(new DocumentError('tooSlow', `not read in ${timeMs} ms`)),
    timeMs + afterMs,
  )
  try {
    const result = await first.promise
    if ('problem' in result) throw new DocumentError(result.problem, result.detail, { kind: result.kind })
    const tables = result.tables
      ? await second.promise.catch((error: unknown) => {
          logger.warn('the tables of a document could not be built', { error })
          return undefined
        })
      : undefined
    return { text: result.extracted, tables }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
