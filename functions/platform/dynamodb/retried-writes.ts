import { wait } from '../clock.ts'
import { AppError } from '../errors.ts'

/** Longer than a usual outage of the table, shorter than the time after which a run without a heartbeat counts as lost. */
const pausesMs = [100, 400, 1_000, 2_000, 4_000]
/** The sum of all pauses of one write. */
export const maxRetryMs = pausesMs.reduce((sum, pauseMs) => sum + pauseMs)

/**
 * Retries writes of data that the user has already seen, for about eight seconds each. Writes must be idempotent, because the response
 * to a successful write can be lost.
 */
export function retriedWrites() {
  let wasRetried = false

  /** @throws the error of the last attempt; an AppError at once, because it is a decision and not an outage */
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
    /** Whether a write was retried, so that something may have been counted twice. */
    wasRetried: () => wasRetried,
  }
}
