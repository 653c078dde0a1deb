import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../errors.ts'

/** Longer than a table falters as a rule, shorter than a run without a heartbeat is taken for lost. */
const pausesMs = [100, 400, 1_000, 2_000, 4_000]
/** All pauses of one write. */
export const maxRetryMs = pausesMs.reduce((sum, pauseMs) => sum + pauseMs)

/**
 * For writes of what somebody has seen already: each is tried on until the table takes it, about eight seconds long. Only
 * writes that may be done twice belong here, for the answer to one that was done can be lost.
 */
export function retriedWrites() {
  let wasRetried = false

  /** @throws what the last try threw; an AppError at once, because that is the table's own answer */
  async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
    for (const pauseMs of pausesMs) {
      try {
        return await write()
      } catch (error) {
        if (error instanceof AppError) throw error
        wasRetried = true
        await wait(pauseMs)
      }
    }
    return write()
  }

  return {
    persist,
    /** Whether a write had to be tried again, so that something may have been counted twice. */
    wasRetried: () => wasRetried,
  }
}
