import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'

/** The timeout of a request: the service may use its full time, 29 seconds, and the upload may be slow. */
export const importTimeoutMs = 60_000

/** Pauses between attempts, the last one repeated. */
const pausesMs = [1_000, 2_000, 5_000, 10_000, 30_000]
/** A service that is busy or out of reach is asked for about five minutes. */
const maxAttempts = 14
/** A request at which the service fails will probably fail again. */
const maxFailedAttempts = 4
/** After so many failed requests in a row the fault is the service's, and not that of what was sent. */
const maxFailuresInRow = 3
/** The import ends at a rate limit that lasts so long or longer, or that does not say how long. */
const maxWaitSeconds = 120

/** Whether the service failed at a request, or took too long: the cause may be what was sent. */
export const isFailure = (error: unknown): error is NetworkError | ApiError =>
  error instanceof NetworkError
    ? error.hasTimedOut
    : error instanceof ApiError && error.status >= 500 && error.status !== 503

/** How many milliseconds to wait before the next attempt; undefined if there is none. @param attempt number of earlier ones */
function findPauseMs(error: unknown, attempt: number): number | undefined {
  if (attempt >= (isFailure(error) ? maxFailedAttempts : maxAttempts) - 1) return undefined
  const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)]
  if (error instanceof NetworkError) return pauseMs
  if (!(error instanceof ApiError)) return undefined
  if (error.status >= 500) return pauseMs
  const { retryAfterSeconds = maxWaitSeconds } = error
  return error.status === 429 && retryAfterSeconds < maxWaitSeconds ? retryAfterSeconds * 1000 : undefined
}

/** Repeats the calls of an import, and decides when it gives up. */
export interface Attempts {
  /** Repeats a call, with pauses, until the service has answered it. @throws what the last attempt has thrown */
  callWithRetries: <Result>(call: () => Promise<Result>) => Promise<Result>
  /**
   * Counts a failed request. @returns whether the import goes on without what could not be sent; false if the service fails at everything,
   * or for an error of another kind
   */
  tolerateFailure: (error: unknown) => boolean
  /** the last failure that was tolerated */
  getLastFailure: () => Error | undefined
}

/**
 * @param signal ends the pauses; the calls that wait then throw its reason
 * @param onWaiting called with true before a pause, with false after a call succeeded
 */
export function createAttempts(signal: AbortSignal, onWaiting: (isWaiting: boolean) => void): Attempts {
  let failuresInRow = 0
  let lastFailure: Error | undefined
  return {
    async callWithRetries(call) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const result = await call()
          failuresInRow = 0
          onWaiting(false)
          return result
        } catch (error) {
          const pauseMs = findPauseMs(error, attempt)
          if (pauseMs === undefined) throw error
          onWaiting(true)
          await wait(pauseMs, signal)
        }
      }
    },
    tolerateFailure(error) {
      if (!isFailure(error)) return false
      failuresInRow += 1
      lastFailure = error
      return failuresInRow < maxFailuresInRow
    },
    getLastFailure: () => lastFailure,
  }
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    // the connection is back: try again at once
    addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
