import { act, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { SiteNotice } from './site-notice.tsx'

it('asks every few minutes while it is seen, and when somebody comes back, but not with each change of windows', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let isSeen = true
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isSeen ? 'visible' : 'hidden'))
  const answer = vi.fn<() => { notice: null; signUp: 'open'; replies: 'on' }>(() => ({
    notice: null,
    signUp: 'open',
    replies: 'on',
  }))
  fakeApi({ 'site.read': answer })
  render(<SiteNotice />)
  const expectCalls = (times: number) => vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(times))
  await expectCalls(1)
  await act(async () => vi.advanceTimersByTime(29_000))
  dispatchEvent(new Event('focus'))
  await act(async () => vi.advanceTimersByTime(2_000))
  expect(answer).toHaveBeenCalledTimes(1)
  dispatchEvent(new Event('focus'))
  await expectCalls(2)
  await act(async () => vi.advanceTimersByTime(180_000))
  await expectCalls(3)
  isSeen = false
  await act(async () => vi.advanceTimersByTime(360_000))
  expect(answer).toHaveBeenCalledTimes(3)
  isSeen = true
  document.dispatchEvent(new Event('visibilitychange'))
  await expectCalls(4)
})

it('asks every half minute while replies are stopped, and says nothing any more once they go on', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let replies: 'on' | 'off' = 'off'
  fakeApi({ 'site.read': () => ({ notice: null, signUp: 'open', replies }) })
  render(<SiteNotice />)
  await screen.findByText(/An administrator has stopped all replies/)
  replies = 'on'
  await act(async () => vi.advanceTimersByTime(30_000))
  await vi.waitFor(() => expect(screen.queryByText(/An administrator has stopped/)).toBeNull())
})
