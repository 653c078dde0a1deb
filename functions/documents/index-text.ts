import { Worker } from 'node:worker_threads'
import { logger } from '../platform/telemetry/logger.ts'
import { storedTypes } from './stored-types.ts'

interface TextIndex {
  bytes: Uint8Array<ArrayBuffer>
  languages: string[]
}

const maxIndexingMs = 90_000
const heapMb = 768

/**
 * Builds the index of a text in a separate thread with limits on time and memory.
 * @returns undefined if that fails: the text can be read, and not searched
 */
export async function indexText(text: string, timeMs = maxIndexingMs): Promise<TextIndex | undefined> {
  const worker = new Worker(new URL('./index-worker.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    env: {},
    // what the process loads before its program is not for its threads
    execArgv: [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<TextIndex>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the thread ended without an index')))
  const timer = setTimeout(() => reject(new Error(`not indexed in ${timeMs} ms`)), timeMs)
  try {
    const index = await promise
    const { length } = index.bytes
    if (length > storedTypes.index.maxBytes) throw new Error(`an index of ${length} bytes`)
    return index
  } catch (error) {
    logger.warn('a text could not be indexed', { error, count: text.length })
    return undefined
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
