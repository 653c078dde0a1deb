import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { isReplyWaiting, type ConversationState } from './conversation-state.ts'
import { createConversation } from './create-conversation.ts'
import { loadRunner } from './conversation-store.ts'
import {
  anApprovalRequest,
  delta,
  buildSessionRead,
  finish,
  server,
  start,
  waitingRun,
} from '../../../../../test/support/chat-server.ts'
import { getActiveReply } from './pending-reply.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { newConversationOptions } from '../../../../../test/support/fake-conversation.ts'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

// loading code takes time that no fake timer passes
beforeAll(() => Promise.all([loadRunner(), import('../calls/notify-tool-results.ts')]))
beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(showToast).mockClear()
})
afterEach(() => {
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(20)
const createInputEvent = (toolCallId: string): ChatEvent => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'gmail_send_email',
  input: {},
  providerMetadata: { juno: { kind: 'other', title: 'Send an e-mail', integration: 'Gmail' } },
})
const createOutputEvent = (toolCallId: string): ChatEvent => ({
  type: 'tool-output-available',
  toolCallId,
  output: { sent: true },
})
const waitingEvent: ChatEvent = { type: 'data-run', data: waitingRun(anApprovalRequest()) }
const userMessage = {
  id: 'm1',
  session_id: 's',
  role: 'user' as const,
  content: 'Send it',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
}

/** A conversation whose reply waits, and its server. */
async function setUpWaiting(runEvent: ChatEvent = waitingEvent, isTemporary = false) {
  const fakeServer = server()
  const { api, lastStream } = fakeServer
  const conversation = createConversation(newConversationOptions(api))
  conversation.chooseTemporary(isTemporary)
  conversation.send('Send it')
  await settle()
  const begin = { ...start, messageMetadata: { runId: 'run', kept: !isTemporary } }
  for (const event of [begin, createInputEvent('c1'), runEvent, finish, 'done'] as const)
    lastStream()?.write(event)
  await settle()
  const state = conversation.getState
  return {
    ...fakeServer,
    conversation,
    state,
    listContents: () => state().messages.map((m) => m.content),
  }
}
const getFailure = (state: ConversationState) => getActiveReply(state.pending)?.failedDecision
const approve = { callId: 'c1', approved: true }
const notFound = new ApiError({ status: 404, code: 'run_not_found', userMessage: 'gone' })

it('a waiting reply stays pending, and no second message is sent', async () => {
  const { conversation, state, listContents, api } = await setUpWaiting()
  expect(state()).toMatchObject({
    isReplying: true,
    pending: { phase: 'open', runId: 'run', approvals: [{ call_id: 'c1' }] },
  })
  expect(listContents()).toEqual(['Send it'])
  expect(conversation.send('More')).toBe(false)
  expect(api.read).not.toHaveBeenCalled()
  expect(showToast).not.toHaveBeenCalled()
})

it('continues the same turn with the user’s decision', async () => {
  const { conversation, state, listContents, api, lastStream } = await setUpWaiting()
  conversation.decide({ ...approve, arguments: { to: 'ben@example.org' } })
  await settle()
  expect(api.decide.mock.calls[0]?.slice(0, 2)).toEqual([
    's',
    { callId: 'c1', approved: true, arguments: { to: 'ben@example.org' }, runId: 'run' },
  ])
  expect(isReplyWaiting(state())).toBe(false)
  for (const event of [createOutputEvent('c1'), delta('Done.'), finish, 'done'] as const)
    lastStream()?.write(event)
  await settle()
  expect(listContents()).toEqual(['Send it', 'Hello'])
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['success', 'Tools Executed Successfully', { description: 'Used: Gmail · Send an e-mail' }],
  ])
})

