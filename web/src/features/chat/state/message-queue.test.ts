import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anApprovalRequest,
  delta,
  buildSessionRead,
  finish,
  server,
  start,
} from '../../../../../test/support/chat-server.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { discardDraft, readDraft, readDraftList, saveDraft } from '../../../lib/input/drafts.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createActions } from '../../../lib/actions/actions.ts'
import { deletionKey } from '../../../lib/actions/running-actions.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import { createQueryClient } from '../../../lib/actions/query-client.ts'
import { createUploadQueue } from '../attachments/upload-queue.ts'
import { chatApi } from '../stream/chat-api.ts'
import { createOpenConversations } from './conversations.ts'
import { loadRunner } from './conversation-store.ts'
import { maxQueuedMessages } from './message-queue.ts'
import { removeInputs } from '../../../lib/input/inputs.ts'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

const settle = () => vi.advanceTimersByTimeAsync(20)
const file = { id: 'f1', name: 'a.png', type: 'image/png', size: 3 }

/** A conversation whose reply to 'Hi' has begun. */
async function setUp() {
  const fakeServer = server()
  const { api, lastStream } = fakeServer
  for (const name of ['send', 'read', 'stop', 'decide', 'reattach'] as const)
    vi.spyOn(chatApi, name).mockImplementation(api[name] as never)
  const queryClient = createQueryClient()
  const openConversation = (client = createQueryClient()) =>
    createOpenConversations(client, 'u').get('s', { isNew: true })
  const conversation = openConversation(queryClient)
  conversation.send('Hi')
  await settle()
  const receive = async (...events: Parameters<NonNullable<ReturnType<typeof lastStream>>['write']>[0][]) => {
    for (const event of events) lastStream()?.write(event)
    await settle()
  }
  await receive(start, delta('Hel'))
  const listSent = () => api.send.mock.calls.map(([{ messages }]) => messages.at(-1)?.content)
  const listQueued = () => conversation.messageQueue.messages.getState().map(({ text }) => text)
  return {
    ...fakeServer,
    conversation,
    actions: getUserResource(queryClient, createActions),
    queue: conversation.messageQueue,
    receive,
    listSent,
    listQueued,
    openConversation,
  }
}

