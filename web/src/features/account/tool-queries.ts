import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/call-api.ts'

/** What the assistant did, newest first, page by page. */
export const ledgerQuery = infiniteQueryOptions({
  queryKey: ['ledger'],
  queryFn: ({ pageParam, signal }) => callApi('tools.ledger', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  gcTime: 0,
})

/** The tools that need no approval any more. */
export const allowedQuery = queryOptions({
  queryKey: ['allowed-tools'],
  queryFn: async ({ signal }) => (await callApi('tools.allowed', {}, { signal })).tools,
})
