import { useEffect, useState } from 'react'
import type { SearchResults } from './search-index.ts'
import type { SearchService } from './search-service.ts'

/** How many conversations are listed at first, and with each request for more: about three times what the dialog shows at once. */
const hitsAtOnce = 30

/** The newest results. They stay until those of the next search are there. */
export interface ShownResults extends SearchResults {
  query: string
  /** whether all conversations were loaded before the search */
  isComplete: boolean
  /** whether more of them were requested */
  isExtended: boolean
}

/**
 * Loads the conversations, and searches them for the query. Nothing is set after the dialog has closed.
 * @param getService must be stable
 * @returns `results`: of the query, or of an earlier one until they are there; `showMore`: searches for more of them
 */
export function useSearch(query: string, getService: () => SearchService) {
  const [loadStatus, setLoadStatus] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)
  const [results, setResults] = useState<ShownResults>({
    query: '',
    hits: [],
    total: 0,
    isComplete: false,
    isExtended: false,
  })
  const [limit, setLimit] = useState(hitsAtOnce)
  const [lastQuery, setLastQuery] = useState(query)
  if (query !== lastQuery) {
    setLastQuery(query)
    setLimit(hitsAtOnce)
  }

  useEffect(() => {
    const controller = new AbortController()
    getService()
      .refresh(controller.signal)
      .then(
        () => setLoadStatus('ready'),
        () => {
          if (!controller.signal.aborted) setLoadStatus('failed')
        },
      )
    return () => controller.abort()
  }, [getService, attempt])
  useEffect(() => {
    let isCurrent = true
    getService()
      .search(query, limit)
      .then(
        (found) => {
          if (isCurrent && found)
            setResults({
              query,
              ...found,
              isComplete: loadStatus === 'ready',
              isExtended: limit > hitsAtOnce,
            })
        },
        () => {
          if (isCurrent) setLoadStatus('failed')
        },
      )
    return () => {
      isCurrent = false
    }
    // again when `loadStatus` says that there are newer conversations
  }, [getService, query, limit, loadStatus])

  return {
    loadStatus,
    retryLoading: () => {
      setLoadStatus('loading')
      setAttempt(attempt + 1)
    },
    results,
    showMore: () => setLimit(limit + hitsAtOnce),
  }
}
