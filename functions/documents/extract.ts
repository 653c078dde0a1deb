import { Worker } from 'node:worker_threads'
import type { DocumentKind } from '#shared/document-formats.ts'
import type { ExtractResult } from './extract-worker.ts'
import { DocumentError, type ExtractedText } from './extracted-text.ts'

/** After this time a reader hands over what it has. */
const maxExtractionMs = 100_000
/** After these, its thread ends. Together with the time for the index less than the parser has. */
const graceMs = 10_000
const heapMb = 512

/**
 * Extracts the text of a document in a separate thread with limits on time and memory.
 * When the time is over, the text that was read so far is the result.
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
): Promise<ExtractedText> {
  const worker = new Worker(new URL('./extract-worker.ts', import.meta.url), {
    workerData: { kind, bytes, timeMs },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // output of the reader is discarded
    stdout: true,
    stderr: true,
    env: {},
    // what the process loads before its program is not for its threads
    execArgv: [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<ExtractResult>()
  worker.once('message', resolve)
  worker.once('error', (cause: Error & { code?: string }) => {
    const isOutOfMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(new DocumentError(isOutOfMemory ? 'tooLarge' : 'unreadable', 'the reader failed', { cause }))
  })
  worker.once('exit', () => reject(new DocumentError('unreadable', 'the reader exited without a result')))
  const timer = setTimeout(
    () => reject(new DocumentError('tooSlow', `not read in ${timeMs} ms`)),
    timeMs + afterMs,
  )
  try {
    const result = await promise
    if ('problem' in result) throw new DocumentError(result.problem, result.detail, { kind: result.kind })
    return result.extracted
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
