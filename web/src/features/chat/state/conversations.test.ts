import { beforeAll, expect, it, vi } from 'vitest'
import { emptySession, server } from '../../../../../test/support/chat-server.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
import { chatApi } from '../stream/chat-api.ts'
import { createConversations } from './conversations.ts'
import { loadReplyStream } from './create-conversation.ts'

const user = {
  id: 'm1',
  session_id: 's',
  role: 'user' as const,
  content: 'Hi',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
}

beforeAll(loadReplyStream)

function setUp() {
  vi.useFakeTimers()
  const { api } = server()
  api.read.mockResolvedValue(emptySession({ messages: [user] }))
  vi.spyOn(chatApi, 'read').mockImplementation(api.read)
  vi.spyOn(chatApi, 'send').mockImplementation(api.send)
  const client = createQueryClient()
  return { client, conversations: createConversations(client, 'u') }
}
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

it('a conversation that nobody looks at is forgotten with what was read of it', async () => {
  const { conversations } = setUp()
  const read = conversations.get('s', false)
  read.refresh()
  await minutes(1)
  expect(read.getState().messages).toHaveLength(1)
  expect(conversations.get('s', false)).toBe(read)
  await minutes(6)
  const again = conversations.get('s', false)
  expect(again).not.toBe(read)
  again.refresh()
  await minutes(1)
  expect(again.getState().messages).toHaveLength(1)
  vi.useRealTimers()
})

it('one whose reply is running stays', async () => {
  const { conversations } = setUp()
  const writing = conversations.get('s', false)
  writing.refresh()
  await vi.advanceTimersByTimeAsync(20)
  writing.send('And now?')
  await minutes(10)
  expect(conversations.get('s', false)).toBe(writing)
  expect(writing.getState().messages.at(-1)?.content).toBe('And now?')
  vi.useRealTimers()
})

it('nothing of a temporary chat is left behind by the next one', async () => {
  const { client, conversations } = setUp()
  const id = conversations.newChatId.getState()
  const chat = conversations.get(id, true)
  chat.send('A secret', [], false)
  await vi.advanceTimersByTimeAsync(20)
  const inCache = () =>
    JSON.stringify(
      client
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    )
  expect(inCache()).toContain(id)
  conversations.startNewChat()
  await vi.advanceTimersByTimeAsync(20)
  expect(inCache()).not.toContain(id)
  expect(conversations.get(id, true)).not.toBe(chat)
  vi.useRealTimers()
})
