import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildRunInput } from '../../test/support/reply-input.ts'
import { replyingModel } from '../../test/support/turns.ts'
import { RunOwnershipLost } from '../conversations/store/errors.ts'
import { heartbeatEveryMs } from '../conversations/store/liveness.ts'
import { StopRequested } from '../conversations/turns/supervise-run.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
// loaded beside the module that is tested, which may outlive these tests
import './generate-reply.ts'
import { generateToEnd, limitReply, ReplyCut } from './generate-to-end.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function limit(remainingMs: number, isUserDisabledOrErased: () => Promise<boolean> = async () => false) {
  const warn = vi.fn<Logger['warn']>()
  const log = { warn } as unknown as Logger
  return { ...limitReply({ remainingMs: () => remainingMs, isUserDisabledOrErased, log }), warn }
}

it('a reply ends ten seconds before its function, and at once if less is left', async () => {
  const longReply = limit(300_000)
  await vi.advanceTimersByTimeAsync(289_999)
  expect(longReply.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(longReply.signal.reason).toBeInstanceOf(ReplyCut)
  longReply.dispose()
  const shortReply = limit(5_000)
  await vi.advanceTimersByTimeAsync(1)
  expect(shortReply.signal.aborted).toBe(true)
  shortReply.dispose()
})

it('a reply ends after its user was disabled, although an earlier check failed', async () => {
  const error = new Error('the table is down')
  const check = vi.fn<() => Promise<boolean>>(async () => true)
  check.mockRejectedValueOnce(error).mockResolvedValueOnce(false)
  const reply = limit(300_000, check)
  await vi.advanceTimersByTimeAsync(2 * heartbeatEveryMs)
  expect(reply.signal.aborted).toBe(false)
  expect(reply.warn.mock.calls).toEqual([[expect.any(String), { error }]])
  await vi.advanceTimersByTimeAsync(heartbeatEveryMs)
  expect(reply.signal.reason).toBeInstanceOf(ReplyCut)
  reply.dispose()
})

it('the checks stop when the reply has ended', () => {
  limit(300_000).dispose()
  expect(vi.getTimerCount()).toBe(0)
})

it.each<[string, AbortSignal, object]>([
  ['a stop', AbortSignal.abort(new StopRequested('stop')), { status: 'stopped' }],
  ['a lost run', AbortSignal.abort(new RunOwnershipLost('lost')), { status: 'lost' }],
])('%s ends a reply whose prompt still waits for documents, and its wait', async (_, signal, end) => {
  const endWaits = vi.fn<() => void>()
  const reply = buildRunInput(replyingModel('Hi'), { prompt: new Promise(() => undefined), endWaits })
  expect(await generateToEnd({ wasDisabled: async () => false }, reply, signal)).toMatchObject(end)
  expect(endWaits).toHaveBeenCalledOnce()
})
