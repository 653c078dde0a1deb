import { QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { createQueryClient } from '../lib/actions/query-client.ts'
import { Maintenance } from './maintenance.tsx'

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['not, while nothing is sent to the user', false, 0],
  ['at once and every 20 seconds, while something is', true, 3],
])('a page tells that it is open: %s', async (_, isNotified, tells) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const settings = { keep_conversations: true, store_uploads: true, theme: null }
  const api = fakeApi({
    'integrations.cleanup': () => ({ success: true, deleted: [] }),
    'integrations.list': () => ({ integrations: [] }),
    'waiting.list': () => ({ waiting: [], total: 0, is_scheduled: false }),
    'push.pageOpen': () => ({ success: true }),
    'account.read': () => ({
      profile: { display_name: 'Ann', avatar_id: null },
      settings,
      ...(isNotified && { is_notified: true }),
    }),
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Maintenance user={{ sub: 'ann', email: 'ann@example.com', fullName: 'Ann' }} />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(api.requestsTo('account.read')).toHaveLength(1))
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  await act(async () => vi.advanceTimersByTime(40_000))
  await vi.waitFor(() => expect(api.requestsTo('push.pageOpen')).toHaveLength(tells))
  // also when it is left: what has ended until now was seen
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
  hidden.mockRestore()
  await vi.waitFor(() => expect(api.requestsTo('push.pageOpen')).toHaveLength(tells && tells + 1))
})
