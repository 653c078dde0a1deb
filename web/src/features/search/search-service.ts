import { callApi } from '../../lib/call-api.ts'
import type { Hit, SearchIndexPart } from './search-index.ts'

/** Searches the conversations of the user. The index is loaded once, then updated. */
export interface SearchService {
  /**
   * Loads changes since the last call.
   * @throws what `callApi` throws
   */
  refresh: (signal: AbortSignal) => Promise<void>
  /** @returns undefined when there is a newer query */
  search: (query: string) => Promise<Hit[] | undefined>
  close: () => void
}

export interface SearchWorker {
  postMessage: (message: SearchRequest) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<SearchResponse>) => void) => void
  terminate: () => void
}

const partTimeoutMs = 30_000
const startWorker = (): SearchWorker =>
  new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })

export function createSearchService(start: () => SearchWorker = startWorker): SearchService {
  const worker = start()
  let loadedAt: string | undefined
  let lastRequestId = 0
  const pendingRequests = new Map<number, (hits: Hit[] | undefined) => void>()

  worker.addEventListener('message', ({ data: { requestId, hits } }) => {
    pendingRequests.get(requestId)?.(requestId === lastRequestId ? hits : undefined)
    pendingRequests.delete(requestId)
  })

  return {
    async refresh(signal) {
      let cursor: string | undefined
      let loadStartedAt: string | undefined
      do {
        const part = await callApi(
          'sessions.corpus',
          { query: { since: loadedAt, cursor } },
          { signal, timeoutMs: partTimeoutMs },
        )
        signal.throwIfAborted()
        worker.postMessage({ type: 'take', part })
        // changes during the load belong to the next one
        loadStartedAt ??= part.as_of
        cursor = part.next ?? undefined
      } while (cursor !== undefined)
      loadedAt = loadStartedAt
    },

    search(query) {
      lastRequestId += 1
      const requestId = lastRequestId
      return new Promise((resolve) => {
        pendingRequests.set(requestId, resolve)
        worker.postMessage({ type: 'search', requestId, query })
      })
    },

    close() {
      worker.terminate()
      for (const resolve of pendingRequests.values()) resolve(undefined)
      pendingRequests.clear()
    },
  }
}

/** Messages between the page and the search worker. */
export type SearchRequest =
  | { type: 'take'; part: SearchIndexPart }
  | { type: 'search'; requestId: number; query: string }
export interface SearchResponse {
  /** the id of the request */
  requestId: number
  hits: Hit[]
}
