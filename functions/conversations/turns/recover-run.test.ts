import { describe, expect, it, vi } from 'vitest'
import type { Activity, ChatEvent } from '#shared/chat-events.ts'
import { deniedByUser } from '#shared/denied-call.ts'
import {
  newConversationIds,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../../test/support/conversations.ts'
import { finishRun, type EndedReply } from './finish-run.ts'
import { recoverRun } from './recover-run.ts'
import { ReplyLog } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'

const stores = await openSharedStores()

/** A run whose writer was lost after it had written these events. */
async function aLostRun(events: readonly ChatEvent[], changes: Partial<Run> = {}) {
  const longAgo = Date.now() - 60_000
  const newRun = aRun({ ...newConversationIds(), startedAtMs: longAgo, heartbeatAtMs: longAgo, ...changes })
  const run = await stores.runs.claim(newRun, undefined)
  const reply = new ReplyLog()
  for (const event of events) reply.push(event)
  await stores.logs.append(run, reply.readAfter(0))
  return run
}

const loadMessages = async ({ sub, sessionId }: Run) =>
  (await stores.messages.loadNewest(sub, sessionId)).messages

const call = (toolCallId: string, toolName: string, activity?: Omit<Activity, 'kind'>): ChatEvent => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input: { to: toolName },
  ...(activity && { providerMetadata: { juno: { kind: 'other', ...activity } } }),
})

it('a lost reply is stored with everything that its checkpoints hold', async () => {
  const image = { id: 'i', name: 'cat.png', type: 'image/png', size: 1 }
  const usage = { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2, reasoningTokens: 1, images: 1 }
  const run = await aLostRun([
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'r1' },
    { type: 'reasoning-delta', id: 'r1', delta: 'Where' },
    { type: 'reasoning-delta', id: 'r1', delta: ' is it?' },
    { type: 'reasoning-end', id: 'r1', providerMetadata: { juno: { durationMs: 1_500 } } },
    { type: 'reasoning-start', id: 'r2' },
    { type: 'reasoning-delta', id: 'r2', delta: 'There.' },
    { type: 'reasoning-end', id: 'r2', providerMetadata: { juno: { durationMs: 500 } } },
    { type: 'source-url', sourceId: 'source-1', url: 'https://a.example/', title: 'A' },
    { type: 'message-metadata', messageMetadata: { usage: { ...usage, inputTokens: 1 } } },
    { type: 'message-metadata', messageMetadata: { usage } },
    { type: 'tool-input-start', toolCallId: 'z', toolName: 'never' },
    { type: 'tool-input-delta', toolCallId: 'z', inputTextDelta: '{"a":' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'I look.' },
    call('a', 'read', { title: 'Read a page', integration: 'Notion' }),
    { type: 'tool-output-available', toolCallId: 'a', output: { pages: 2 } },
    call('b', 'fail'),
    { type: 'tool-output-error', toolCallId: 'b', errorText: 'No such page.' },
    call('c', 'deny'),
    { type: 'tool-output-denied', toolCallId: 'c' },
    // models may repeat an id
    call('a', 'cut'),
    { type: 'data-attachment', data: image },
    { type: 'text-start', id: '2' },
    { type: 'text-delta', id: '2', delta: 'And so' },
  ])
  expect(await recoverRun(stores, run)).toMatchObject({ runId: run.runId, status: 'interrupted' })
  expect(await loadMessages(run)).toMatchObject([
    {
      id: run.replyId,
      role: 'assistant',
      content: 'I look.\n\nAnd so',
      ended: 'interrupted',
      reasoning: { text: 'Where is it?\n\nThere.', durationMs: 2_000 },
      sources: [{ url: 'https://a.example/', title: 'A' }],
      usage,
      attachments: [image],
      tool_calls: [
        {
          tool: 'read',
          action: 'Read a page',
          integration: 'Notion',
          parameters: { to: 'read' },
          result: { success: true, data: { pages: 2 } },
        },
        { tool: 'fail', action: 'fail', result: { success: false, error: 'No such page.' } },
        { tool: 'deny', result: { success: false, error: deniedByUser } },
        {
          tool: 'cut',
          result: { success: false, error: 'Interrupted before it answered. It may have been done.' },
        },
      ],
    },
  ])
  expect((await loadMessages(run))[0]?.tool_calls[1]).not.toHaveProperty('integration')
  // its checkpoints are no longer needed
  expect(await stores.logs.read(run, 0)).toEqual([])
})

it('a reply that waited, went on and was lost keeps what it had before it waited', async () => {
  const longAgo = Date.now() - 60_000
  const run = await stores.runs.claim(aRun({ ...newConversationIds(), startedAtMs: longAgo }), undefined)
  const reply = new ReplyLog()
  reply.push({ type: 'text-start', id: '1' })
  reply.push({ type: 'text-delta', id: '1', delta: 'I have read your mails.' })
  reply.push(call('a', 'read'))
  reply.push({ type: 'tool-output-available', toolCallId: 'a', output: 3 })
  await stores.logs.append(run, reply.readAfter(0))
  const waiting = await stores.runs.startWaiting(
    run,
    [
      {
        callId: 'b',
        kind: 'approval',
        tool: 'send',
        title: '',
        fingerprint: 'f',
        arguments: '{}',
        askedAtMs: 1,
      },
    ],
    aTranscript({}, { position: reply.position }),
  )
  const resumed = await stores.runs.resume(waiting, longAgo)
  expect(await recoverRun(stores, resumed)).toMatchObject({ status: 'interrupted' })
  expect(await loadMessages(run)).toMatchObject([
    { content: 'I have read your mails.', tool_calls: [{ tool: 'read', result: { success: true } }] },
  ])
})

