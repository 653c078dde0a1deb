import { describe, expect, it, vi } from 'vitest'
import {
  newConversationIds,
  aRun,
  openSharedStores,
  toTranscript,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { ObjectStoreUnavailable } from '../../platform/s3/object-store.ts'
import type { PendingCall, Run } from '../store/run.ts'
import { stopRun } from './stop-run.ts'

const stores = await openSharedStores()

/** A run in a conversation that has a row, unless it is temporary. */
async function claimRun(changes: Partial<Run> = {}): Promise<Run> {
  const run = await stores.runs.claim(aRun({ ...newConversationIds(), ...changes }), undefined)
  const activity = { title: 'Hello', replacesTitle: false, addedMessages: 0, at: new Date().toISOString() }
  if (run.isSaved) await stores.conversations.upsert(run.sub, run.sessionId, activity)
  return run
}

const approvalRequest: PendingCall = {
  callId: 'c1',
  kind: 'approval',
  tool: 'send',
  title: 'Send',
  fingerprint: 'f',
  arguments: '{}',
  askedAtMs: 1,
}
const transcript = aTranscript({
  text: 'Shall I?',
  attachments: [{ id: 'i', name: 'cat.png', type: 'image/png', size: 1 }],
  toolCalls: [
    {
      id: 'c',
      name: 'read',
      input: {},
      activity: { kind: 'other', title: 'Read' },
      status: 'done',
      output: 1,
    },
    // it waits
    { id: 'c1', name: 'send', input: {}, status: 'running' },
  ],
  reasoning: { text: 'Hm.', durationMs: 3, isActive: false },
  sources: [{ url: 'https://a.example/' }],
  usage: { inputTokens: 9, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 },
})
const readMessages = async ({ sub, sessionId }: Run) =>
  (await stores.messages.loadNewest(sub, sessionId)).messages

describe('a run that is stopped', () => {
  it('while it is being written gets a stop request, and runs until its writer reads that', async () => {
    const run = await claimRun()
    expect(await stopRun(stores, { ...run, runId: undefined })).toMatchObject({
      run_id: run.runId,
      status: 'running',
    })
    const storedRun = await stores.runs.find(run.sub, run.sessionId)
    expect(storedRun).toMatchObject({ status: 'running', stopRequestedAtMs: expect.any(Number) as number })
  })

  it('while it waits ends at once, and keeps its text and tool calls', async () => {
    const run = await claimRun()
    await stores.runs.startWaiting(run, [approvalRequest], transcript)
    expect(await stopRun(stores, run)).toMatchObject({ run_id: run.runId, status: 'stopped' })
    const messages = await readMessages(run)
    expect(toTranscript(messages)).toEqual([['assistant', 'Shall I?']])
    expect(messages[0]).toMatchObject({
      ended: 'stopped',
      attachments: transcript.reply.attachments,
      tool_calls: [{ tool: 'read', action: 'Read', parameters: {}, result: { success: true, data: 1 } }],
      reasoning: { text: 'Hm.', durationMs: 3 },
      sources: transcript.reply.sources,
      usage: { inputTokens: 9, images: 1 },
    })
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'stopped', pending: [] })
  })

  it('and starts waiting at the same moment ends', async () => {
    const run = await claimRun()
    const runs: typeof stores.runs = {
      ...stores.runs,
      async requestStop(...args) {
        await stores.runs.startWaiting(run, [approvalRequest], transcript)
        return stores.runs.requestStop(...args)
      },
    }
    const stoppedIds: string[] = []
    const onWaitingStopped = async ({ runId }: Run) => void stoppedIds.push(runId)
    expect(await stopRun({ ...stores, runs }, { ...run, onWaitingStopped })).toMatchObject({
      status: 'stopped',
    })
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'stopped' })
    expect(stoppedIds).toEqual([run.runId])
  })

  it('DEC-192 by two requests at once while it waits is ended by one of them, with its text', async () => {
    const run = await claimRun()
    await stores.runs.startWaiting(run, [approvalRequest], transcript)
    let endCount = 0
    const onWaitingStopped = async () => void (endCount += 1)
    await Promise.all([1, 2].map(() => stopRun(stores, { ...run, onWaitingStopped })))
    expect(endCount).toBe(1)
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'stopped' })
    expect(toTranscript(await readMessages(run))).toEqual([['assistant', 'Shall I?']])
  })

  it.each([true, false])(
    'DEC-192 and is resumed at the same moment gets a stop request (saved: %s)',
    async (isSaved) => {
      const run = await claimRun({ isSaved })
      await stores.runs.startWaiting(run, [approvalRequest], transcript)
      const find = vi.spyOn(stores.runs, 'find').mockImplementationOnce(async (...args) => {
        find.mockRestore()
        const waitingRun = await stores.runs.find(...args)
        if (waitingRun) await stores.runs.resume(waitingRun, Date.now())
        return waitingRun
      })
      const onWaitingStopped = vi.fn<(stopped: Run) => Promise<void>>()
      expect(await stopRun(stores, { ...run, onWaitingStopped })).toMatchObject({ status: 'running' })
      expect(onWaitingStopped).not.toHaveBeenCalled()
      const storedRun = await stores.runs.find(run.sub, run.sessionId)
      expect(storedRun).toMatchObject({ status: 'running', stopRequestedAtMs: expect.any(Number) as number })
      expect(await readMessages(run)).toEqual([])
    },
  )

  it('after its end stays as it ended', async () => {
    const run = await claimRun()
    await stores.runs.end(run, 'failed', { error: 'The model is busy.' })
    expect(await stopRun(stores, run)).toMatchObject({ status: 'failed', error: 'The model is busy.' })
    expect(await readMessages(run)).toEqual([])
  })

  it('after its writer was lost is recovered', async () => {
    const run = await claimRun({ heartbeatAtMs: Date.now() - 60_000 })
    await stores.logs.append(run, [{ from: 0, to: 4, textId: 't', text: 'Well' }])
    expect(await stopRun(stores, run)).toMatchObject({ status: 'interrupted' })
    expect(toTranscript(await readMessages(run))).toEqual([['assistant', 'Well']])
  })

  it('and ends at the same moment is reported with its end', async () => {
    const run = await claimRun()
    vi.spyOn(stores.runs, 'requestStop').mockImplementationOnce(async (...args) => {
      await stores.runs.end(run, 'done')
      vi.restoreAllMocks()
      return stores.runs.requestStop(...args)
    })
    expect(await stopRun(stores, run)).toMatchObject({ run_id: run.runId, status: 'done' })
  })

  it('in a temporary chat, and deleted at the same moment, is reported as it was', async () => {
    const run = await claimRun({ isSaved: false })
    vi.spyOn(stores.runs, 'requestStop').mockImplementationOnce(async (...args) => {
      await stores.runs.deleteTemporary(run)
      vi.restoreAllMocks()
      return stores.runs.requestStop(...args)
    })
    expect(await stopRun(stores, run)).toMatchObject({ run_id: run.runId })
    expect(await stores.runs.find(run.sub, run.sessionId)).toBeUndefined()
  })

  it('while it waits ends its calls also if its reply cannot be stored, and the next stop is accepted', async () => {
    const run = await claimRun()
    await stores.runs.startWaiting(run, [approvalRequest], transcript)
    const unavailable = new ObjectStoreUnavailable('down')
    const put = vi.spyOn(stores.messages, 'put').mockRejectedValueOnce(unavailable)
    const onWaitingStopped = vi.fn<(stopped: Run) => Promise<void>>(async () => undefined)
    await expect(stopRun(stores, { ...run, onWaitingStopped })).rejects.toBe(unavailable)
    expect(onWaitingStopped.mock.calls).toMatchObject([[{ runId: run.runId, pending: [{ callId: 'c1' }] }]])
    put.mockRestore()
    expect(await stopRun(stores, { ...run, onWaitingStopped })).toMatchObject({ status: 'running' })
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({
      stopRequestedAtMs: expect.any(Number) as number,
    })
    expect(onWaitingStopped).toHaveBeenCalledOnce()
  })

  it('while the table fails reports the error of the table', async () => {
    const run = await claimRun()
    const tableError = new Error('the table is down')
    vi.spyOn(stores.runs, 'requestStop').mockRejectedValueOnce(tableError)
    await expect(stopRun(stores, run)).rejects.toBe(tableError)
  })
})

it.each([
  ['there is none', (run: Run) => ({ ...run, sessionId: 'none' })],
  ['another one is named', (run: Run) => ({ ...run, runId: 'another' })],
  ['it is somebody else’s', (run: Run) => ({ ...run, sub: 'stranger' })],
])('no run is found when %s, and the current one keeps running', async (_, toInput) => {
  const run = await claimRun()
  await expect(stopRun(stores, toInput(run))).rejects.toMatchObject({ status: 404, code: 'run_not_found' })
  expect(await stores.runs.find(run.sub, run.sessionId)).toEqual(run)
})
