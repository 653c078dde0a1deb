import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { longReplyMs } from '../../../lib/browser/limits.ts'
import {
  anApprovalRequest,
  buildSessionRead,
  finish,
  server,
  session,
  start,
  waitingRun,
} from '../../../../../test/support/chat-server.ts'
import '../../../lib/conversations/conversation-cache.ts'
import { conversationListKey } from '../../../lib/conversations/conversation-list.ts'
import { createQueryClient } from '../../../lib/actions/query-client.ts'
import { chatApi } from '../stream/chat-api.ts'
import { loadConfig, type AppConfig } from '../../../lib/api/config.ts'
import * as notifications from '../../../lib/browser/reply-notifications.ts'
import { createRunningActions, decisionKey } from '../../../lib/actions/running-actions.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import { createOpenConversations } from './conversations.ts'
import { loadRunner } from './conversation-store.ts'

vi.mock(import('../../../lib/browser/reply-notifications.ts'), { spy: true })
vi.mock(import('../../../lib/api/config.ts'), { spy: true })

const userMessage = {
  id: 'm1',
  session_id: 's',
  role: 'user' as const,
  content: 'Hi',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
}

beforeAll(loadRunner)

function setUp() {
  vi.useFakeTimers()
  const { api, lastStream } = server()
  api.read.mockResolvedValue(buildSessionRead({ messages: [userMessage] }))
  vi.spyOn(chatApi, 'read').mockImplementation(api.read)
  vi.spyOn(chatApi, 'send').mockImplementation(api.send)
  vi.mocked(loadConfig).mockResolvedValue({ brandName: 'Juno' } as AppConfig)
  const client = createQueryClient()
  const showReplyNotification = vi.mocked(notifications.showReplyNotification).mockReset().mockResolvedValue()
  return { client, conversations: createOpenConversations(client, 'u'), lastStream, showReplyNotification }
}
const advanceMinutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

it('drops a conversation that is no longer shown, with its cached messages', async () => {
  const { conversations } = setUp()
  const conversation = conversations.get('s', { isNew: false })
  conversation.refresh()
  await advanceMinutes(1)
  expect(conversation.getState().messages).toHaveLength(1)
  expect(conversations.get('s', { isNew: false })).toBe(conversation)
  await advanceMinutes(6)
  const again = conversations.get('s', { isNew: false })
  expect(again).not.toBe(conversation)
  again.refresh()
  await advanceMinutes(1)
  expect(again.getState().messages).toHaveLength(1)
  vi.useRealTimers()
})

it('keeps a conversation whose reply is running', async () => {
  const { conversations } = setUp()
  const conversation = conversations.get('s', { isNew: false })
  conversation.refresh()
  await vi.advanceTimersByTimeAsync(20)
  conversation.send('And now?')
  await advanceMinutes(10)
  expect(conversations.get('s', { isNew: false })).toBe(conversation)
  expect(conversation.getState().messages.at(-1)?.content).toBe('And now?')
  vi.useRealTimers()
})

