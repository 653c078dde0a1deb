import { lapsesAfterMs } from '#shared/limits.ts'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  aPendingCall,
  newConversationIds,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { withRepeatedWrites } from '../../../test/support/repeated-writes.ts'
import { runRepository } from './run-repository.ts'
import { RunChanged, RunOwnershipLost } from './errors.ts'
import { isActive, toRunView, type Run } from './run.ts'

const { runs, logs, table } = await openSharedStores()

const claimRun = (changes: Partial<Run> = {}) =>
  runs.claim(aRun({ ...newConversationIds(), ...changes }), undefined)

async function readRow({ sub, sessionId }: Run) {
  const Key = { PK: `U#${sub}`, SK: `RUN#${sessionId}` }
  return (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item
}

const approval = aPendingCall()
const transcript = aTranscript()

describe('a claim', () => {
  it('stores all fields of the run, and reads them back', async () => {
    const run = aRun({
      ...newConversationIds(),
      isSaved: false,
      ttl: 42,
      replaces: { messageId: 'm0', turn: 3 },
    })
    expect(await runs.claim(run, undefined)).toEqual(run)
    expect(await runs.find(run.sub, run.sessionId)).toEqual(run)
    expect(await readRow(run)).toMatchObject({ kept: false, ttl: 42, replaces: { messageId: 'm0', turn: 3 } })
  })

  it('keeps nothing of the previous run', async () => {
    const first = await claimRun({ isSaved: false, ttl: 42, replaces: { messageId: 'm0', turn: 1 } })
    const waiting = await runs.startWaiting(first, [approval], transcript)
    await runs.resume(waiting, 5)
    await runs.requestStop(first, 7)
    await runs.setWatchedUntil(first, 42)
    const previousRun = await runs.find(first.sub, first.sessionId)
    expect(await readRow(first)).toMatchObject({ stopRequestedAtMs: 7, watchedUntilMs: 42 })
    const next = aRun({ sub: first.sub, sessionId: first.sessionId, runId: 'next' })
    await runs.claim(next, previousRun)
    expect(await readRow(first)).toEqual({
      PK: `U#${first.sub}`,
      SK: `RUN#${first.sessionId}`,
      fileIds: [],
      epoch: 1,
      sub: first.sub,
      sessionId: first.sessionId,
      runId: 'next',
      turn: 1,
      messageId: 'm-1',
      replyId: next.replyId,
      status: 'running',
      kept: true,
      startedAtMs: next.startedAtMs,
      heartbeatAtMs: next.heartbeatAtMs,
    })
  })

  it.each([
    ['another run', { runId: 'other' }],
    ['another state', { status: 'done' }],
    ['another heartbeat', { heartbeatAtMs: 1 }],
  ] as const)('over a run that was seen in %s is refused', async (_, changes) => {
    const run = await claimRun()
    await expect(runs.claim(aRun({ ...run, runId: 'next' }), { ...run, ...changes })).rejects.toBeInstanceOf(
      RunChanged,
    )
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ runId: run.runId })
  })
})

describe('an end', () => {
  it.each(['done', 'stopped', 'incomplete'] as const)(
    'as %s removes what only a live run needs',
    async (status) => {
      const run = await claimRun()
      await runs.requestStop(run, 7)
      await runs.setWatchedUntil(run, 42)
      await runs.startWaiting(run, [approval], transcript)
      expect(await runs.end(run, status)).toMatchObject({ status })
      const row = await readRow(run)
      for (const field of ['stopRequestedAtMs', 'watchedUntilMs', 'pending', 'transcript', 'error'])
        expect(row).not.toHaveProperty(field)
    },
  )

  it('can be repeated, but not changed', async () => {
    const run = await claimRun()
    await runs.end(run, 'failed', { error: 'no' })
    expect(await runs.end(run, 'failed', { error: 'no' })).toMatchObject({ status: 'failed', error: 'no' })
    await expect(runs.end(run, 'done')).rejects.toBeInstanceOf(RunOwnershipLost)
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'failed' })
  })
})

