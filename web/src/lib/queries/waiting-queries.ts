import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { callApi } from '../api/call-api.ts'
import { updateCached } from './update-cached.ts'

/**
 * How often a visible page fetches the list while a call may begin or cease to wait without it. It is seldom, because every open page does
 * so: the focus and the end of a reply fetch at once, and notifications are sooner.
 */
const refetchMs = 300_000

/** The tool calls that wait for the user in all conversations. The list and every count use this one response. */
export const waitingQuery = queryOptions({
  queryKey: ['waiting'],
  // without the signal: a request that a newer one replaces must not count as a failure
  queryFn: () => callApi('waiting.list', {}),
  refetchInterval: ({ state: { data } }) =>
    data && (data.total > 0 || data.is_scheduled) ? refetchMs : false,
})

/** Asks again what waits: now if it is shown, else when it is shown next. */
export const refreshWaiting = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: waitingQuery.queryKey })

/** Takes a call that no longer waits out of the list, and asks what waits now. */
export const removeWaiting = (
  queryClient: QueryClient,
  { run_id: runId, request: { call_id: callId } }: WaitingCall,
): Promise<void> =>
  updateCached(queryClient, waitingQuery, (list) => {
    const waiting = list.waiting.filter((one) => one.run_id !== runId || one.request.call_id !== callId)
    return { ...list, waiting, total: list.total - (list.waiting.length - waiting.length) }
  })
