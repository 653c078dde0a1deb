import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  aQuestion,
  delta,
  emptySession,
  finish,
  server,
  start,
} from '../../../../../test/support/chat-server.ts'
import { NetworkError } from '../../../lib/api-errors.ts'
import {
  discardDraft,
  removeDrafts,
  readDraftList,
  saveDraft,
  setDraftTemporary,
} from '../../../lib/drafts.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
import { chatApi } from '../stream/chat-api.ts'
import { createConversations } from './conversations.ts'
import { loadReplyStream } from './create-conversation.ts'
import { maxQueuedMessages } from './message-queue.ts'

const settle = () => vi.advanceTimersByTimeAsync(20)
const file = { id: 'f1', name: 'a.png', type: 'image/png', size: 3 }

/** A conversation whose reply to 'Hi' has begun. */
async function setUp() {
  const double = server()
  const { api, last } = double
  for (const name of ['send', 'read', 'stop', 'decide', 'reattach'] as const)
    vi.spyOn(chatApi, name).mockImplementation(api[name] as never)
  const open = () => createConversations(createQueryClient(), 'u').get('s', true)
  const conversation = open()
  conversation.send('Hi')
  await settle()
  const write = async (...events: Parameters<NonNullable<ReturnType<typeof last>>['write']>[0][]) => {
    for (const event of events) last()?.write(event)
    await settle()
  }
  await write(start, delta('Hel'))
  const sent = () => api.send.mock.calls.map(([{ messages }]) => messages.at(-1)?.content)
  const waiting = () => conversation.queue.messages.getState().map(({ text }) => text)
  return { ...double, conversation, queue: conversation.queue, write, sent, waiting, open }
}

