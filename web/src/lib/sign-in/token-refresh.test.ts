import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTokenRefresh } from './token-refresh.ts'

const session = vi.hoisted(() => ({
  getTokenRemainingMs: vi.fn<() => Promise<number | undefined>>(),
  refreshTokens: vi.fn<() => Promise<boolean>>(),
}))
vi.mock('../api/auth-tokens.ts', () => session)

let stop: () => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers()
  session.getTokenRemainingMs.mockReset().mockResolvedValue(900_000)
  session.refreshTokens.mockReset().mockResolvedValue(true)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

it.each([
  [4 * 30_000, false],
  [4 * 30_000 - 1, true],
  [3 * 30_000, true],
  [0, true],
  [-5, true],
])('LIB-02 a refresh is due %i ms before the token expires: %s', async (remainingMs, isDue) => {
  session.getTokenRemainingMs.mockResolvedValue(remainingMs)
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(0)
  expect(session.refreshTokens).toHaveBeenCalledTimes(isDue ? 1 : 0)
})

it('LIB-03 backs off from 200 ms, doubled each time, within the 30 s to the next check', async () => {
  session.getTokenRemainingMs.mockResolvedValue(60_000)
  const startedAt = Date.now()
  const times: number[] = []
  session.refreshTokens.mockImplementation(async () => {
    times.push(Date.now() - startedAt)
    return false
  })
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(29_999)
  expect(times).toEqual([0, 200, 600, 1_400, 3_000, 6_200, 12_600, 25_400])
})

it('LIB-01 checks every 30 s and does not refresh a valid token', async () => {
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(0)
  expect(session.getTokenRemainingMs).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(session.getTokenRemainingMs).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(session.getTokenRemainingMs).toHaveBeenCalledTimes(2)
  expect(session.refreshTokens).not.toHaveBeenCalled()
})

it('LIB-03 retries until it gets a response', async () => {
  session.getTokenRemainingMs.mockResolvedValue(60_000)
  session.refreshTokens.mockResolvedValueOnce(false).mockResolvedValueOnce(false)
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(199)
  expect(session.refreshTokens).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1 + 400 + 10_000)
  expect(session.refreshTokens).toHaveBeenCalledTimes(3)
})

it('removes its listener after each delay', async () => {
  const [added, removed] = [
    vi.spyOn(AbortSignal.prototype, 'addEventListener'),
    vi.spyOn(AbortSignal.prototype, 'removeEventListener'),
  ]
  session.getTokenRemainingMs.mockResolvedValue(60_000)
  session.refreshTokens.mockResolvedValueOnce(false).mockResolvedValueOnce(false)
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(200 + 400)
  expect(added).toHaveBeenCalledTimes(2)
  expect(removed).toHaveBeenCalledTimes(2)
})

it('a delay ends when it is stopped', async () => {
  session.getTokenRemainingMs.mockResolvedValue(60_000)
  session.refreshTokens.mockResolvedValue(false)
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(199)
  stop()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
  expect(session.refreshTokens).toHaveBeenCalledTimes(1)
})

it('does nothing when signed out or after it was stopped', async () => {
  session.getTokenRemainingMs.mockResolvedValue(undefined)
  stop = startTokenRefresh()
  await vi.advanceTimersByTimeAsync(0)
  stop()
  session.getTokenRemainingMs.mockResolvedValue(0)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(session.refreshTokens).not.toHaveBeenCalled()
})