describe('a run without a function', () => {
  it('is marked as interrupted once: its watchers are removed, a stop request stays', async () => {
    const run = await claimRun()
    await runs.requestStop(run, 7)
    await runs.setWatchedUntil(run, 42)
    const storedRun = (await runs.find(run.sub, run.sessionId)) as Run
    expect(await runs.interrupt(storedRun)).toBe(true)
    expect(await runs.interrupt(storedRun)).toBe(false)
    const row = await readRow(run)
    // the recovery has to know that a stop was requested
    expect(row).toMatchObject({ status: 'interrupted', stopRequestedAtMs: 7 })
    expect(row).not.toHaveProperty('watchedUntilMs')
  })

  it('is not marked as interrupted when its heartbeat was updated meanwhile', async () => {
    const run = await claimRun()
    await runs.heartbeat(run, run.heartbeatAtMs + 1)
    expect(await runs.interrupt(run)).toBe(false)
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'running' })
  })
})

describe('what only a running run accepts', () => {
  it.each([
    ['a heartbeat', (run: Run) => runs.heartbeat(run, 1)],
    ['a stop', (run: Run) => runs.requestStop(run, 7)],
    ['a reader', (run: Run) => runs.setWatchedUntil(run, 1)],
    [
      'an approval request',
      (run: Run) => runs.startWaiting(run, [{ ...approval, askedAtMs: 42 }], transcript),
    ],
  ])('%s is refused by a run that waits or has ended', async (_, write) => {
    const run = await claimRun()
    const waiting = await runs.startWaiting(run, [approval], transcript)
    await expect(write(waiting)).rejects.toBeInstanceOf(RunOwnershipLost)
    await runs.end(run, 'done')
    await expect(write(run)).rejects.toBeInstanceOf(RunOwnershipLost)
  })
})

describe('a decision on an approval request', () => {
  it('is refused by another run and by one that does not wait, and can be repeated', async () => {
    const run = await claimRun()
    const decision = { decision: 'approved', decidedAtMs: 1 } as const
    await expect(runs.decide(run, 0, decision)).rejects.toBeInstanceOf(RunChanged)
    const waiting = await runs.startWaiting(run, [approval], transcript)
    await expect(runs.decide({ ...waiting, runId: 'other' }, 0, decision)).rejects.toBeInstanceOf(RunChanged)
    await expect(runs.resume({ ...waiting, runId: 'other' }, 1)).rejects.toBeInstanceOf(RunChanged)
    await runs.decide(waiting, 0, decision)
    expect(await runs.decide(waiting, 0, { ...decision, decidedAtMs: 2 })).toMatchObject({
      pending: [{ decision: 'approved', decidedAtMs: 1 }],
    })
    expect(await runs.resume(waiting, 77)).toMatchObject({ status: 'running', heartbeatAtMs: 77 })
  })
})

describe('what a run replaces', () => {
  const versions = (turn: number) => ({ forks: [{ turn, versionOf: 1 }] })

  it('is recorded as an earlier version, but not in a newer run', async () => {
    const run = await claimRun({ replaces: { messageId: 'm0', turn: 1 } })
    await runs.recordEarlierVersion({ ...run, runId: 'older' }, versions(2))
    expect(await readRow(run)).toHaveProperty('replaces')
    expect(await readRow(run)).not.toHaveProperty('branches')
    await runs.recordEarlierVersion(run, versions(2))
    expect(await readRow(run)).not.toHaveProperty('replaces')
    expect(await readRow(run)).toMatchObject({ branches: versions(2) })
  })

  it('is recorded once: a late writer does not undo the version chosen since', async () => {
    const run = await claimRun({ replaces: { messageId: 'm0', turn: 1 } })
    await runs.recordEarlierVersion(run, versions(2))
    const ended = await runs.end(run, 'done')
    await runs.showBranch(ended, { ...versions(2), head: 1 })
    await runs.recordEarlierVersion(run, versions(2))
    expect(await readRow(run)).toMatchObject({ branches: { ...versions(2), head: 1 } })
  })
})

