import { afterAll, beforeAll, expect, it } from 'vitest'
import { aConversation, aRun, openTestStores, type TestStores } from '../../test/support/conversations.ts'
import { RunChanged, RunLost } from './errors.ts'
import { isStale } from './run.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await openTestStores()
})
afterAll(() => stores.close())

async function running() {
  return stores.runs.claim(aRun(aConversation()), undefined)
}

it('CHAT-41 of many claims at the same moment one succeeds', async () => {
  const place = aConversation()
  const claims = await Promise.allSettled(
    Array.from({ length: 10 }, () => stores.runs.claim(aRun(place), undefined)),
  )
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = claims.filter((claim) => claim.status === 'rejected')
  expect(refused.every(({ reason }) => reason instanceof RunChanged)).toBe(true)
})

it('a claim over an ended run forgets how that ended', async () => {
  const first = await running()
  const ended = await stores.runs.end(first, 'failed', 'Service error: no')
  const next = await stores.runs.claim(aRun({ ...first, runId: 'next', turn: 2 }), ended)
  expect(next).toMatchObject({ runId: 'next', turn: 2, status: 'running', pending: [], cancel: false })
  expect(next.error).toBeUndefined()
})

it('fences every write of a run that was replaced', async () => {
  const old = await running()
  await stores.runs.interrupt(old)
  const seen = await stores.runs.find(old.sub, old.sessionId)
  await stores.runs.claim(aRun({ ...old, runId: 'newer' }), seen)
  await expect(stores.runs.beat(old, Date.now())).rejects.toBeInstanceOf(RunLost)
  await expect(stores.runs.end(old, 'done')).rejects.toBeInstanceOf(RunLost)
  await expect(stores.runs.requestStop(old)).rejects.toBeInstanceOf(RunLost)
  await expect(stores.runs.watch(old, Date.now())).rejects.toBeInstanceOf(RunLost)
  expect(await stores.runs.interrupt(old)).toBe(false)
})

it('a late write cannot revive a deleted run', async () => {
  const run = await running()
  await stores.runs.remove(run.sub, run.sessionId)
  await expect(stores.runs.beat(run, Date.now())).rejects.toBeInstanceOf(RunLost)
  await expect(stores.runs.end(run, 'done')).rejects.toBeInstanceOf(RunLost)
  expect(await stores.runs.find(run.sub, run.sessionId)).toBeUndefined()
})

it('CHAT-47 the heartbeat brings the news of a stop and of watchers', async () => {
  const run = await running()
  await stores.runs.requestStop(run)
  await stores.runs.watch(run, 42)
  expect(await stores.runs.beat(run, Date.now())).toMatchObject({ cancel: true, watchedUntilMs: 42 })
})

it('waits with its questions, is answered, and goes on once', async () => {
  const run = await running()
  const asked = { callId: 'c', kind: 'approval', tool: 'send', title: 'Send', fingerprint: 'f' } as const
  const pending = [{ ...asked, arguments: '{}', askedAtMs: 1 }]
  const waiting = await stores.runs.wait(run, pending, {
    messages: [{ role: 'assistant', content: null }],
    content: 'so far',
    attachments: [],
    toolCalls: [],
    position: 9,
  })
  expect(waiting).toMatchObject({ status: 'waiting', pending, transcript: { position: 9 } })
  const decided = await stores.runs.decide(waiting, 0, {
    decision: 'approved',
    decidedAtMs: 2,
    arguments: '{"to":"ann"}',
  })
  expect(decided.pending).toEqual([
    { ...pending[0], arguments: '{"to":"ann"}', decision: 'approved', decidedAtMs: 2 },
  ])
  await expect(stores.runs.decide(waiting, 0, { decision: 'denied', decidedAtMs: 3 })).rejects.toBeInstanceOf(
    RunChanged,
  )
  await stores.runs.resume(decided, 5)
  await expect(stores.runs.resume(decided, 6)).rejects.toBeInstanceOf(RunChanged)
})

it.each([
  ['running', 20_000, false],
  ['running', 20_001, true],
  ['waiting', 90_000_000, false],
  ['done', 90_000, false],
] as const)('a %s run without a heartbeat for %i ms is stale: %s', (status, ageMs, stale) => {
  expect(isStale(aRun({ ...aConversation(), status, heartbeatAtMs: 1_000_000 }), 1_000_000 + ageMs)).toBe(
    stale,
  )
})
