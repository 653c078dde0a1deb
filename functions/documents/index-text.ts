import { logger } from '../platform/telemetry/logger.ts'
import { runChildProcess } from './child-process.ts'
import { storedTypes } from './stored-types.ts'

interface TextIndex {
  bytes: Uint8Array<ArrayBuffer>
  languages: string[]
}

/** Of the processor. */
const maxIndexingMs = 90_000
/** By the clock. */
const maxMs = 210_000
const heapMb = 768
/** With what is not in the heap. */
const memoryMb = 1_024

/**
 * Builds the index of a text in a separate process with limits on time and memory.
 * @returns undefined if that fails: the text can be read, and not searched
 */
export async function indexText(text: string, timeMs = maxIndexingMs): Promise<TextIndex | undefined> {
  try {
    let index: TextIndex | undefined
    await runChildProcess(
      new URL('./index-child.ts', import.meta.url),
      text,
      { timeMs, maxMs, heapMb, memoryMb },
      (message: TextIndex) => {
        index = message
        return true
      },
    )
    if (!index) throw new Error('the process ended without an index')
    const { length } = index.bytes
    if (length > storedTypes.index.maxBytes) throw new Error(`an index of ${length} bytes`)
    return index
  } catch (error) {
    logger.warn('a text could not be indexed', { error, count: text.length })
    return undefined
  }
}
