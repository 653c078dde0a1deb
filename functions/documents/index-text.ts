import { logger } from '../platform/telemetry/logger.ts'
import { runChildProcess } from './child-process.ts'
import { storedTypes } from './stored-types.ts'

interface TextIndex {
  bytes: Uint8Array<ArrayBuffer>
  languages: readonly string[]
}

/** Of the processor. */
const maxIndexingMs = 90_000
/** By the clock. */
const maxMs = 210_000
const heapMb = 768
/** With what is not in the heap. */
const memoryMb = 1_024

const module = new URL('./index-child.ts', import.meta.url)
/** Tests replace it (`test/support/index-in-process.ts`): a process for each upload takes most of their time. */
export const indexing = {
  build: (text: string, timeMs: number): Promise<TextIndex> =>
    runChildProcess(module, text, { timeMs, maxMs, heapMb, memoryMb }),
}

/** @returns undefined if that fails: the text can be read, and not searched */
export async function indexText(text: string, timeMs = maxIndexingMs): Promise<TextIndex | undefined> {
  try {
    const index = await indexing.build(text, timeMs)
    const { length } = index.bytes
    if (length > storedTypes.index.maxBytes) throw new Error(`an index of ${length} bytes`)
    return index
  } catch (error) {
    logger.warn('a text could not be indexed', { error, count: text.length })
    return undefined
  }
}