describe('the branch that is shown', () => {
  const branches = { forks: [{ turn: 2, versionOf: 1 }], head: 1 }

  it('changes only while nothing has happened to the run since it was read', async () => {
    const run = await runs.end(await claimRun({ turn: 2 }), 'done')
    await expect(runs.showBranch({ ...run, status: 'failed' }, branches)).rejects.toBeInstanceOf(RunChanged)
    await expect(runs.showBranch({ ...run, heartbeatAtMs: 1 }, branches)).rejects.toBeInstanceOf(RunChanged)
    await expect(runs.showBranch({ ...run, runId: 'older' }, branches)).rejects.toBeInstanceOf(RunChanged)
    expect(await readRow(run)).not.toHaveProperty('branches')
    expect(await runs.showBranch(run, branches)).toMatchObject({ branches })
    expect(await readRow(run)).toMatchObject({ branches })
  })

  it('a run that was read before the change cannot be used to claim the conversation', async () => {
    const run = await runs.end(await claimRun({ turn: 2 }), 'done')
    const runWithBranch = await runs.showBranch(run, branches)
    const next = aRun({ sub: run.sub, sessionId: run.sessionId, turn: 3 })
    await expect(runs.claim(next, run)).rejects.toBeInstanceOf(RunChanged)
    expect(await runs.claim({ ...next, branches }, runWithBranch)).toMatchObject({
      runId: next.runId,
      branches,
    })
  })
})

describe('a run of a temporary chat', () => {
  it('is deleted only by its own writer', async () => {
    const run = await claimRun({ isSaved: false })
    await expect(runs.deleteTemporary({ ...run, runId: 'older' })).rejects.toBeInstanceOf(RunOwnershipLost)
    await runs.deleteTemporary(run)
    expect(await readRow(run)).toBeUndefined()
    await expect(runs.deleteTemporary(run)).rejects.toBeInstanceOf(RunOwnershipLost)
  })
})

describe('the page’s view of a run', () => {
  it('has its requests while it waits, in the format of the page', () => {
    const run = aRun({
      ...newConversationIds(),
      status: 'waiting',
      replaces: { messageId: 'm0', turn: 1 },
      pending: [
        { ...approval, of: { mcpId: 'mail', name: 'Mail', namespace: 'io.mail' }, decision: 'denied' },
        { ...approval, callId: 'd', title: '', kind: 'reconnect', reconnect: 'signInAgain' as never },
      ],
    })
    expect(toRunView(run)).toEqual({
      run_id: run.runId,
      status: 'waiting',
      message_id: 'm-1',
      reply_id: run.replyId,
      replaces: 'm0',
      questions: [
        {
          call_id: 'c',
          kind: 'approval',
          tool: 'send',
          title: 'Send',
          integration: 'Mail',
          mcp_id: 'mail',
          namespace: 'io.mail',
          arguments: { to: 'ann' },
          asked_at: '2026-03-01T12:00:00.000Z',
          decision: 'denied',
        },
        {
          call_id: 'd',
          kind: 'reconnect',
          tool: 'send',
          title: 'send',
          integration: null,
          mcp_id: null,
          reconnect: 'signInAgain',
          arguments: { to: 'ann' },
          asked_at: '2026-03-01T12:00:00.000Z',
          decision: null,
        },
      ],
    })
  })

  it.each(['running', 'done', 'stopped', 'failed', 'incomplete', 'interrupted'] as const)(
    'has none when it is %s',
    (status) => {
      const run = aRun({ ...newConversationIds(), status, pending: [approval] })
      expect(toRunView(run)).not.toHaveProperty('questions')
      expect(toRunView(run)).not.toHaveProperty('error')
      expect(toRunView(run)).not.toHaveProperty('replaces')
      expect(isActive(run)).toBe(status === 'running')
    },
  )
})