it('the next new chat removes the temporary chat from the cache', async () => {
  const { client, conversations } = setUp()
  const id = conversations.newChatId.getState()
  const chat = conversations.get(id, { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  await vi.advanceTimersByTimeAsync(20)
  const listCacheKeys = () =>
    JSON.stringify(
      client
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    )
  expect(listCacheKeys()).toContain(id)
  conversations.startNewChat()
  await vi.advanceTimersByTimeAsync(20)
  expect(listCacheKeys()).not.toContain(id)
  expect(conversations.get(id, { isNew: true })).not.toBe(chat)
  vi.useRealTimers()
})

it('a sign-out ends an unanswered temporary chat', async () => {
  const { client, conversations } = setUp()
  const chat = conversations.get(conversations.newChatId.getState(), { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  await vi.advanceTimersByTimeAsync(20)
  conversations.close()
  expect(client.getQueryCache().hasListeners()).toBe(false)
  expect(client.getQueryCache().getAll()).toEqual([])
  vi.useRealTimers()
})

it.each<[string, (conversations: ReturnType<typeof createOpenConversations>) => unknown]>([
  ['the page is left', () => dispatchEvent(new Event('pagehide'))],
  ['another chat starts', (conversations) => conversations.startNewChat()],
  ['the user signs out', (conversations) => conversations.close()],
])('the reply of a temporary chat is stopped when %s', async (_, leave) => {
  const { conversations, lastStream } = setUp()
  onTestFinished(() => conversations.close())
  const stop = vi.spyOn(chatApi, 'stop').mockReset().mockRejectedValue(new Error('offline'))
  const id = conversations.newChatId.getState()
  const chat = conversations.get(id, { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  await vi.advanceTimersByTimeAsync(20)
  lastStream()?.write({ ...start, messageMetadata: { ...start.messageMetadata, kept: false } })
  lastStream()?.write({ type: 'data-run', data: waitingRun(anApprovalRequest()) })
  await vi.advanceTimersByTimeAsync(20)
  leave(conversations)
  expect(stop.mock.calls).toEqual([[id, undefined, { keepalive: true }]])
  vi.useRealTimers()
})

it('a decision on its way is known to whoever else shows the call, until it has arrived', async () => {
  const { client, conversations, lastStream } = setUp()
  onTestFinished(() => conversations.close())
  const decided = Promise.withResolvers<ReadableStream<Uint8Array>>()
  vi.spyOn(chatApi, 'decide').mockReset().mockReturnValue(decided.promise)
  const chat = conversations.get('s', { isNew: true })
  chat.send('Send it')
  await vi.advanceTimersByTimeAsync(20)
  const { messageMetadata } = start
  lastStream()?.write({ ...start, messageMetadata: { ...messageMetadata, runId: 'run', kept: true } })
  lastStream()?.write({ type: 'data-run', data: waitingRun(anApprovalRequest()) })
  await vi.advanceTimersByTimeAsync(20)
  chat.decide({ callId: 'c1', approved: true, always: true })
  const { running } = getUserResource(client, createRunningActions)
  expect([...running.getState()]).toEqual([[decisionKey('run', 'c1'), 'always']])
  decided.resolve(new ReadableStream())
  await vi.advanceTimersByTimeAsync(20)
  expect([...running.getState()]).toEqual([])
  vi.useRealTimers()
})

it('leaving stops no reply of a stored chat, and asks for nothing once a temporary one has its reply', async () => {
  const { conversations, lastStream } = setUp()
  onTestFinished(() => conversations.close())
  const stop = vi.spyOn(chatApi, 'stop').mockReset().mockResolvedValue(undefined)
  conversations.get('s', { isNew: true }).send('Hi')
  const chat = conversations.get(conversations.newChatId.getState(), { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  await vi.advanceTimersByTimeAsync(20)
  lastStream()?.write(finish)
  await vi.advanceTimersByTimeAsync(20)
  expect(chat.getState().isReplying).toBe(false)
  dispatchEvent(new Event('pagehide'))
  expect(stop).not.toHaveBeenCalled()
  vi.useRealTimers()
})

const runView = { run_id: 'run', message_id: 'm1', reply_id: 'r1' }

it.each<[string, readonly ChatEvent[]]>([
  [
    'has ended that another request has written',
    [{ type: 'data-reply', data: { messages: [userMessage], run: { ...runView, status: 'done' } } }, finish],
  ],
  ['waits for the user', [{ type: 'data-run', data: waitingRun(anApprovalRequest()) }]],
])('the lists are fetched again when a reply %s', async (_, events) => {
  const { client, conversations, lastStream } = setUp()
  onTestFinished(() => conversations.close())
  const queryKey = conversationListKey('active')
  const isOutdated = () => client.getQueryState(queryKey)?.isInvalidated
  conversations.get('s', { isNew: true }).send('Hi')
  await vi.advanceTimersByTimeAsync(20)
  lastStream()?.write(start)
  await vi.advanceTimersByTimeAsync(20)
  client.setQueryData(queryKey, { sessions: [{ ...session, message_count: 1 }], total: 1 })
  for (const event of events) lastStream()?.write(event)
  await vi.advanceTimersByTimeAsync(20)
  vi.useRealTimers()
  await vi.waitFor(() => expect(isOutdated()).toBe(true))
})

it('the lists are fetched again when a reply has ended without a last event', async () => {
  const { client, conversations, lastStream } = setUp()
  onTestFinished(() => conversations.close())
  const queryKey = conversationListKey('active')
  conversations.get('s', { isNew: true }).send('Hi')
  await vi.advanceTimersByTimeAsync(20)
  lastStream()?.write(start)
  await vi.advanceTimersByTimeAsync(20)
  client.setQueryData(queryKey, { sessions: [{ ...session, message_count: 1 }], total: 1 })
  lastStream()?.write('done')
  await vi.advanceTimersByTimeAsync(20)
  vi.useRealTimers()
  await vi.waitFor(() => expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true))
})

describe('a reply that ends while the page is hidden', () => {
  /** @param tookMs how long the reply is written */
  async function endReply(tookMs: number, last: readonly ChatEvent[]) {
    const { conversations, lastStream, showReplyNotification } = setUp()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    onTestFinished(() => hidden.mockRestore())
    // another one is shown meanwhile
    conversations.get('s', { isNew: true }).send('Hi')
    await vi.advanceTimersByTimeAsync(20)
    lastStream()?.write(start)
    await vi.advanceTimersByTimeAsync(tookMs)
    for (const event of last) lastStream()?.write(event)
    await vi.advanceTimersByTimeAsync(20)
    vi.useRealTimers()
    return { conversations, hidden, showReplyNotification }
  }

  it.each<[string, number, readonly ChatEvent[], string | undefined]>([
    ['is unread', 1_000, [finish], undefined],
    ['is notified after a long time', longReplyMs, [finish], 'ready'],
    [
      'is notified as unfinished if it failed',
      longReplyMs,
      [{ type: 'error', errorText: 'No.' }],
      'unfinished',
    ],
    [
      'is notified as unfinished if it is incomplete',
      longReplyMs,
      [
        { type: 'data-run', data: { run_id: 'run', status: 'incomplete', message_id: 'm', reply_id: 'r' } },
        finish,
      ],
      'unfinished',
    ],
    [
      'is notified when it waits for the user',
      longReplyMs,
      [{ type: 'data-run', data: waitingRun(anApprovalRequest()) }],
      'waiting',
    ],
  ])('%s, also in a conversation that is not shown', async (_name, tookMs, last, what) => {
    const { conversations, hidden, showReplyNotification } = await endReply(tookMs, last)
    const expected = what === undefined ? [] : [['Juno', what, 's', `${location.origin}/?c=s`]]
    await vi.waitFor(() => expect(showReplyNotification.mock.calls).toEqual(expected))
    expect(conversations.hasUnread.getState()).toBe(true)
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(conversations.hasUnread.getState()).toBe(false)
  })
})
