import { afterEach, expect, it, vi } from 'vitest'
import { aConversation, aRun, openSharedStores } from '../../test/support/conversations.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { RunLost } from './errors.ts'
import { ReplyLog } from './reply-log.ts'
import { superviseRun } from './supervise-run.ts'

const stores = await openSharedStores()
afterEach(() => {
  vi.useRealTimers()
})

it('a writer sees within a second that another run has taken its place, before its next heartbeat', async () => {
  const now = Date.now()
  // a clock that stands still, so that no heartbeat is due
  vi.useFakeTimers({ toFake: ['Date'], now })
  const conversation = aConversation()
  const run = await stores.runs.claim(aRun(conversation), undefined)
  const { signal, stop } = superviseRun(stores, { run, events: new ReplyLog(), log: logger })
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  await stores.runs.claim(aRun({ ...conversation, turn: 2 }), run)
  vi.setSystemTime(now + 1_000)
  await aborted
  expect(signal.reason).toBeInstanceOf(RunLost)
  await stop()
})