it('a lost reply that the user had stopped becomes a stopped one', async () => {
  const run = await aLostRun([{ type: 'text-delta', id: '1', delta: 'Well' }])
  const stopRequested = await stores.runs.requestStop(run, Date.now() - 50_000)
  expect(await recoverRun(stores, stopRequested)).toMatchObject({ status: 'stopped' })
  const contents = (await loadMessages(run)).map(({ content }) => content)
  expect(contents).toEqual(['Well'])
})

it('a run that was marked as interrupted ends as stopped, without text too, if the user had stopped it', async () => {
  const run = await aLostRun([])
  await stores.runs.requestStop(run, Date.now() - 50_000)
  const activity = { title: 'Hello', replacesTitle: false, addedMessages: 0, at: new Date().toISOString() }
  await stores.conversations.upsert(run.sub, run.sessionId, activity)
  await stores.runs.interrupt(run)
  const markedRun = (await stores.runs.find(run.sub, run.sessionId)) as Run
  expect(markedRun.status).toBe('interrupted')
  expect(await recoverRun(stores, markedRun)).toMatchObject({ status: 'stopped' })
  expect(await loadMessages(run)).toMatchObject([{ content: '', ended: 'stopped' }])
})

it('reasoning whose duration is unknown is stored with its text', async () => {
  const run = await aLostRun([
    { type: 'reasoning-start', id: 'r1' },
    { type: 'reasoning-delta', id: 'r1', delta: 'Where is it?' },
    { type: 'reasoning-end', id: 'r1' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'There.' },
  ])
  await recoverRun(stores, run)
  expect(await loadMessages(run)).toMatchObject([{ content: 'There.', reasoning: { text: 'Where is it?' } }])
})

it('a lost run that wrote nothing is interrupted, and leaves no message', async () => {
  const run = await aLostRun([])
  expect(await recoverRun(stores, run)).toMatchObject({ status: 'interrupted' })
  expect(await loadMessages(run)).toEqual([])
})

it('a live run and an ended run stay as they are', async () => {
  const liveRun = await aLostRun([], { heartbeatAtMs: Date.now() })
  expect(await recoverRun(stores, liveRun)).toBe(liveRun)
  const endedRun = await stores.runs.end(liveRun, 'done')
  expect(await recoverRun(stores, endedRun)).toBe(endedRun)
})

it('a run whose heartbeat has been updated since it was read stays running', async () => {
  const run = await aLostRun([])
  await stores.runs.heartbeat(run, Date.now())
  expect(await recoverRun(stores, run)).toMatchObject({ runId: run.runId, status: 'running' })
})

it('a lost run of a temporary chat is deleted completely', async () => {
  const run = await aLostRun([], { isSaved: false })
  expect(await recoverRun(stores, run)).toBeUndefined()
  expect(await loadMessages(run)).toEqual([])
})

describe('a reply that several requests recover', () => {
  const reply: EndedReply = {
    status: 'interrupted',
    content: 'Well',
    toolCalls: [],
    attachments: [],
    hasCheckpoints: true,
  }

  /** A lost run that is marked as interrupted, in a conversation that has a row. */
  async function aMarkedRun() {
    const run = await aLostRun([])
    const activity = { title: 'Hello', replacesTitle: false, addedMessages: 0, at: new Date().toISOString() }
    await stores.conversations.upsert(run.sub, run.sessionId, activity)
    expect(await stores.runs.interrupt(run)).toBe(true)
    return run
  }

  it('stays when one of them is slower than the next message', async () => {
    const run = await aMarkedRun()
    await finishRun(stores, run, reply, 'recovery')
    const endedRun = await stores.runs.find(run.sub, run.sessionId)
    await stores.runs.claim(aRun({ sub: run.sub, sessionId: run.sessionId, turn: 2 }), endedRun)
    const deleteFiles = vi.spyOn(stores.files, 'deleteConversationFiles')
    await expect(finishRun(stores, run, reply, 'recovery')).rejects.toMatchObject({ code: 'run_lost' })
    expect(await loadMessages(run)).toMatchObject([{ content: 'Well', ended: 'interrupted' }])
    expect(deleteFiles).not.toHaveBeenCalled()
  })

  it('is removed with its images when the conversation was deleted meanwhile', async () => {
    const run = await aMarkedRun()
    await stores.conversations.markDeleted(run.sub, run.sessionId, Date.now())
    const deleteFiles = vi.spyOn(stores.files, 'deleteConversationFiles')
    await expect(finishRun(stores, run, reply, 'recovery')).rejects.toMatchObject({
      code: 'session_not_found',
    })
    expect(await loadMessages(run)).toEqual([])
    expect(deleteFiles.mock.calls).toEqual([[run.sub, [run.sessionId]]])
  })
})
