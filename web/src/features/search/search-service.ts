import { callApi } from '../../lib/api/call-api.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import type { SearchIndexPart, SearchResults } from './search-index.ts'

/** Searches the conversations of the user. The index is loaded once, then updated. */
export interface SearchService {
  /**
   * Loads changes since the last call. After a failure of the worker it starts another one, and loads everything.
   * @throws what `callApi` throws, and an error if the worker does not run
   */
  refresh: (signal: AbortSignal) => Promise<void>
  /**
   * @param limit how many conversations are returned at most
   * @returns undefined when there is a newer query, or the service was closed
   * @throws if the worker does not run
   */
  search: (query: string, limit: number) => Promise<SearchResults | undefined>
  /** Ends the worker. */
  close: () => void
}

/** The part of a `Worker` that the service uses. */
export interface SearchWorker {
  postMessage: (message: SearchRequest) => void
  addEventListener: ((type: 'message', listener: (event: MessageEvent<SearchResponse>) => void) => void) &
    ((type: 'error', listener: () => void) => void)
  terminate: () => void
}

/** Long, because a part may have many messages. */
const partTimeoutMs = 30_000

const startWorker = (): SearchWorker =>
  new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })

/** Starts the worker, and searches in it. Only the newest request gets its results. @param start starts a worker */
export function createSearchService(start: () => SearchWorker = startWorker): SearchService {
  let loadedAt: string | undefined
  let lastRequestId = 0
  let hasFailed = false
  const pendingRequests = new Map<number, PromiseWithResolvers<SearchResults | undefined>>()

  const connect = () => {
    const worker = start()
    worker.addEventListener('message', ({ data: { requestId, results } }) => {
      pendingRequests.get(requestId)?.resolve(requestId === lastRequestId ? results : undefined)
      pendingRequests.delete(requestId)
    })
    // its script did not load, because the browser was offline or a newer version has been deployed, or it has thrown
    worker.addEventListener('error', () => {
      hasFailed = true
      for (const { reject } of pendingRequests.values()) reject(createFailure())
      pendingRequests.clear()
    })
    return worker
  }
  let worker = connect()

  return {
    async refresh(signal) {
      if (hasFailed) {
        worker.terminate()
        hasFailed = false
        loadedAt = undefined
        worker = connect()
      }
      let loadStartedAt: string | undefined
      for await (const { asOf, part } of loadParts(loadedAt, signal)) {
        worker.postMessage({ type: 'ingest', part })
        // changes during the load belong to the next one
        loadStartedAt ??= asOf
      }
      if (hasFailed) throw createFailure()
      loadedAt = loadStartedAt
    },

    async search(query, limit) {
      if (hasFailed) throw createFailure()
      lastRequestId += 1
      const requestId = lastRequestId
      const request = Promise.withResolvers<SearchResults | undefined>()
      pendingRequests.set(requestId, request)
      worker.postMessage({ type: 'search', requestId, query, limit })
      return request.promise
    },

    close() {
      worker.terminate()
      for (const { resolve } of pendingRequests.values()) resolve(undefined)
      pendingRequests.clear()
    },
  }
}

/** Loads what has changed since a time, or everything. @param since the `asOf` of an earlier load */
async function* loadParts(
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ asOf: string; part: SearchIndexPart }> {
  let cursor: string | undefined
  do {
    const {
      as_of: asOf,
      next,
      ...part
    } = await callApi('sessions.corpus', { query: { since, cursor } }, { signal, timeoutMs: partTimeoutMs })
    signal.throwIfAborted()
    const sessions =
      part.sessions?.map((one) => ({ ...one, title: formatConversationTitle(one.title) })) ?? null
    yield { asOf, part: { ...part, sessions } }
    cursor = next ?? undefined
  } while (cursor !== undefined)
}

const createFailure = () => new Error('the search worker does not run')

/** What the page asks of the search worker. */
export type SearchRequest =
  | { type: 'ingest'; part: SearchIndexPart }
  | { type: 'search'; requestId: number; query: string; limit: number }

/** What the worker responds to a search. */
export interface SearchResponse {
  /** the id of the request */
  requestId: number
  results: SearchResults
}