it('a row of an earlier version is read without the fields that were added later', async () => {
  const run = await claimRun()
  const row = await readRow(run)
  expect(row).not.toHaveProperty('pending')
  expect(await runs.find(run.sub, run.sessionId)).toMatchObject({
    isSaved: true,
    fileIds: [],
    epoch: 1,
    watchedUntilMs: 0,
    pending: [],
  })
})

describe('checkpoints', () => {
  const textPart = (from: number, words: string) => ({
    from,
    to: from + words.length,
    textId: 't',
    text: words,
  })
  const start = { from: 0, to: 1, event: { type: 'text-start', id: 't' } } as const

  it('are read back unchanged, in order, from a position', async () => {
    const run = aRun(newConversationIds())
    await logs.append(run, [start, textPart(1, 'Hello')])
    await logs.append(run, [textPart(6, ', '), { from: 8, to: 9, event: { type: 'abort' } }])
    await logs.append(run, [textPart(9, 'x'.repeat(20))])
    await logs.append(run, [textPart(1_000_000, 'far')])
    await logs.append(run, [])
    expect(await logs.read(run, 0)).toEqual([
      start,
      textPart(1, 'Hello'),
      textPart(6, ', '),
      { from: 8, to: 9, event: { type: 'abort' } },
      textPart(9, 'x'.repeat(20)),
      textPart(1_000_000, 'far'),
    ])
    expect(await logs.read(run, 9)).toEqual([textPart(9, 'x'.repeat(20)), textPart(1_000_000, 'far')])
    expect(await logs.read({ ...run, runId: 'other' }, 0)).toEqual([])
  })

  it.each(['[[0,null]]', '[[0,"text"]]', '[["0","t","text"]]', '{}'])(
    'of the form %s are an error',
    async (parts) => {
      const run = aRun(newConversationIds())
      const Item = { PK: `U#${run.sub}`, SK: `LOG#${run.sessionId}#${run.runId}#000000000`, parts }
      await table.client.send(new PutCommand({ TableName: table.name, Item }))
      await expect(logs.read(run, 0)).rejects.toThrow('invalid')
    },
  )

  it('stay longer than anything that a run waits for, so that its text does', async () => {
    const run = aRun(newConversationIds())
    await logs.append(run, [start])
    const Key = { PK: `U#${run.sub}`, SK: `LOG#${run.sessionId}#${run.runId}#000000000` }
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }))
    const kinds = ['approval', 'reconnect', 'elicitation', 'task'] as const
    const longestMs = Math.max(...kinds.map((kind) => lapsesAfterMs(kind)))
    expect(Number(Item?.['ttl'])).toBeGreaterThan((Date.now() + longestMs) / 1_000 + 86_400)
  })

  it('are deleted for one run or for a whole conversation', async () => {
    const run = aRun(newConversationIds())
    const earlier = { ...run, runId: 'earlier' }
    const otherConversation = { ...run, sessionId: `${run.sessionId}x` }
    for (const owner of [run, earlier, otherConversation]) await logs.append(owner, [start])
    await logs.deleteRun(run)
    expect(await logs.read(run, 0)).toEqual([])
    expect(await logs.read(earlier, 0)).toEqual([start])
    await logs.append(run, [start])
    await logs.deleteConversation(run)
    expect(await logs.read(run, 0)).toEqual([])
    expect(await logs.read(earlier, 0)).toEqual([])
    expect(await logs.read(otherConversation, 0)).toHaveLength(1)
  })

  it('are read completely, even if they need several queries', async () => {
    const run = aRun(newConversationIds())
    const longText = 'x'.repeat(300_000)
    for (let index = 0; index < 5; index += 1)
      await logs.append(run, [textPart(index * longText.length, longText)])
    const parts = await logs.read(run, 0)
    const contents = parts.map((part) => ('text' in part ? part.text : ''))
    expect(contents.join('')).toBe(longText.repeat(5))
    // each begins where the one before it ends
    expect(parts.map(({ from }) => from)).toEqual([0, ...parts.slice(0, -1).map(({ to }) => to)])
  })
})

