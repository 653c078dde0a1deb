import { callApi } from '../../lib/call-api.ts'
import type { Hit, CorpusPart } from './search-index.ts'

/** Searches the user's own conversations: the corpus is loaded once, then only what has changed. */
export interface SearchService {
  /**
   * Loads what is new since the last time.
   * @throws what `callApi` throws
   */
  refresh: (signal: AbortSignal) => Promise<void>
  /** @returns undefined when a newer question was asked meanwhile */
  search: (query: string) => Promise<Hit[] | undefined>
  close: () => void
}

export interface SearchWorker {
  postMessage: (message: ToWorker) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<FromWorker>) => void) => void
  terminate: () => void
}

const partMs = 30_000
const startWorker = (): SearchWorker =>
  new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })

export function createSearchService(start: () => SearchWorker = startWorker): SearchService {
  const worker = start()
  let asOf: string | undefined
  let asked = 0
  const waiting = new Map<number, (hits: Hit[] | undefined) => void>()

  worker.addEventListener('message', ({ data: { number, hits } }) => {
    waiting.get(number)?.(number === asked ? hits : undefined)
    waiting.delete(number)
  })

  return {
    async refresh(signal) {
      let cursor: string | undefined
      let began: string | undefined
      do {
        const part = await callApi(
          'sessions.corpus',
          { query: { since: asOf, cursor } },
          { signal, timeoutMs: partMs },
        )
        signal.throwIfAborted()
        worker.postMessage({ type: 'take', part })
        // what changes while the parts are read belongs to the next time
        began ??= part.as_of
        cursor = part.next ?? undefined
      } while (cursor !== undefined)
      asOf = began
    },

    search(query) {
      asked += 1
      const number = asked
      return new Promise((resolve) => {
        waiting.set(number, resolve)
        worker.postMessage({ type: 'search', number, query })
      })
    },

    close() {
      worker.terminate()
      for (const resolve of waiting.values()) resolve(undefined)
      waiting.clear()
    },
  }
}

/** What the page and its search worker say to each other. */
export type ToWorker = { type: 'take'; part: CorpusPart } | { type: 'search'; number: number; query: string }
export interface FromWorker {
  /** of the question that this answers */
  number: number
  hits: Hit[]
}
