import { afterEach, expect, it, vi } from 'vitest'
import { newConversationIds, aRun, openSharedStores } from '../../../test/support/conversations.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import { ReplyLog, type LogPart } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'
import { StopRequested, superviseRun } from './supervise-run.ts'

const stores = await openSharedStores()
afterEach(() => {
  vi.useRealTimers()
})

const takeOver = (run: Run) =>
  stores.runs.claim(aRun({ sub: run.sub, sessionId: run.sessionId, turn: 2 }), run)
const requestStop = (run: Run) => stores.runs.requestStop(run, Date.now())

it.each([
  ['another run has taken its place', takeOver, RunOwnershipLost],
  ['it was asked to stop', requestStop, StopRequested],
])('a writer learns within a second, before its next heartbeat, that %s', async (_, change, reason) => {
  const now = Date.now()
  // a clock that stands still, so that no heartbeat is due
  vi.useFakeTimers({ toFake: ['Date'], now })
  const run = await stores.runs.claim(aRun(newConversationIds()), undefined)
  const { signal, stop } = superviseRun(stores, { run, events: new ReplyLog(), log: logger })
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  await change(run)
  vi.setSystemTime(now + 1_000)
  await aborted
  expect(signal.reason).toBeInstanceOf(reason)
  await stop()
})

it('a checkpoint whose response was lost is repeated as it was: a follower may have read it', async () => {
  const run = await stores.runs.claim(aRun(newConversationIds()), undefined)
  const events = new ReplyLog()
  const say = (delta: string) => events.push({ type: 'text-delta', id: 'text-0', delta })
  const written: string[] = []
  const logs = {
    ...stores.logs,
    append: async (owner: Run, parts: readonly LogPart[]) => {
      written.push(parts.map((part) => ('text' in part ? part.text : '')).join(''))
      await stores.logs.append(owner, parts)
      if (written.length > 1) return
      say('two ')
      throw new Error('the response was lost')
    },
  }
  const supervision = superviseRun({ ...stores, logs } as typeof stores, { run, events, log: logger })
  say('One ')
  await supervision.checkpoint()
  say('three')
  await supervision.checkpoint()
  await supervision.stop()
  expect(written.slice(0, 3)).toEqual(['One ', 'One ', 'two '])
  const parts = await stores.logs.read(run, 0)
  expect(parts.map((part) => ('text' in part ? part.text : ''))).toEqual(['One ', 'two ', 'three'])
})