describe('a run that was marked as interrupted', () => {
  it('is ended by its recovery, not by its writer', async () => {
    const run = await claimRun()
    await runs.interrupt(run)
    await expect(runs.end(run, 'done')).rejects.toBeInstanceOf(RunOwnershipLost)
    expect(await runs.end(run, 'stopped', undefined, 'recovery')).toMatchObject({ status: 'stopped' })
    const second = await claimRun()
    await expect(runs.end(second, 'stopped', undefined, 'recovery')).rejects.toBeInstanceOf(RunOwnershipLost)
  })
})

describe('a write that the client repeated', () => {
  const repeated = runRepository(withRepeatedWrites(table))
  const branches = { forks: [{ turn: 2, versionOf: 1 }], head: 1 }

  it('shows a branch once, and does not take another change for its own', async () => {
    const run = await runs.end(await claimRun({ turn: 2 }), 'done')
    expect(await repeated.showBranch(run, branches)).toMatchObject({ branches })
    await expect(repeated.showBranch(run, { forks: [] })).rejects.toBeInstanceOf(RunChanged)
    expect(await readRow(run)).toMatchObject({ branches })
  })

  it('resumes no run that another writer has', async () => {
    const run = await claimRun()
    await expect(repeated.resume(run, run.heartbeatAtMs)).rejects.toBeInstanceOf(RunChanged)
    const waiting = await runs.startWaiting(run, [approval], transcript)
    await runs.resume(waiting, 5)
    await expect(repeated.resume(waiting, 6)).rejects.toBeInstanceOf(RunChanged)
    expect(await runs.find(run.sub, run.sessionId)).toMatchObject({ heartbeatAtMs: 5 })
  })
})

describe('a branch whose newest turn is being deleted', () => {
  const branches = { forks: [{ turn: 2, versionOf: 1 }] }

  it('has a run that says nothing more of that turn, and others keep what their run says', async () => {
    const failed = await runs.end(
      await claimRun({ turn: 2, replaces: { messageId: 'm0', turn: 1 } }),
      'failed',
      { error: 'no' },
    )
    const shown = await runs.showBranch(failed, branches)
    expect(shown).toMatchObject({ status: 'failed', error: 'no', replaces: { messageId: 'm0', turn: 1 } })
    expect(shown.heartbeatAtMs).toBeGreaterThan(failed.heartbeatAtMs)
    await runs.showBranch(shown, branches, true)
    const row = await readRow(failed)
    expect(row).toMatchObject({ status: 'done', branches })
    for (const field of ['error', 'replaces']) expect(row).not.toHaveProperty(field)
  })

  it('is later than a heartbeat of a clock that is ahead', async () => {
    const heartbeatAtMs = Date.now() + 60_000
    const run = await runs.end(await claimRun({ heartbeatAtMs }), 'done')
    expect(await runs.showBranch(run, branches)).toMatchObject({ heartbeatAtMs: heartbeatAtMs + 1 })
  })
})

describe('waiting runs', () => {
  it('of a user are listed with their requests; others are not', async () => {
    const waiting = await claimRun()
    await runs.startWaiting(waiting, [approval], transcript)
    await runs.claim(aRun({ ...newConversationIds(), sub: waiting.sub }), undefined)
    const listed = []
    for await (const run of runs.readWaiting(waiting.sub)) listed.push(run)
    expect(listed).toMatchObject([
      { runId: waiting.runId, status: 'waiting', pending: [approval], transcript: { position: 9 } },
    ])
    expect((await runs.readWaiting('nobody').next()).done).toBe(true)
  })
})

it('a later claim keeps the choices of its own request only', async () => {
  const choices = { model: 'm', effort: 'high', disabledTools: [{ mcp_id: 'mail' }], projectId: 'p' }
  const first = await claimRun(choices)
  expect(await readRow(first)).toMatchObject(choices)
  const next = aRun({ sub: first.sub, sessionId: first.sessionId, runId: 'next' })
  await runs.claim(next, first)
  const row = await readRow(first)
  for (const field of Object.keys(choices)) expect(row).not.toHaveProperty(field)
})
