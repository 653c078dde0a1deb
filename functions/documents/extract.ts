import { Worker } from 'node:worker_threads'
import type { DocumentKind } from './document-kind.ts'
import type { ExtractAnswer } from './extract-worker.ts'
import { DocumentProblem, type Extracted } from './extracted.ts'

/** Below what the gateway waits for an answer. */
const limitMs = 20_000
const heapMb = 512

/**
 * Reads the text of a document in a thread of its own, with a limit on time and on memory.
 * @param bytes handed over to the thread: empty afterwards
 * @throws DocumentProblem
 */
export async function extract(
  kind: DocumentKind,
  bytes: Uint8Array<ArrayBuffer>,
  { timeMs = limitMs, memoryMb = heapMb }: { timeMs?: number; memoryMb?: number } = {},
): Promise<Extracted> {
  const worker = new Worker(new URL('./extract-worker.ts', import.meta.url), {
    workerData: { kind, bytes },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // output of the reader is discarded
    stdout: true,
    stderr: true,
    env: {},
  })
  const { promise, resolve, reject } = Promise.withResolvers<ExtractAnswer>()
  worker.once('message', resolve)
  worker.once('error', (cause: Error & { code?: string }) => {
    const outOfMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(new DocumentProblem(outOfMemory ? 'tooLarge' : 'unreadable', 'the reader failed', { cause }))
  })
  worker.once('exit', () => reject(new DocumentProblem('unreadable', 'the reader ended without an answer')))
  const timer = setTimeout(() => reject(new DocumentProblem('tooSlow', `not read in ${timeMs} ms`)), timeMs)
  try {
    const answer = await promise
    if ('problem' in answer) throw new DocumentProblem(answer.problem, answer.detail)
    return answer.extracted
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
