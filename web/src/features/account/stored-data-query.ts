import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/call-api.ts'

/** Counts of the user's stored data, always fetched fresh. */
export const storedDataQuery = queryOptions({
  queryKey: ['held'],
  queryFn: ({ signal }) => callApi('account.storedData', {}, { signal, timeoutMs: 30_000 }),
  gcTime: 0,
})
