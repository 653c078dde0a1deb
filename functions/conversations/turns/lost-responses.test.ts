import { expect, it } from 'vitest'
import {
  aPendingCall,
  newConversationIds,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { withRepeatedWrites } from '../../../test/support/repeated-writes.ts'
import { AppError } from '../../platform/errors.ts'
import { RunChanged, RunOwnershipLost } from '../store/errors.ts'
import { runRepository } from '../store/run-repository.ts'

const stores = await openSharedStores()
const runs = runRepository(withRepeatedWrites(stores.table))

const question = aPendingCall()
const transcript = aTranscript()

it('a run works from claim to end although every response of the table is lost', async () => {
  const newRun = aRun(newConversationIds())
  const run = await runs.claim(newRun, undefined)
  expect(run).toMatchObject({ runId: newRun.runId, status: 'running' })
  const waiting = await runs.startWaiting(run, [question], transcript)
  expect(waiting).toMatchObject({ status: 'waiting', pending: [{ callId: 'c' }] })
  const approval = { decision: 'approved', decidedAtMs: 5 } as const
  expect(await runs.decide(waiting, 0, approval)).toMatchObject({ pending: [approval] })
  const resumed = await runs.resume(waiting, 7)
  expect(resumed).toMatchObject({ status: 'running', heartbeatAtMs: 7, epoch: run.epoch + 1 })
  expect(await runs.end(resumed, 'done')).toMatchObject({ status: 'done' })
})

it('a writer whose run waits changes nothing once another one has resumed it', async () => {
  const run = await stores.runs.claim(aRun(newConversationIds()), undefined)
  const waiting = await stores.runs.startWaiting(run, [question], transcript)
  const resumed = await stores.runs.resume(waiting, 7)
  // the response to the write was lost, and it is repeated after the user has answered
  expect(await runs.startWaiting(run, [question], transcript)).toMatchObject({ status: 'waiting' })
  for (const write of [
    () => runs.heartbeat(run, 8),
    () => runs.resume(waiting, 8),
    () => runs.decide(waiting, 0, { decision: 'denied', decidedAtMs: 8 }),
    () => runs.end(run, 'interrupted'),
    () => runs.deleteTemporary(run),
  ])
    await expect(write()).rejects.toBeInstanceOf(AppError)
  expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({
    status: 'running',
    epoch: resumed.epoch,
    heartbeatAtMs: 7,
  })
})

it('deleting a temporary run again after a lost response is no error; deleting another writer’s run is', async () => {
  const run = await stores.runs.claim(aRun({ ...newConversationIds(), isSaved: false }), undefined)
  await expect(runs.deleteTemporary({ ...run, runId: 'another' })).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(runs.deleteTemporary(run)).resolves.toBeUndefined()
  expect(await stores.runs.find(run.sub, run.sessionId)).toBeUndefined()
  // no write was repeated this time: another request has deleted it
  await expect(stores.runs.deleteTemporary(run)).rejects.toBeInstanceOf(RunOwnershipLost)
})

it('a writer does not take the change of another request for its own', async () => {
  const conversation = newConversationIds()
  const run = await stores.runs.claim(aRun(conversation), undefined)
  await expect(runs.claim(aRun(conversation), undefined)).rejects.toBeInstanceOf(RunChanged)
  await expect(
    runs.startWaiting({ ...run, runId: 'another' }, [question], transcript),
  ).rejects.toBeInstanceOf(RunOwnershipLost)
  // it is running, and has never waited
  await expect(runs.resume(run, 7)).rejects.toBeInstanceOf(RunChanged)
  await stores.runs.end(run, 'done')
  await expect(runs.startWaiting(run, [question], transcript)).rejects.toBeInstanceOf(RunOwnershipLost)
  await expect(runs.resume(run, run.heartbeatAtMs)).rejects.toBeInstanceOf(RunChanged)
})

it('failures of the table are reported as such, not as a missing or interrupted run', async () => {
  const tableError = new Error('the table is down')
  const failingRuns = runRepository({
    name: stores.table.name,
    client: { send: () => Promise.reject(tableError) } as unknown as typeof stores.table.client,
  })
  const run = aRun(newConversationIds())
  for (const write of [
    () => failingRuns.recordEarlierVersion(run, { forks: [] }),
    () => failingRuns.interrupt(run),
    () => failingRuns.heartbeat(run, 1),
    () => failingRuns.deleteTemporary(run),
  ])
    await expect(write()).rejects.toBe(tableError)
})
