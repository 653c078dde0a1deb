import { expect, it } from 'vitest'
import {
  aPendingCall,
  aTranscript,
  newConversationIds,
  openSharedStores,
} from '../../test/support/conversations.ts'
import { turnRunner } from '../../test/support/turns.ts'
import { listWaiting } from './list-waiting.ts'
import type { PendingCall, Run } from './store/run.ts'

const stores = await openSharedStores()
const { startRun } = turnRunner(stores)
const hourMs = 3_600_000

const aCall = (changes: Partial<PendingCall> = {}) => aPendingCall({ askedAtMs: Date.now(), ...changes })

type Ids = ReturnType<typeof newConversationIds>
const list = (sub: string, nowMs = Date.now()) =>
  listWaiting({ ...stores, findIsScheduled: () => Promise.resolve(false) }, sub, nowMs)

/** A reply that waits. */
async function startWaiting(ids: Ids, calls: PendingCall[], schedule?: Run['schedule']) {
  const run = await startRun(ids, 'm1', 'Send it', schedule && { schedule })
  return stores.runs.startWaiting(run, calls, aTranscript())
}

it('what waits is listed with its conversation, newest first; another user has nothing', async () => {
  const ids = newConversationIds()
  const askedAtMs = Date.now()
  await startWaiting(ids, [aCall({ callId: 'c1', askedAtMs: askedAtMs - 60_000 })])
  const second = { ...newConversationIds(), sub: ids.sub }
  const calls = [
    aCall({ callId: 'c2', askedAtMs }),
    aCall({ callId: 'c3', askedAtMs, kind: 'reconnect' }),
    aCall({ callId: 'c4', askedAtMs, kind: 'task' }),
  ]
  const run = await startWaiting(second, calls, { id: 'monday', writes: [] })
  const { waiting, total, is_scheduled } = await list(ids.sub)
  expect(waiting).toMatchObject([
    {
      session_id: second.sessionId,
      run_id: run.runId,
      schedule_id: 'monday',
      request: {
        call_id: 'c2',
        lapses_at: new Date(askedAtMs + 72 * hourMs).toISOString(),
        decision: null,
      },
    },
    { session_id: second.sessionId, request: { call_id: 'c3', kind: 'reconnect' } },
    { session_id: ids.sessionId, title: 'Send it', request: { call_id: 'c1' } },
  ])
  expect(waiting[2]).not.toHaveProperty('schedule_id')
  expect({ total, is_scheduled }).toEqual({ total: 3, is_scheduled: false })
  expect((await list(newConversationIds().sub)).total).toBe(0)
})

it.each([
  ['a chat', undefined, 23, 1],
  ['a chat', undefined, 25, 0],
  ['a schedule', { id: 'monday', writes: [] }, 71, 1],
  ['a schedule', { id: 'monday', writes: [] }, 73, 0],
])('what %s asks is listed until it lapses', async (_, schedule, hours, count) => {
  const ids = newConversationIds()
  await startWaiting(ids, [aCall()], schedule)
  const { waiting, total } = await list(ids.sub, Date.now() + hours * hourMs)
  expect({ listed: waiting.length, total }).toEqual({ listed: count, total: count })
})

it('what is decided is not listed, nor a run that has gone on, was stopped or whose conversation is deleted', async () => {
  const ids = newConversationIds()
  const run = await startWaiting(ids, [aCall({ callId: 'c1' }), aCall({ callId: 'c2' })])
  await stores.runs.decide(run, 0, { decision: 'denied', decidedAtMs: Date.now() })
  expect((await list(ids.sub)).waiting).toMatchObject([{ request: { call_id: 'c2' } }])
  await stores.runs.resume(run, Date.now())
  expect((await list(ids.sub)).total).toBe(0)

  const stopped = { ...newConversationIds(), sub: ids.sub }
  const waiting = await startWaiting(stopped, [aCall()])
  expect((await list(ids.sub)).total).toBe(1)
  await stores.runs.end(waiting, 'stopped')
  expect((await list(ids.sub)).total).toBe(0)

  const deleted = { ...newConversationIds(), sub: ids.sub }
  await startWaiting(deleted, [aCall()])
  expect((await list(ids.sub)).total).toBe(1)
  await stores.conversations.markDeleted(ids.sub, deleted.sessionId, Date.now())
  expect((await list(ids.sub)).total).toBe(0)
})

it('a temporary chat is not listed', async () => {
  const ids = newConversationIds()
  const saved = await startRun(ids, 'm1', 'Send it')
  const temporary = { ...saved, runId: 'r2', isSaved: false, ttl: 4_000_000_000 }
  const run = await stores.runs.claim(temporary, saved)
  await stores.runs.startWaiting(run, [aCall()], aTranscript())
  expect((await list(ids.sub)).total).toBe(0)
})

it('longer lists than a response takes say how many wait', async () => {
  const ids = newConversationIds()
  const calls = Array.from({ length: 6 }, (_, index) =>
    aCall({ callId: `c${index}`, arguments: JSON.stringify({ body: '漢'.repeat(350_000) }) }),
  )
  await startWaiting(ids, calls)
  const { waiting, total } = await list(ids.sub)
  expect(waiting.length).toBeGreaterThan(0)
  expect(waiting.length).toBeLessThan(6)
  expect(total).toBe(6)
})

it('of more conversations than one request reads the newest are listed, and the rest is counted', async () => {
  const ids = newConversationIds()
  await startWaiting(ids, [aCall({ callId: 'c1' })])
  const others = Array.from({ length: 100 }, (_, index) => `older-${index}`)
  const deps = {
    ...stores,
    runs: { ...stores.runs, listWaitingIds: async () => [ids.sessionId, ...others] },
    findIsScheduled: () => Promise.resolve(false),
  }
  const { waiting, total } = await listWaiting(deps, ids.sub, Date.now())
  expect([waiting.length, total]).toEqual([1, 2])
})