it('waits until all requests are decided', async () => {
  const approvals = [anApprovalRequest(), anApprovalRequest({ call_id: 'c2' })]
  const { conversation, state, lastStream } = await setUpWaiting({
    type: 'data-run',
    data: waitingRun(...approvals),
  })
  conversation.decide(approve)
  await settle()
  expect(getActiveReply(state().pending)?.approvals.map(({ decision }) => decision)).toEqual([
    'approved',
    null,
  ])
  lastStream()?.write('done')
  await settle()
  conversation.decide({ callId: 'c2', approved: false })
  await settle()
  expect(getActiveReply(state().pending)?.approvals).toEqual([])
})

it('keeps the request when the decision could not be sent', async () => {
  const { conversation, state, api } = await setUpWaiting()
  api.decide.mockRejectedValue(new NetworkError())
  api.read.mockRejectedValue(new NetworkError())
  conversation.decide(approve)
  await settle()
  expect(getFailure(state())).toMatchObject({ callId: 'c1', failure: { kind: 'connection' } })
  expect(isReplyWaiting(state())).toBe(true)
  expect(state().error).toBeNull()
})

/** Decides, and waits until the stream is opened again because no response has come. */
async function decideWithoutResponse({
  conversation,
  api,
}: Pick<Awaited<ReturnType<typeof setUpWaiting>>, 'conversation' | 'api'>) {
  api.decide.mockImplementationOnce(
    (_id, _decision, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  conversation.decide(approve)
  await vi.advanceTimersByTimeAsync(26_100)
}

it('a decision without response settles when the reopened stream ends, and can be sent again while it is open', async () => {
  const { conversation, state, api, lastStream } = await setUpWaiting()
  await decideWithoutResponse({ conversation, api })
  expect(api.reattach).toHaveBeenCalledOnce()
  for (const event of [start, createInputEvent('c1'), waitingEvent, 'done'] as const)
    lastStream()?.write(event)
  await settle()
  expect(getFailure(state())).toMatchObject({ callId: 'c1', failure: { kind: 'connection' } })
  expect(isReplyWaiting(state())).toBe(true)
  conversation.decide(approve)
  await settle()
  expect(api.decide).toHaveBeenCalledTimes(2)
})

it('a decision without response that the server has carried out settles without an error', async () => {
  const { conversation, state, api, lastStream } = await setUpWaiting()
  await decideWithoutResponse({ conversation, api })
  for (const event of [start, createOutputEvent('c1'), delta('Done.'), finish, 'done'] as const)
    lastStream()?.write(event)
  await settle()
  expect(state().isReplying).toBe(false)
})

it('shows the decision when it was made elsewhere', async () => {
  const { conversation, state, listContents, api } = await setUpWaiting()
  api.decide.mockRejectedValue(notFound)
  const reply = { ...userMessage, id: 'r1', role: 'assistant' as const, content: 'Sent from the phone.' }
  api.read.mockResolvedValue(buildSessionRead({ messages: [userMessage, reply] }))
  conversation.decide(approve)
  await settle()
  expect(state()).toMatchObject({ isReplying: false, error: null })
  expect(listContents()).toEqual(['Send it', 'Sent from the phone.'])
})

it('an approval after its time is not sent, because it would count as a denial; a denial is', async () => {
  const { conversation, state, api } = await setUpWaiting({
    type: 'data-run',
    data: waitingRun(anApprovalRequest({ lapses_at: new Date(Date.now() + 1_000).toISOString() })),
  })
  await vi.advanceTimersByTimeAsync(1_001)
  conversation.decide(approve)
  await settle()
  expect(api.decide).not.toHaveBeenCalled()
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['info', 'Your answer came too late', { description: 'The reply was no longer waiting for it.' }],
  ])
  expect(isReplyWaiting(state())).toBe(true)
  conversation.decide({ ...approve, approved: false })
  await settle()
  expect(api.decide).toHaveBeenCalledOnce()
})

