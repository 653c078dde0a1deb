import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'
import { useConfig } from './config.ts'

/** The links to shared conversations of whoever is signed in, newest first. */
export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: async ({ signal }) => (await callApi('shares.list', {}, { signal })).shares,
})

/** Whether links can be made here: the operator may have switched sharing off. */
export const useSharing = (): boolean => useConfig()?.sharing ?? true
