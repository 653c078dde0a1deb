import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { WaitingList } from '#shared/contracts/waiting.ts'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { removeSchedule, showSchedule } from './schedule-queries.ts'
import { waitingQuery } from './waiting-queries.ts'

const schedule = { id: 's1', created_at: '2026-11-28T08:00:00.000Z' } as Schedule

const queryClient = new QueryClient()
afterEach(() => queryClient.clear())

it.each([
  ['was created or resumed', () => showSchedule(queryClient, schedule)],
  ['was deleted', () => removeSchedule(queryClient, 's1')],
])('what waits is asked for again when a schedule %s: its runs may begin to wait', async (_, change) => {
  const queryFn = vi.fn<() => Promise<WaitingList>>(async () => ({
    waiting: [],
    total: 0,
    is_scheduled: false,
  }))
  const observer = new QueryObserver(queryClient, { ...waitingQuery, queryFn })
  const unsubscribe = observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
  await change()
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
  unsubscribe()
})
