import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  aPendingCall,
  newConversationIds,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { RunChanged, RunOwnershipLost } from './errors.ts'
import { runRepository } from './run-repository.ts'
import type { Run, Transcript } from './run.ts'

const stores = await openSharedStores()
const { runs, table } = stores

const claimRun = (changes: Partial<Run> = {}) =>
  runs.claim(aRun({ ...newConversationIds(), ...changes }), undefined)

async function queryRows({ sub }: Pick<Run, 'sub'>, prefix: string) {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': `U#${sub}`, ':prefix': prefix },
      ConsistentRead: true,
    }),
  )
  return Items
}
const queryWaitingRunRows = (run: Pick<Run, 'sub'>) => queryRows(run, 'PARK#')
const measureRow = async (run: Run) => JSON.stringify(await queryRows(run, 'RUN#')).length

const fillResult = (letter: string) => letter.repeat(20_000)
/** A transcript of 24 calls, each with a result of the maximum size. */
const aLongTranscript = (text: (call: number) => string = () => fillResult('漢')): Transcript =>
  aTranscript(
    { text: 'So far.' },
    {
      messages: Array.from({ length: 24 }, (_, call) => ({
        role: 'tool',
        tool_call_id: `c${call}`,
        content: text(call),
      })),
    },
  )
/** As it is read again. */
const toStored = (transcript: Transcript) => JSON.parse(JSON.stringify(transcript)) as Transcript
// text that cannot be compressed
const randomText = () => randomBytes(15_000).toString('base64')