it('a decision on a run that another one has followed comes too late', async () => {
  const { conversation, state, api } = await setUpWaiting()
  api.decide.mockRejectedValue(new ApiError({ status: 409, code: 'run_changed', userMessage: 'changed' }))
  const reply = { ...userMessage, id: 'r1', role: 'assistant' as const, content: 'Sent from the phone.' }
  api.read.mockResolvedValue(buildSessionRead({ messages: [userMessage, reply] }))
  conversation.decide(approve)
  await settle()
  expect(vi.mocked(showToast).mock.calls.map(([, title]) => title)).toEqual(['Your answer came too late'])
  expect(state()).toMatchObject({ isReplying: false, error: null })
})

it('keeps waiting after a refresh, and follows a reply that continues elsewhere', async () => {
  const { conversation, state, api } = await setUpWaiting()
  api.read.mockResolvedValue(
    buildSessionRead({ messages: [userMessage], run: waitingRun(anApprovalRequest()) }),
  )
  const toolCalls = getActiveReply(state().pending)?.toolCalls
  conversation.refresh()
  await settle()
  expect(api.reattach).not.toHaveBeenCalled()
  expect(toolCalls).toHaveLength(1)
  expect(getActiveReply(state().pending)?.toolCalls).toBe(toolCalls)
  expect(isReplyWaiting(state())).toBe(true)
  api.read.mockResolvedValue(
    buildSessionRead({
      messages: [userMessage],
      run: { ...waitingRun(), status: 'running', questions: undefined },
    }),
  )
  conversation.refresh()
  await settle()
  expect(isReplyWaiting(state())).toBe(false)
  expect(api.reattach).toHaveBeenCalledOnce()
})

it('shows the request and the partial reply again after a reload', async () => {
  const { api, lastStream } = server()
  const conversation = createConversation({ ...newConversationOptions(api), isNew: false })
  api.read.mockResolvedValue(
    buildSessionRead({ messages: [userMessage], run: waitingRun(anApprovalRequest()) }),
  )
  conversation.refresh()
  await settle()
  expect(isReplyWaiting(conversation.getState())).toBe(true)
  for (const event of [start, delta('Let me see.'), createInputEvent('c1'), waitingEvent, 'done'] as const)
    lastStream()?.write(event)
  await settle()
  expect(conversation.getState()).toMatchObject({
    streamingText: 'Let me see.',
    pending: { approvals: [{ call_id: 'c1' }] },
  })
})

it('stops a waiting reply, and reads the result, because no stream reports it', async () => {
  const { conversation, state, listContents, api } = await setUpWaiting()
  const stopMessage = { ...userMessage, id: 'r1-s', role: 'assistant' as const, content: 'Stopped.' }
  api.read.mockResolvedValue(buildSessionRead({ messages: [userMessage, stopMessage], run: null }))
  expect(await conversation.stop()).toBe(true)
  await settle()
  expect(api.stop).toHaveBeenCalledWith('s', 'run')
  expect(state().isReplying).toBe(false)
  expect(listContents()).toEqual(['Send it', 'Stopped.'])
})

it('DEC-033 stops a waiting reply of a temporary chat without reading it from the server', async () => {
  const { conversation, state, api } = await setUpWaiting(waitingEvent, true)
  expect(await conversation.stop()).toBe(true)
  expect(state().isReplying).toBe(false)
  expect(api.read).not.toHaveBeenCalled()
})

it('a second decision does not replace the one on its way', async () => {
  const approvals = [anApprovalRequest(), anApprovalRequest({ call_id: 'c2' })]
  const { conversation, state, api } = await setUpWaiting({
    type: 'data-run',
    data: waitingRun(...approvals),
  })
  api.decide.mockReturnValue(new Promise(() => undefined))
  conversation.decide(approve)
  conversation.decide({ ...approve, approved: false })
  conversation.decide({ callId: 'c2', approved: false })
  await settle()
  expect(api.decide.mock.calls.map(([, { callId, approved }]) => [callId, approved])).toEqual([['c1', true]])
  expect(getActiveReply(state().pending)?.deciding).toMatchObject(approve)
})
