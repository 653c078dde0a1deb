import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heartbeatEveryMs } from '../runs/liveness.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { limitReply, ReplyCut } from './reply-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function limit(remainingMs: number, isUserDisabledOrErased: () => Promise<boolean> = async () => false) {
  const warn = vi.fn<Logger['warn']>()
  const log = { warn } as unknown as Logger
  return { ...limitReply({ remainingMs: () => remainingMs, isUserDisabledOrErased, log }), warn }
}

it('a reply ends ten seconds before its function, and at once if less is left', async () => {
  const early = limit(300_000)
  await vi.advanceTimersByTimeAsync(289_999)
  expect(early.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(early.signal.reason).toBeInstanceOf(ReplyCut)
  early.dispose()
  const late = limit(5_000)
  await vi.advanceTimersByTimeAsync(1)
  expect(late.signal.aborted).toBe(true)
  late.dispose()
})

it('a reply ends after its user was disabled, although an earlier check failed', async () => {
  const error = new Error('the table is down')
  const check = vi.fn<() => Promise<boolean>>(async () => true)
  check.mockRejectedValueOnce(error).mockResolvedValueOnce(false)
  const limited = limit(300_000, check)
  await vi.advanceTimersByTimeAsync(2 * heartbeatEveryMs)
  expect(limited.signal.aborted).toBe(false)
  expect(limited.warn.mock.calls).toEqual([[expect.any(String), { error }]])
  await vi.advanceTimersByTimeAsync(heartbeatEveryMs)
  expect(limited.signal.reason).toBeInstanceOf(ReplyCut)
  limited.dispose()
})

it('the checks stop when the reply has ended', () => {
  limit(300_000).dispose()
  expect(vi.getTimerCount()).toBe(0)
})
