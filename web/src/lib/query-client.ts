import { QueryClient } from '@tanstack/react-query'
import { ApiError, isRetryable } from './api-errors.ts'

/** LIB-13 */
const keepUnusedMs = 5 * 60 * 1000
/** LIB-14 */
const retries = 3
const longestDelayMs = 30_000

/**
 * Whether a failed read is tried again (LIB-14): what the caller got wrong (4xx), a missing session and a
 * faulty configuration are not, everything else three times.
 * @param failures how often it failed before
 */
export function shouldRetry(failures: number, error: Error): boolean {
  // too many calls are not answered by more of them
  const isLimited = error instanceof ApiError && error.status === 429
  return isRetryable(error) && !isLimited && failures < retries
}

/** LIB-14: 1 s, doubled each time, 30 s at most. */
export function retryDelayMs(failures: number): number {
  return Math.min(1000 * 2 ** failures, longestDelayMs)
}

/** A cache of what the API answers to one user; nobody else may be shown it (DEC-031). */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // the API may be on this machine: `offline` must not pause what would be answered
      queries: { networkMode: 'always', gcTime: keepUnusedMs, retry: shouldRetry, retryDelay: retryDelayMs },
      mutations: { networkMode: 'always' },
    },
  })
