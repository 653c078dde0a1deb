import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { callApi } from './call-api.ts'
import { refreshWaiting } from './waiting.ts'

export const schedulesPath = '/scheduled'
export const newSchedulePath = `${schedulesPath}/new`
export const schedulePath = (id: string): string => `${schedulesPath}/${encodeURIComponent(id)}`

/** How often the list is read again: while a run is under way, and otherwise, because the next one begins by itself. */
const refetchMs = { running: 2_000, idle: 60_000 }

/** The user's schedules, in the order in which they were made. */
export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: async ({ signal }) => sort((await callApi('schedules.list', {}, { signal })).schedules),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ running_since }) => running_since !== undefined) ? refetchMs.running : refetchMs.idle,
})

const sort = (schedules: readonly Schedule[]): Schedule[] =>
  schedules.toSorted((a, b) => a.created_at.localeCompare(b.created_at))

async function updateList(
  queryClient: QueryClient,
  change: (known: readonly Schedule[]) => readonly Schedule[],
): Promise<void> {
  // an older response must not undo the change
  await queryClient.cancelQueries({ queryKey: schedulesQuery.queryKey })
  queryClient.setQueryData(schedulesQuery.queryKey, (known) => known && sort(change(known)))
  void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
  // whether something may begin to wait by itself, so that the count is asked for again
  void refreshWaiting(queryClient)
}

/** Shows a schedule as the service has answered. */
export const showSchedule = (queryClient: QueryClient, schedule: Schedule): Promise<void> =>
  updateList(queryClient, (known) => [...known.filter(({ id }) => id !== schedule.id), schedule])

/** Takes a schedule that was deleted out of the list. */
export const removeSchedule = (queryClient: QueryClient, id: string): Promise<void> =>
  updateList(queryClient, (known) => known.filter((one) => one.id !== id))
