import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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

function Waiting({ isSaved }: { isSaved: boolean }) {
  useRefreshWhileWaiting({ refresh, getState: () => ({ isSaved }) as ReturnType<Conversation['getState']> })
  return null
}
const setVisibility = (value: DocumentVisibilityState) => {
  visibility = value
  document.dispatchEvent(new Event('visibilitychange'))
}
/** Reloads within a time, in ms. */
const countWithin = (ms: number) => {
  refresh.mockClear()
  vi.advanceTimersByTime(ms)
  return refresh.mock.calls.length
}
const minute = 60_000

it('a page that waits looks every few seconds, and seldom when it stands open', () => {
  const { unmount } = render(<Waiting isSaved />)
  expect(countWithin(2_999)).toBe(0)
  expect(countWithin(1)).toBe(1)
  expect(countWithin(27_000)).toBe(9)
  vi.advanceTimersByTime(15 * minute)
  expect(countWithin(5 * minute)).toBe(10)
  setVisibility('visible')
  expect(countWithin(30_000)).toBe(10)
  unmount()
  expect(countWithin(minute)).toBe(0)
})

it('a hidden page looks when it is shown again, at once', () => {
  render(<Waiting isSaved />)
  setVisibility('hidden')
  expect(countWithin(10 * minute)).toBe(0)
  setVisibility('visible')
  expect(refresh).toHaveBeenCalledOnce()
})

it('a page without network, and a temporary chat, do not look', () => {
  const { unmount } = render(<Waiting isSaved={false} />)
  expect(countWithin(minute)).toBe(0)
  unmount()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  render(<Waiting isSaved />)
  expect(countWithin(minute)).toBe(0)
})