beforeAll(loadRunner)
beforeEach(() => {
  vi.useFakeTimers()
  removeInputs()
  vi.mocked(showToast).mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('DEC-169 queued messages wait for the end of the reply and are sent one by one', async () => {
  const { queue, receive, listSent, listQueued } = await setUp()
  expect(queue.add(' Two ', [])).toBe(true)
  queue.add('Three', [])
  await settle()
  expect([listSent(), listQueued()]).toEqual([['Hi'], ['Two', 'Three']])
  await receive(finish, 'done')
  expect([listSent(), listQueued()]).toEqual([['Hi', 'Two'], ['Three']])
  await receive({ ...start, messageId: 'r2' }, delta('Yes'))
  expect(listSent()).toHaveLength(2)
  await receive(finish, 'done')
  expect([listSent(), listQueued()]).toEqual([['Hi', 'Two', 'Three'], []])
  expect(localStorage.getItem('draft:queue:u/s')).toBeNull()
})

it('DEC-169 files are sent with their message, and after a reload under the same id', async () => {
  const { queue, api, receive, openConversation } = await setUp()
  queue.add('Read this', [{ ...file, url: 'https://bucket/secret-link' } as typeof file])
  expect(localStorage.getItem('draft:queue:u/s')).not.toContain('secret-link')
  const [queuedMessage] = openConversation().messageQueue.messages.getState()
  expect(queuedMessage).toMatchObject({ text: 'Read this', attachments: [file] })
  await receive(finish, 'done')
  expect(api.send).toHaveBeenCalledTimes(2)
  const [request] = api.send.mock.calls[1] ?? []
  expect(request).toMatchObject({ messageId: queuedMessage?.id, messages: [{ attachments: [{ id: 'f1' }] }] })
})

it('events after the end of a reply do not affect the next message', async () => {
  const { queue, listSent, listQueued, receive, lastStream } = await setUp()
  queue.add('Two', [])
  queue.add('Three', [])
  // one stream can report the end twice: with the reply that was stored meanwhile, and with its own last event
  const stream = lastStream()
  stream?.write(finish)
  stream?.write(finish)
  stream?.write('done')
  await settle()
  expect([listSent(), listQueued()]).toEqual([['Hi', 'Two'], ['Three']])
  await receive({ ...start, messageId: 'r2' }, finish, 'done')
  expect([listSent(), listQueued()]).toEqual([['Hi', 'Two', 'Three'], []])
})

describe('DEC-169 queued messages stay after', () => {
  it('a failure', async () => {
    const { queue, receive, listSent, listQueued } = await setUp()
    queue.add('Two', [])
    await receive({ type: 'error', errorText: 'Down.' }, 'done')
    expect([listSent(), listQueued()]).toEqual([['Hi'], ['Two']])
  })

  it('a stop, and Send now sends the first', async () => {
    const { conversation, queue, receive, listSent, listQueued } = await setUp()
    queue.add('Two', [])
    queue.add('Three', [])
    await conversation.stop()
    await receive({ type: 'abort' }, 'done')
    expect([listSent(), listQueued()]).toEqual([['Hi'], ['Two', 'Three']])
    expect(await queue.sendNow()).toBe(true)
    await settle()
    expect([listSent(), listQueued()]).toEqual([['Hi', 'Two'], ['Three']])
  })

  it('an incomplete reply', async () => {
    const { queue, receive, listSent } = await setUp()
    queue.add('Two', [])
    const run = { run_id: 'run', message_id: 'm', reply_id: 'r1', status: 'incomplete' as const }
    await receive({ type: 'data-run', data: run as never }, finish, 'done')
    expect(listSent()).toEqual(['Hi'])
  })
})

it('DEC-169 Send now stops a waiting reply first, and sends nothing if that fails', async () => {
  const { api, queue, receive, listSent } = await setUp()
  queue.add('Rather this', [])
  const question = anApprovalRequest()
  const run = { run_id: 'run', message_id: 'm', reply_id: 'r1', status: 'waiting', questions: [question] }
  await receive({ type: 'data-run', data: run as never }, finish, 'done')
  expect(listSent()).toEqual(['Hi'])

  api.stop.mockRejectedValueOnce(new Error('offline'))
  expect(await queue.sendNow()).toBe(false)
  await settle()
  expect(listSent()).toEqual(['Hi'])

  api.read.mockResolvedValue(
    buildSessionRead({
      messages: [
        { ...aMessage, id: 'm', role: 'user', content: 'Hi' },
        { ...aMessage, id: 'r1', role: 'assistant', content: '', ended: 'stopped' },
      ],
    }),
  )
  expect(await queue.sendNow()).toBe(true)
  await settle()
  expect(listSent()).toEqual(['Hi', 'Rather this'])
})

it('a stop that failed is forgotten: a later stop sends nothing', async () => {
  const { api, conversation, queue, receive, listSent, listQueued } = await setUp()
  queue.add('Rather this', [])
  const run = {
    run_id: 'run',
    message_id: 'm',
    reply_id: 'r1',
    status: 'waiting',
    questions: [anApprovalRequest()],
  }
  await receive({ type: 'data-run', data: run as never }, finish, 'done')
  api.stop.mockRejectedValueOnce(new Error('offline'))
  expect(await queue.sendNow()).toBe(false)
  // the user stops the reply later, which is no wish to send
  api.read.mockResolvedValue(
    buildSessionRead({
      messages: [
        { ...aMessage, id: 'm', role: 'user', content: 'Hi' },
        { ...aMessage, id: 'r1', role: 'assistant', content: '', ended: 'stopped' },
      ],
    }),
  )
  await conversation.stop()
  await settle()
  expect([listSent(), listQueued()]).toEqual([['Hi'], ['Rather this']])
})

it('a message that another tab has sent is not sent again', async () => {
  const { queue, receive, listSent, listQueued } = await setUp()
  queue.add('Two', [])
  // like the other tab
  localStorage.removeItem('draft:queue:u/s')
  await receive(finish, 'done')
  expect(listSent()).toEqual(['Hi'])
  dispatchEvent(new StorageEvent('storage', { key: 'draft:queue:u/s' }))
  expect(listQueued()).toEqual([])
})

it('a conversation that is being deleted sends nothing, and keeps its queue if the deletion is undone', async () => {
  const { queue, actions, receive, listSent, listQueued } = await setUp()
  queue.add('Two', [])
  const deletion = actions.postpone(deletionKey('s'), { run: async () => undefined, undo: () => undefined })
  await receive(finish, 'done')
  expect(listSent()).toEqual(['Hi'])
  deletion.undo()
  expect(listQueued()).toEqual(['Two'])
  discardDraft('u/s')
  await queue.sendNow()
  expect(listSent()).toEqual(['Hi'])
})

it('signing out sends nothing and deletes the queue', async () => {
  const { conversation, queue, listSent } = await setUp()
  queue.add('Two', [])
  removeInputs()
  conversation.close()
  await settle()
  expect(listSent()).toEqual(['Hi'])
  expect(JSON.stringify(localStorage)).not.toContain('Two')
})

it('a queue holds at most ten messages, and ignores invalid stored ones', async () => {
  const { queue, openConversation } = await setUp()
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
  expect(openConversation().messageQueue.messages.getState()).toEqual([
    { id: 'q', text: 'good', attachments: [] },
  ])
})

it('the queue of a temporary chat is never stored', async () => {
  const { api } = server()
  vi.spyOn(chatApi, 'send').mockImplementation(api.send)
  const chat = createOpenConversations(createQueryClient(), 'u').get('t', { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  await settle()
  chat.messageQueue.add('Another secret', [])
  expect(chat.messageQueue.messages.getState()).toHaveLength(1)
  expect(JSON.stringify(localStorage)).not.toContain('secret')
})

it('the queue of a temporary chat whose first message failed stays temporary', async () => {
  const { api } = server()
  vi.spyOn(chatApi, 'send').mockImplementation(api.send)
  api.send.mockRejectedValueOnce(new NetworkError())
  const chat = createOpenConversations(createQueryClient(), 'u').get('t', { isNew: true })
  chat.chooseTemporary(true)
  chat.send('A secret')
  chat.messageQueue.add('Another', [])
  await settle()
  expect(await chat.messageQueue.sendNow()).toBe(true)
  await settle()
  const [request] = api.send.mock.lastCall ?? []
  expect(request).toMatchObject({ keep: false, messages: [{ content: 'Another' }] })
  expect(chat.getState().isTemporary).toBe(true)
})

describe('a message that waits for its uploads', () => {
  async function setUpUpload() {
    const chat = await setUp()
    const upload = Promise.withResolvers<typeof file>()
    const uploadQueue = createUploadQueue({
      upload: () => upload.promise,
      restored: [],
      onChange: () => undefined,
    })
    uploadQueue.add([new File(['a'], 'a.png', { type: 'image/png' })])
    saveDraft('u/s:tab', 'text', 'Read this')
    chat.queue.sendAfterUploads({ draftKey: 'u/s:tab', uploadQueue })
    const finishUpload = () => {
      upload.resolve(file)
      return settle()
    }
    return { ...chat, uploadQueue, upload, finishUpload }
  }

  it('is queued when a reply is written by then, and sent when it is not', async () => {
    const { queue, uploadQueue, finishUpload, receive, listSent, listQueued } = await setUpUpload()
    expect(queue.isAwaitingUploads.getState()).toBe(true)
    // what is typed meanwhile belongs to it
    saveDraft('u/s:tab', 'text', 'Read this, please')
    await finishUpload()
    expect([listSent(), listQueued()]).toEqual([['Hi'], ['Read this, please']])
    expect([queue.isAwaitingUploads.getState(), uploadQueue.files.getState()]).toEqual([false, []])
    expect(readDraft('u/s:tab')).toBe('')
    await receive(finish, 'done')
    expect(listSent()).toEqual(['Hi', 'Read this, please'])
  })

  it('stays in the composer when an upload fails', async () => {
    const { queue, upload, receive, listSent, listQueued } = await setUpUpload()
    upload.reject(new NetworkError())
    await receive(finish, 'done')
    expect([queue.isAwaitingUploads.getState(), listSent(), listQueued()]).toEqual([false, ['Hi'], []])
    expect(readDraft('u/s:tab')).toBe('Read this')
  })

  it.each<[string, (chat: Awaited<ReturnType<typeof setUpUpload>>) => void]>([
    ['was cancelled', ({ queue }) => queue.sendAfterUploads(undefined)],
    [
      'belongs to a closed composer: its chat was discarded, or the user signed out',
      ({ uploadQueue }) => uploadQueue.close(),
    ],
    [
      'belongs to a conversation that is being deleted',
      ({ actions }) =>
        actions.postpone(deletionKey('s'), { run: async () => undefined, undo: () => undefined }),
    ],
    ['became too long', () => saveDraft('u/s:tab', 'text', 'a'.repeat(maxMessageCharacters + 1))],
  ])('is not sent when it %s', async (reason, change) => {
    const chat = await setUpUpload()
    const text = reason.includes('too long') ? 'a'.repeat(maxMessageCharacters + 1) : 'Read this'
    change(chat)
    await chat.finishUpload()
    expect([chat.listQueued(), readDraft('u/s:tab')]).toEqual([[], text])
    expect(vi.mocked(showToast).mock.calls.map(([, title]) => title)).toEqual(
      reason.includes('too long') ? ['This message is too long'] : [],
    )
  })
})

const aMessage = {
  session_id: 's',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
}
