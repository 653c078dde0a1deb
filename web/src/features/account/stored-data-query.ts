import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/api/call-api.ts'

/** The service reads through all of a user's data to count it. */
const timeoutMs = 30_000

/** Counts of the user's stored data, always fetched fresh. */
export const storedDataQuery = queryOptions({
  queryKey: ['stored-data'],
  queryFn: ({ signal }) => callApi('account.storedData', {}, { signal, timeoutMs }),
  gcTime: 0,
})
