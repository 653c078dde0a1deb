import { createSearchIndex } from './search-index.ts'
import type { SearchResponse, SearchRequest } from './search-service.ts'

/** The index is in a worker, so that typing never waits for a search. */
const index = createSearchIndex()

addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => {
  if (data.type === 'ingest') return index.ingest(data.part)
  const { requestId, query, limit } = data
  postMessage({ requestId, results: index.search(query, limit) } satisfies SearchResponse)
})