beforeAll(() => Promise.all([loadReplyStream(), import('../attachments/analyze-documents.ts')]))
beforeEach(() => {
  vi.useFakeTimers()
  removeDrafts()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('DEC-169 queued messages wait for the end of the reply and are sent one by one', async () => {
  const { queue, write, sent, waiting } = await setUp()
  expect(queue.add(' Two ', [])).toBe(true)
  queue.add('Three', [])
  await settle()
  expect([sent(), waiting()]).toEqual([['Hi'], ['Two', 'Three']])
  await write(finish, 'done')
  expect([sent(), waiting()]).toEqual([['Hi', 'Two'], ['Three']])
  await write({ ...start, messageId: 'r2' }, delta('Yes'))
  expect(sent()).toHaveLength(2)
  await write(finish, 'done')
  expect([sent(), waiting()]).toEqual([['Hi', 'Two', 'Three'], []])
  expect(localStorage.getItem('draft:queue:u/s')).toBeNull()
})

it('DEC-169 files are sent with their message, and after a reload under the same id', async () => {
  const { queue, api, write, open } = await setUp()
  queue.add('Read this', [{ ...file, url: 'https://bucket/secret-link' } as typeof file])
  expect(localStorage.getItem('draft:queue:u/s')).not.toContain('secret-link')
  const [queued] = open().queue.messages.getState()
  expect(queued).toMatchObject({ text: 'Read this', attachments: [file] })
  await write(finish, 'done')
  expect(api.send).toHaveBeenCalledTimes(2)
  const [request] = api.send.mock.calls[1] ?? []
  expect(request).toMatchObject({ messageId: queued?.id, messages: [{ attachments: [{ id: 'f1' }] }] })
})

it('what a stream says after the end of its reply is not about the message that was sent then', async () => {
  const { queue, sent, waiting, write, last } = await setUp()
  queue.add('Two', [])
  queue.add('Three', [])
  // one stream, all at once: the reply that was stored meanwhile, and the end that everybody hears
  const stream = last()
  stream?.write(finish)
  stream?.write(finish)
  stream?.write('done')
  await settle()
  expect([sent(), waiting()]).toEqual([['Hi', 'Two'], ['Three']])
  await write({ ...start, messageId: 'r2' }, finish, 'done')
  expect([sent(), waiting()]).toEqual([['Hi', 'Two', 'Three'], []])
})

describe('DEC-169 after any other end they stay', () => {
  it('a failure', async () => {
    const { queue, write, sent, waiting } = await setUp()
    queue.add('Two', [])
    await write({ type: 'error', errorText: 'Down.' }, 'done')
    expect([sent(), waiting()]).toEqual([['Hi'], ['Two']])
  })

  it('a stop, and Send now sends the first', async () => {
    const { conversation, queue, write, sent, waiting } = await setUp()
    queue.add('Two', [])
    queue.add('Three', [])
    await conversation.stop()
    await write({ type: 'abort' }, 'done')
    expect([sent(), waiting()]).toEqual([['Hi'], ['Two', 'Three']])
    expect(await queue.sendNow()).toBe(true)
    await settle()
    expect([sent(), waiting()]).toEqual([['Hi', 'Two'], ['Three']])
  })

  it('an incomplete reply', async () => {
    const { queue, write, sent } = await setUp()
    queue.add('Two', [])
    const run = { run_id: 'run', message_id: 'm', reply_id: 'r1', status: 'incomplete' as const }
    await write({ type: 'data-run', data: run as never }, finish, 'done')
    expect(sent()).toEqual(['Hi'])
  })
})

it('DEC-169 while the reply asks something, Send now stops it first; a stop that does not get through sends nothing', async () => {
  const { api, queue, write, sent } = await setUp()
  queue.add('Rather this', [])
  const question = aQuestion()
  const run = { run_id: 'run', message_id: 'm', reply_id: 'r1', status: 'waiting', questions: [question] }
  await write({ type: 'data-run', data: run as never }, finish, 'done')
  expect(sent()).toEqual(['Hi'])

  api.stop.mockRejectedValueOnce(new Error('offline'))
  expect(await queue.sendNow()).toBe(false)
  await settle()
  expect(sent()).toEqual(['Hi'])

  api.read.mockResolvedValue(
    emptySession({
      messages: [
        { ...aMessage, id: 'm', role: 'user', content: 'Hi' },
        { ...aMessage, id: 'r1', role: 'assistant', content: 'Generation stopped by user.' },
      ],
    }),
  )
  expect(await queue.sendNow()).toBe(true)
  await settle()
  expect(sent()).toEqual(['Hi', 'Rather this'])
})

it('a message that another tab has sent is not sent again', async () => {
  const { queue, write, sent, waiting } = await setUp()
  queue.add('Two', [])
  // as the other tab does
  localStorage.removeItem('draft:queue:u/s')
  await write(finish, 'done')
  expect(sent()).toEqual(['Hi'])
  dispatchEvent(new StorageEvent('storage', { key: 'draft:queue:u/s' }))
  expect(waiting()).toEqual([])
})

it('a conversation that is being deleted sends nothing, and keeps its queue if the deletion is undone', async () => {
  const { queue, write, sent, waiting } = await setUp()
  queue.add('Two', [])
  setDraftTemporary('u/s', true)
  await write(finish, 'done')
  expect(sent()).toEqual(['Hi'])
  setDraftTemporary('u/s', false)
  expect(waiting()).toEqual(['Two'])
  discardDraft('u/s')
  await queue.sendNow()
  expect(sent()).toEqual(['Hi'])
})

it('signing out sends nothing and deletes the queue', async () => {
  const { conversation, queue, sent } = await setUp()
  queue.add('Two', [])
  removeDrafts()
  conversation.close()
  await settle()
  expect(sent()).toEqual(['Hi'])
  expect(JSON.stringify(localStorage)).not.toContain('Two')
})

it('a queue is as long as ten messages; what is stored is checked', async () => {
  const { queue, open } = await setUp()
  for (let count = 1; count <= maxQueuedMessages; count += 1) expect(queue.add(`${count}`, [])).toBe(true)
  expect(queue.add('one too many', [])).toBe(false)
  queue.remove(queue.messages.getState()[3]?.id ?? '')
  expect(queue.messages.getState().map(({ text }) => text)).not.toContain('4')
  saveDraft('u/s', 'queue', [
    null,
    { id: 1 },
    { id: 'q', text: 'good', attachments: [] },
    { id: 'x', text: 'y' },
  ])
  expect(readDraftList('u/s', 'queue')).toHaveLength(4)
  expect(open().queue.messages.getState()).toEqual([{ id: 'q', text: 'good', attachments: [] }])
})

it('the queue of a temporary chat is never stored', async () => {
  const double = server()
  vi.spyOn(chatApi, 'send').mockImplementation(double.api.send)
  const chat = createConversations(createQueryClient(), 'u').get('t', true)
  chat.send('A secret', [], false)
  await settle()
  chat.queue.add('Another secret', [])
  expect(chat.queue.messages.getState()).toHaveLength(1)
  expect(JSON.stringify(localStorage)).not.toContain('secret')
})

it('the queue of a temporary chat whose first message failed stays temporary', async () => {
  const { api } = server()
  vi.spyOn(chatApi, 'send').mockImplementation(api.send)
  api.send.mockRejectedValueOnce(new NetworkError(false))
  const chat = createConversations(createQueryClient(), 'u').get('t', true)
  chat.send('A secret', [], false)
  chat.queue.add('Another', [])
  await settle()
  expect(await chat.queue.sendNow()).toBe(true)
  await settle()
  const [request] = api.send.mock.lastCall ?? []
  expect(request).toMatchObject({ keep: false, messages: [{ content: 'A secret\n\nAnother' }] })
  expect(chat.getState().isSaved).toBe(false)
})

const aMessage = {
  session_id: 's',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
}
