import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters } from '@tanstack/react-query'
import { ApiError, isRetryable } from '../api/api-errors.ts'

/** How long a response stays that no component shows: a page that is opened again soon shows it at once. */
const unusedCacheMs = 5 * 60 * 1000
/** With the delays below, a query whose requests fail at once has failed after seven seconds: nobody waits longer for a message. */
const maxRetries = 3

/**
 * Whether a failed query is retried: up to three times, but not after permanent errors and rate limits.
 * @param failures number of earlier failures
 */
function shouldRetry(failures: number, error: Error): boolean {
  // retrying a rate limit makes it worse
  const isLimited = error instanceof ApiError && error.status === 429
  return isRetryable(error) && !isLimited && failures < maxRetries
}

/** 1 s before the first retry, then 2 and 4 s. */
const retryDelayMs = (failures: number) => 1000 * 2 ** failures

/**
 * After a change, invalidated queries show only what was requested after it. The library starts a fetch again only if the query has data;
 * a first fetch would end with the state before the change.
 */
class UpToDateQueryClient extends QueryClient {
  override invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const firstFetches = this.getQueryCache()
      .findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    // silent: who waits for the first response gets that of the new request
    for (const query of firstFetches) void query.cancel({ silent: true })
    return super.invalidateQueries(filters, options)
  }
}

/** The cache of one user's API responses; it must never be shown to another user. */
export const createQueryClient = () =>
  new UpToDateQueryClient({
    defaultOptions: {
      // the API may run on this machine, where `offline` must not pause requests
      queries: { networkMode: 'always', gcTime: unusedCacheMs, retry: shouldRetry, retryDelay: retryDelayMs },
      mutations: { networkMode: 'always' },
    },
  })
