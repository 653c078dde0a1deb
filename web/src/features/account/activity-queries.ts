import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/api/call-api.ts'

/** The tool calls, newest first, page by page. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ['ledger'],
  queryFn: ({ pageParam, signal }) => callApi('tools.ledger', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  // not cached: each reply may add calls, and a list of many pages would be loaded again page by page
  gcTime: 0,
})

/** The tools that run without approval. */
export const allowedToolsQuery = queryOptions({
  queryKey: ['allowed-tools'],
  queryFn: async ({ signal }) => (await callApi('tools.allowed', {}, { signal })).tools,
})
