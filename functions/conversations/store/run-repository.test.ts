import { expect, it } from 'vitest'
import {
  newConversationIds,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { RunChanged, RunOwnershipLost } from './errors.ts'
import { isLost } from './liveness.ts'

const stores = await openSharedStores()

async function claimRun() {
  return stores.runs.claim(aRun(newConversationIds()), undefined)
}

it('CHAT-41 only one of many simultaneous claims succeeds', async () => {
  const conversation = newConversationIds()
  const claims = await Promise.allSettled(
    Array.from({ length: 10 }, () => stores.runs.claim(aRun(conversation), undefined)),
  )
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusals = claims.filter((claim) => claim.status === 'rejected')
  expect(refusals.every(({ reason }) => reason instanceof RunChanged)).toBe(true)
})

it('a claim after an ended run forgets how that run ended', async () => {
  const first = await claimRun()
  const ended = await stores.runs.end(first, 'failed', { error: 'Service error: no' })
  const next = await stores.runs.claim(aRun({ ...first, runId: 'next', turn: 2 }), ended)
  expect(next).toMatchObject({ runId: 'next', turn: 2, status: 'running', pending: [] })
  expect(next.error).toBeUndefined()
})

it('fences every write of a run that was replaced', async () => {
  const oldRun = await claimRun()
  await stores.runs.interrupt(oldRun)
  const interruptedRun = await stores.runs.find(oldRun.sub, oldRun.sessionId)
  await stores.runs.claim(aRun({ ...oldRun, runId: 'newer' }), interruptedRun)
  await expect(stores.runs.heartbeat(oldRun, Date.now())).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(stores.runs.end(oldRun, 'done')).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(stores.runs.requestStop(oldRun, Date.now())).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(stores.runs.setWatchedUntil(oldRun, Date.now())).rejects.toBeInstanceOf(RunOwnershipLost)
  expect(await stores.runs.interrupt(oldRun)).toBe(false)
})

it('a late write cannot revive a deleted run', async () => {
  const run = await claimRun()
  await stores.runs.remove(run.sub, run.sessionId)
  await expect(stores.runs.heartbeat(run, Date.now())).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(stores.runs.end(run, 'done')).rejects.toBeInstanceOf(RunOwnershipLost)
  expect(await stores.runs.find(run.sub, run.sessionId)).toBeUndefined()
})

it('CHAT-47 the heartbeat returns a stop request and watchers', async () => {
  const run = await claimRun()
  await stores.runs.requestStop(run, 7)
  await stores.runs.setWatchedUntil(run, 42)
  expect(await stores.runs.heartbeat(run, Date.now())).toMatchObject({
    stopRequestedAtMs: 7,
    watchedUntilMs: 42,
  })
  await stores.runs.requestStop(run, 8)
  expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ stopRequestedAtMs: 7 })
})

it('a run waits with its requests, is answered, and is resumed once', async () => {
  const run = await claimRun()
  const request = { callId: 'c', kind: 'approval', tool: 'send', title: 'Send', fingerprint: 'f' } as const
  const pending = [{ ...request, arguments: '{}', askedAtMs: 1 }]
  const waiting = await stores.runs.startWaiting(
    run,
    pending,
    aTranscript({ text: 'so far' }, { messages: [{ role: 'assistant', content: null }] }),
  )
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
  ['running', 20_000, undefined, false],
  ['running', 20_001, undefined, true],
  // asked to stop after the last heartbeat, and before it
  ['running', 15_000, 8_000, false],
  ['running', 15_000, 8_001, true],
  ['running', 8_000, 19_000, false],
  ['running', 8_001, 19_000, true],
  ['running', 20_001, 1_000, true],
  ['waiting', 90_000_000, undefined, false],
  ['done', 90_000, undefined, false],
] as const)(
  'a %s run without a heartbeat for %i ms, asked to stop %s ms ago, is lost: %s',
  (status, beatMs, stopMs, lost) => {
    const now = 1_000_000
    const stop = stopMs === undefined ? {} : { stopRequestedAtMs: now - stopMs }
    const run = aRun({ ...newConversationIds(), status, heartbeatAtMs: now - beatMs, ...stop })
    expect(isLost(run, now)).toBe(lost)
  },
)
