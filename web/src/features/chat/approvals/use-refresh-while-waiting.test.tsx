import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render as renderBare } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { conversationsQuery } from '../../../lib/conversations/conversation-list.ts'
import type { Conversation } from '../state/conversation.ts'
import { useRefreshWhileWaiting } from './use-refresh-while-waiting.ts'

const refresh = vi.fn<Conversation['refresh']>()
let visibility: DocumentVisibilityState = 'visible'
beforeEach(() => {
  vi.useFakeTimers()
  refresh.mockReset()
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function WaitingReply({ isTemporary = false }: { isTemporary?: boolean }) {
  useRefreshWhileWaiting({
    refresh,
    getState: () => ({ isTemporary }) as ReturnType<Conversation['getState']>,
  })
  return null
}
const { queryKey } = conversationsQuery('active')
const render = (element: ReactElement, client = new QueryClient()) =>
  renderBare(<QueryClientProvider client={client}>{element}</QueryClientProvider>)
const setVisibility = (value: DocumentVisibilityState) => {
  visibility = value
  document.dispatchEvent(new Event('visibilitychange'))
}
/** @returns how often the conversation is refreshed within a time */
const countRefreshes = async (ms: number) => {
  refresh.mockClear()
  await vi.advanceTimersByTimeAsync(ms)
  return refresh.mock.calls.length
}
const minuteMs = 60_000

it('refreshes every few seconds, and less often on a page that stays open', async () => {
  const { unmount } = render(<WaitingReply />)
  expect(await countRefreshes(2_999)).toBe(0)
  expect(await countRefreshes(1)).toBe(1)
  expect(await countRefreshes(27_000)).toBe(9)
  await vi.advanceTimersByTimeAsync(15 * minuteMs)
  expect(await countRefreshes(5 * minuteMs)).toBe(10)
  setVisibility('visible')
  expect(await countRefreshes(30_000)).toBe(10)
  unmount()
  expect(await countRefreshes(minuteMs)).toBe(0)
})

it('does not refresh a hidden page, and refreshes at once when it is shown again', async () => {
  render(<WaitingReply />)
  setVisibility('hidden')
  expect(await countRefreshes(10 * minuteMs)).toBe(0)
  setVisibility('visible')
  expect(refresh).toHaveBeenCalledOnce()
})

it('does not refresh while offline, and not in a temporary chat', async () => {
  const { unmount } = render(<WaitingReply isTemporary />)
  expect(await countRefreshes(minuteMs)).toBe(0)
  unmount()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(<WaitingReply />)
  expect(await countRefreshes(minuteMs)).toBe(0)
})

it('asks for the lists again when nothing waits any more: it may have been decided elsewhere', () => {
  const client = new QueryClient()
  client.setQueryData(queryKey, { sessions: [], total: 0 })
  const isAskedAgain = () => client.getQueryState(queryKey)?.isInvalidated
  const { unmount } = render(<WaitingReply />, client)
  expect(isAskedAgain()).toBe(false)
  unmount()
  expect(isAskedAgain()).toBe(true)
})
