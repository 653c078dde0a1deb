import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { useConfig } from '../api/config.ts'

/** The user's links to shared conversations, newest first. */
export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: async ({ signal }) => (await callApi('shares.list', {}, { signal })).shares,
})

/** Whether conversations can be shared: the operator may turn it off. */
export const useCanShare = (): boolean => useConfig()?.sharing ?? true