describe('a waiting run', () => {
  it('DEC-143 stores a transcript of any size, and its row stays small', async () => {
    for (const text of [() => fillResult('漢'), randomText]) {
      const run = await claimRun()
      const transcript = aLongTranscript(text)
      const pending = [aPendingCall({ arguments: JSON.stringify({ body: randomText().repeat(7) }) })]
      expect(await runs.startWaiting(run, pending, transcript)).toMatchObject({
        status: 'waiting',
        pending,
        transcript,
      })
      expect(await measureRow(run)).toBeLessThan(2_000)
      expect(await runs.find(run.sub, run.sessionId)).toMatchObject({
        status: 'waiting',
        pending,
        transcript: toStored(transcript),
      })
    }
  })

  it('is resumed with its transcript, and leaves nothing of it in the table', async () => {
    const run = await claimRun()
    const waiting = await runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText))
    expect((await queryWaitingRunRows(run)).length).toBeGreaterThan(0)
    const resumed = await runs.resume(waiting, 5)
    expect(resumed).toMatchObject({ status: 'running', pending: [aPendingCall()] })
    expect(resumed.transcript).toEqual(waiting.transcript)
    expect(await queryWaitingRunRows(run)).toEqual([])
    const [item] = await queryRows(run, 'RUN#')
    for (const field of ['transcript', 'pending', 'parked']) expect(item).not.toHaveProperty(field)
  })

  it('can wait again for something else', async () => {
    const run = await claimRun()
    const first = await runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText))
    const resumed = await runs.resume(first, 5)
    const secondTranscript = aTranscript({ text: 'Second.' })
    await runs.startWaiting(resumed, [aPendingCall({ callId: 'c2', askedAtMs: 42 })], secondTranscript)
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({
      pending: [{ callId: 'c2' }],
      transcript: { reply: { text: 'Second.' } },
    })
  })

  it.each(['end', 'deleteTemporary', 'remove'] as const)('leaves no rows after %s', async (action) => {
    const run = await claimRun()
    await runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText))
    const waiting = await runs.find(run.sub, run.sessionId)
    if (!waiting) throw new Error('there is no run')
    await runs.decide(waiting, 0, { decision: 'approved', decidedAtMs: 1, arguments: '{"to":"bob"}' })
    if (action === 'end') await runs.end(waiting, 'stopped')
    else if (action === 'deleteTemporary') await runs.deleteTemporary(waiting)
    else await runs.remove(run.sub, run.sessionId)
    expect(await queryWaitingRunRows(run)).toEqual([])
  })

  it('accepts changed arguments of any size for each request', async () => {
    const run = await claimRun()
    const questions = [0, 1, 2].map((call) => aPendingCall({ callId: `c${call}` }))
    const waiting = await runs.startWaiting(run, questions, aTranscript())
    const editedArguments = [0, 1, 2].map((call) =>
      JSON.stringify({ to: `${call}`, body: randomText().repeat(7) }),
    )
    await Promise.all(
      editedArguments.map((text, index) =>
        runs.decide(waiting, index, { decision: 'approved', decidedAtMs: index, arguments: text }),
      ),
    )
    const storedRun = await runs.find(run.sub, run.sessionId)
    expect(storedRun?.pending.map((call) => call.arguments)).toEqual(editedArguments)
    expect(storedRun?.pending.map(({ decision }) => decision)).toEqual(['approved', 'approved', 'approved'])
    expect(await measureRow(run)).toBeLessThan(3_000)
  })

  it('is answered once: a second answer and its arguments are discarded', async () => {
    const run = await claimRun()
    const waiting = await runs.startWaiting(run, [aPendingCall()], aTranscript())
    await runs.decide(waiting, 0, { decision: 'denied', decidedAtMs: 1 })
    const countBefore = (await queryWaitingRunRows(run)).length
    await expect(
      runs.decide(waiting, 0, { decision: 'approved', decidedAtMs: 2, arguments: '{"to":"eve"}' }),
    ).rejects.toBeInstanceOf(RunChanged)
    expect(await queryWaitingRunRows(run)).toHaveLength(countBefore)
    const storedRun = await runs.find(run.sub, run.sessionId)
    expect(storedRun?.pending).toMatchObject([{ decision: 'denied', arguments: '{"to":"ann"}' }])
  })

  it('keeps changed arguments when the table’s response to the answer was lost', async () => {
    const run = await claimRun()
    const waiting = await runs.startWaiting(run, [aPendingCall()], aTranscript())
    const send = async (command: object) => {
      const output: unknown = await table.client.send(command as never)
      if (command instanceof UpdateCommand) throw new Error('the answer was lost')
      return output
    }
    const losingRepository = runRepository({ ...table, client: { send: send as never } })
    await expect(
      losingRepository.decide(waiting, 0, {
        decision: 'approved',
        decidedAtMs: 1,
        arguments: '{"to":"bob"}',
      }),
    ).rejects.toThrow('the answer was lost')
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({
      status: 'waiting',
      pending: [{ decision: 'approved', arguments: '{"to":"bob"}' }],
    })
  })

  it('is resumed once by simultaneous requests', async () => {
    const run = await claimRun()
    const waiting = await runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText))
    const attempts = await Promise.allSettled([1, 2, 3, 4].map((ms) => runs.resume(waiting, ms)))
    const resumptions = attempts.filter(({ status }) => status === 'fulfilled')
    expect(resumptions).toHaveLength(1)
    expect(resumptions[0]).toMatchObject({ value: { transcript: waiting.transcript } })
  })

  it('can begin to wait again by a repeated write that had succeeded', async () => {
    const run = await claimRun()
    const waitArguments = [[aPendingCall()], aLongTranscript(randomText)] as const
    await runs.startWaiting(run, [...waitArguments[0]], waitArguments[1])
    expect(await runs.startWaiting(run, [...waitArguments[0]], waitArguments[1])).toMatchObject({
      status: 'waiting',
    })
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({
      transcript: toStored(waitArguments[1]),
    })
  })

  it('that was replaced leaves no rows', async () => {
    const run = await claimRun()
    await runs.remove(run.sub, run.sessionId)
    await expect(
      runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText)),
    ).rejects.toBeInstanceOf(RunOwnershipLost)
    expect(await queryWaitingRunRows(run)).toEqual([])
  })

  it('has rows that expire, in a temporary chat with its run, whose time begins anew', async () => {
    const getDaysToExpiry = (row: Record<string, unknown>) =>
      (Number(row['ttl']) - Date.now() / 1000) / 86_400
    const savedRun = await claimRun()
    await runs.startWaiting(savedRun, [aPendingCall()], aLongTranscript(randomText))
    for (const row of await queryWaitingRunRows(savedRun)) expect(getDaysToExpiry(row)).toBeCloseTo(90, 1)
    let temporaryRun = await claimRun({ isSaved: false, ttl: Math.floor(Date.now() / 1000) + 60 })
    for (const askedAtMs of [1, 2]) {
      const waiting = await runs.startWaiting(
        temporaryRun,
        [aPendingCall({ askedAtMs })],
        aLongTranscript(randomText),
      )
      const stored = await runs.find(waiting.sub, waiting.sessionId)
      for (const row of [...(await queryWaitingRunRows(waiting)), { ttl: stored?.ttl }])
        expect(getDaysToExpiry(row)).toBeCloseTo(25 / 24, 1)
      temporaryRun = await runs.resume({ ...waiting, ttl: 1 }, Date.now())
    }
  })

  it('keeps a decision with its arguments: the same one again changes nothing, another is refused', async () => {
    const run = await claimRun()
    const pending = [aPendingCall({ callId: 'a' }), aPendingCall({ callId: 'b' })]
    const waiting = await runs.startWaiting(run, pending, aTranscript())
    const approved = { decision: 'approved' as const, decidedAtMs: 1 }
    await runs.decide(waiting, 0, { ...approved, arguments: '{"amount":10}' })
    const again = await runs.decide(waiting, 0, { ...approved, decidedAtMs: 2, arguments: '{"amount":1000}' })
    for (const found of [again, await runs.find(run.sub, run.sessionId)])
      expect(found?.pending[0]).toMatchObject({ arguments: '{"amount":10}', decidedAtMs: 1 })
    const rows = (await queryWaitingRunRows(waiting)).length
    // one without changes has none to be replaced
    await runs.decide(waiting, 1, approved)
    const unchanged = await runs.decide(waiting, 1, { ...approved, arguments: '{"amount":1000}' })
    expect(unchanged.pending[1]?.arguments).toBe('{"to":"ann"}')
    const denied = { decision: 'denied' as const, decidedAtMs: 3 }
    await expect(runs.decide(waiting, 0, denied)).rejects.toMatchObject({ code: 'run_changed' })
    expect(await queryWaitingRunRows(waiting)).toHaveLength(rows)
  })

  it('is interrupted once its rows have expired', async () => {
    const run = await claimRun()
    await runs.startWaiting(run, [aPendingCall()], aLongTranscript(randomText))
    const [row] = await queryWaitingRunRows(run)
    const Key = { PK: row?.['PK'], SK: row?.['SK'] }
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }))
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'interrupted', pending: [] })
    expect(await queryWaitingRunRows(run)).toEqual([])
  })

  it('whose function crashed before it waited leaves its rows to the request that interrupts it', async () => {
    const run = await claimRun()
    const send = async (command: object) => {
      if (command instanceof UpdateCommand) throw new Error('the function died')
      return table.client.send(command as never) as Promise<unknown>
    }
    const dyingRepository = runRepository({ ...table, client: { send: send as never } })
    await expect(
      dyingRepository.startWaiting(run, [aPendingCall()], aLongTranscript(randomText)),
    ).rejects.toThrow('the function died')
    expect((await queryWaitingRunRows(run)).length).toBeGreaterThan(0)
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'running' })
    expect(await runs.interrupt(run)).toBe(true)
    expect(await queryWaitingRunRows(run)).toEqual([])
  })
})
