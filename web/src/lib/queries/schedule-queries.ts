import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { callApi } from '../api/call-api.ts'
import { updateCached } from './update-cached.ts'
import { refreshWaiting } from './waiting-queries.ts'

/** How often the list is refetched while a run is under way, and otherwise, because the next run begins without the page. */
const refetchMs = { running: 2_000, idle: 60_000 }

/** The user's schedules, the oldest first. */
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
  await updateCached(queryClient, schedulesQuery, (known) => sort(change(known)))
  // its response says whether there are schedules (`is_scheduled`), and so whether the count of waiting calls has to be polled
  void refreshWaiting(queryClient)
}

/** Puts a schedule into the cached list, as the service has returned it. */
export const showSchedule = (queryClient: QueryClient, schedule: Schedule): Promise<void> =>
  updateList(queryClient, (known) => [...known.filter(({ id }) => id !== schedule.id), schedule])

/** Removes a deleted schedule from the cached list. */
export const removeSchedule = (queryClient: QueryClient, id: string): Promise<void> =>
  updateList(queryClient, (known) => known.filter((one) => one.id !== id))
