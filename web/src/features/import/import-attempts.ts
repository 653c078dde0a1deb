import { ApiError, NetworkError } from '../../lib/api-errors.ts'

/** Pauses between attempts, the last one repeated. */
const pausesMs = [1_000, 2_000, 5_000, 10_000, 30_000]
/** A service that is busy or out of reach is asked for about five minutes. */
const maxAttempts = 14
/** One that fails at a request will probably fail again. */
const maxFailedAttempts = 4
/** So many requests that fail one after the other are the service's fault, and not that of what they send. */
const maxFailuresInRow = 3
/** A limit that ends later ends the import. */
const maxWaitSeconds = 120

/** Whether the service failed at a request, or took too long: the cause may be what was sent. */
export const isFailure = (error: unknown): boolean =>
  error instanceof NetworkError
    ? error.timedOut
    : error instanceof ApiError && error.status >= 500 && error.status !== 503

/** How long to wait before the next attempt; undefined if there is none. @param attempt number of earlier ones */
function findPause(error: unknown, attempt: number): number | undefined {
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
  /** Repeats a call until the service has answered it. @throws what the last attempt has thrown */
  persist: <Result>(call: () => Promise<Result>) => Promise<Result>
  /** Whether the import goes on without the one thing that could not be sent. Not if the service fails at everything. */
  isPassable: (error: unknown) => boolean
  /** the failure without which the import has gone on last */
  getLastFailure: () => unknown
}

/** @param onWaiting called with whether the service has not taken the last request */
export function createAttempts(signal: AbortSignal, onWaiting: (isWaiting: boolean) => void): Attempts {
  let failuresInRow = 0
  let lastFailure: unknown
  return {
    async persist(call) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const result = await call()
          failuresInRow = 0
          onWaiting(false)
          return result
        } catch (error) {
          const pauseMs = findPause(error, attempt)
          if (pauseMs === undefined) throw error
          onWaiting(true)
          await wait(pauseMs, signal)
        }
      }
    },
    isPassable(error) {
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
    // no need to wait any longer
    addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
