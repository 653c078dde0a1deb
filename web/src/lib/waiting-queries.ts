import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { callApi } from './call-api.ts'

export const waitingPath = '/waiting'

/**
 * How often a visible page asks again while something may begin or cease to wait without it. Focus and replies ask at once; notifications
 * tell sooner. Each request costs, in every page that is open.
 */
const refetchMs = 300_000

/** What waits for the user in all conversations. The list and every count are this one answer. */
export const waitingQuery = queryOptions({
  queryKey: ['waiting'],
  // without its signal: a newer request makes this one superfluous, not a failure
  queryFn: () => callApi('waiting.list', {}),
  refetchInterval: ({ state: { data } }) =>
    data && (data.total > 0 || data.is_scheduled) ? refetchMs : false,
})

/** Asks again what waits. Does nothing while nobody shows it. */
export const refreshWaiting = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: waitingQuery.queryKey })

/** Takes a call that no longer waits out of the list, and asks what waits now. */
export async function removeWaiting(
  queryClient: QueryClient,
  { run_id: runId, request: { call_id: callId } }: WaitingCall,
): Promise<void> {
  // an older response must not bring it back
  await queryClient.cancelQueries({ queryKey: waitingQuery.queryKey })
  queryClient.setQueryData(waitingQuery.queryKey, (list) => {
    if (!list) return list
    const waiting = list.waiting.filter((one) => one.run_id !== runId || one.request.call_id !== callId)
    return { ...list, waiting, total: list.total - (list.waiting.length - waiting.length) }
  })
  void refreshWaiting(queryClient)
}
