import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { replyNotices, replyNotStored } from '#shared/chat-texts.ts'
import type { Session } from '#shared/contracts/messages.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { showToast } from '../../../components/ui/toast.ts'
import type { Conversation } from './conversation.ts'
import { createConversation } from './create-conversation.ts'
import { loadRunner } from './conversation-store.ts'
import {
  delta,
  buildSessionRead,
  finish,
  server,
  session,
  start,
} from '../../../../../test/support/chat-server.ts'
import { newConversationOptions } from '../../../../../test/support/fake-conversation.ts'

vi.mock(import('../../../components/ui/toast.ts'), { spy: true })

const message = (id: string, role: 'user' | 'assistant', content: string) => ({
  id,
  session_id: 's',
  role,
  content,
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-20T09:00:00Z',
})
const settle = () => vi.advanceTimersByTimeAsync(20)

function setUp({ isNew = true } = {}) {
  const fakeServer = server()
  const onConversationChange = vi.fn<(session: Session) => void>()
  const conversation = createConversation({
    ...newConversationOptions(fakeServer.api),
    isNew,
    onConversationChange,
  })
  const listContents = () => conversation.getState().messages.map(({ content }) => content)
  return { ...fakeServer, conversation, onConversationChange, listContents }
}

// loading code takes time that no fake timer passes
beforeAll(loadRunner)
beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(showToast).mockClear()
})
afterEach(() => {
  vi.useRealTimers()
})

it('CHAT-51 CAP-11 DEC-128 sends the message with its own id and no system prompt, and appends the reply', async () => {
  const { conversation, api, lastStream, listContents } = setUp()
  expect(conversation.send('  Hi  ')).toBe(true)
  await settle()
  const request = api.send.mock.calls[0]?.[0]
  expect(request).toEqual({
    messages: [{ role: 'user', content: 'Hi' }],
    sessionId: 's',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    connectedTools: [],
  })
  for (const event of [start, delta('Hel'), delta('lo')]) lastStream()?.write(event)
  await settle()
  expect(conversation.getState().streamingText).toBe('Hello')
  lastStream()?.write(finish)
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Hello'])
  expect(api.read).not.toHaveBeenCalled()
})

it('sends nothing when it is closed before the code of its requests is there', async () => {
  const { conversation, api, listContents } = setUp()
  conversation.send('Hi')
  conversation.close()
  await settle()
  expect(api.send).not.toHaveBeenCalled()
  expect(listContents()).toEqual(['Hi'])
})

it('updates the text once per frame, not once per token', async () => {
  const { conversation, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  const listener = vi.fn<() => void>()
  conversation.subscribe(listener)
  for (const letter of 'Hello') lastStream()?.write(delta(letter))
  await settle()
  expect(listener).toHaveBeenCalledOnce()
})

it('CHAT-38 CHAT-39 CHAT-41 ignores blank text, and a second message while a reply is running', async () => {
  const { conversation, api, listContents } = setUp()
  expect(conversation.send(' \n ')).toBe(false)
  expect(conversation.send('One')).toBe(true)
  expect(conversation.send('Two')).toBe(false)
  await settle()
  expect(listContents()).toEqual(['One'])
  expect(api.send).toHaveBeenCalledOnce()
})

it('CHAT-47 stops the run on the server, which then ends the stream', async () => {
  const { conversation, api, lastStream, listContents } = setUp()
  conversation.send('Hi')
  await settle()
  for (const event of [start, delta('Hel')]) lastStream()?.write(event)
  await settle()
  expect(await conversation.stop()).toBe(true)
  expect(api.stop).toHaveBeenCalledWith('s', 'run')
  lastStream()?.write({ type: 'abort' })
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Hel'])
})

it('sends a stop again when the run gets its id', async () => {
  const { conversation, api, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  await conversation.stop()
  lastStream()?.write(start)
  await settle()
  expect(api.stop.mock.calls).toEqual([
    ['s', undefined],
    ['s', 'run'],
  ])
})

it('ends a stopped reply when the server never confirms the stop', async () => {
  const { conversation, lastStream, listContents } = setUp()
  conversation.send('Hi')
  await settle()
  lastStream()?.write(start)
  await settle()
  await conversation.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(listContents()).toEqual(['Hi', ''])
  expect(lastStream()?.signal.aborted).toBe(true)
})

it('a second Stop, after a retry, has its own time to be confirmed', async () => {
  const { conversation, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  await conversation.stop()
  lastStream()?.write({ type: 'error', errorText: 'Busy' })
  lastStream()?.write('done')
  await settle()
  conversation.retry()
  await settle()
  lastStream()?.write(start)
  await vi.advanceTimersByTimeAsync(8_000)
  await conversation.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(conversation.getState().pending.phase).toBe('stopping')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(conversation.getState().pending.phase).toBe('idle')
})

it('continues the reply when the stop request fails', async () => {
  const { conversation, api, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  lastStream()?.write(start)
  const cause = new NetworkError()
  api.stop.mockRejectedValueOnce(cause)
  expect(await conversation.stop()).toBe(false)
  expect(showToast).toHaveBeenCalledWith('error', 'Chat Error', {
    description: 'The reply could not be stopped. Please try again.',
    cause,
  })
  expect(conversation.getState().pending.phase).toBe('open')
})

it('CHAT-29 LIM-03 DOC-16 shows an error for 5 s; a retry sends the same message again', async () => {
  const { conversation, api, listContents } = setUp()
  api.send.mockRejectedValueOnce(new NetworkError())
  conversation.send('Hi')
  await settle()
  expect(conversation.getState().error?.kind).toBe('connection')
  await vi.advanceTimersByTimeAsync(4_900)
  expect(conversation.getState().error).not.toBeNull()
  await vi.advanceTimersByTimeAsync(100)
  expect(conversation.getState().error).toBeNull()
  conversation.retry()
  await settle()
  expect(listContents()).toEqual(['Hi'])
  expect(api.send.mock.calls[1]?.[0]).toEqual(api.send.mock.calls[0]?.[0])
})

it('DEC-049 a message that never arrived is no part of the next one', async () => {
  const { conversation, api, listContents } = setUp()
  api.send.mockRejectedValueOnce(new NetworkError())
  conversation.send('Lost')
  await settle()
  conversation.send('Found')
  await settle()
  expect(listContents()).toEqual(['Lost', 'Found'])
  expect(api.send.mock.lastCall?.[0].messages).toEqual([{ role: 'user', content: 'Found' }])
})

describe('a deleted file of the message', () => {
  const file = (id: string) => ({ id, name: `${id}.png`, type: 'image/png', size: 3 })
  const createDeletedError = (...attachmentIds: string[]) =>
    new ApiError({ status: 404, code: 'attachment_not_found', userMessage: 'x', attachmentIds })

  /** not `settle`: the code that analyses documents is loaded first */
  const waitForError = ({ getState }: Conversation) =>
    vi.waitFor(() => expect(getState().error).not.toBeNull())

  it('is named, and the retry sends the message without it', async () => {
    const { conversation, api, lastStream } = setUp()
    api.send.mockRejectedValueOnce(createDeletedError('a', 'c'))
    conversation.send('Compare', [file('a'), file('b'), file('c')])
    await waitForError(conversation)
    expect(conversation.getState().error?.message).toBe(
      '“a.png”, “c.png” were deleted, so your message was not sent.',
    )
    expect(conversation.getState().messages[0]?.attachments).toEqual([
      { ...file('a'), isDeleted: true },
      file('b'),
      { ...file('c'), isDeleted: true },
    ])
    conversation.retry()
    await vi.waitFor(() => expect(api.send).toHaveBeenCalledTimes(2))
    const message = { role: 'user', content: 'Compare', attachments: [file('b')] }
    expect(api.send.mock.lastCall?.[0].messages).toEqual([message])
    for (const event of [start, finish, 'done'] as const) lastStream()?.write(event)
    await settle()
    expect(conversation.getState().messages[0]?.attachments).toEqual([file('b')])
  })

  it('is left out when the text is edited; another message is sent alone', async () => {
    const { conversation, api, listContents } = setUp()
    api.send.mockRejectedValue(createDeletedError('a'))
    conversation.send('Read', [file('a')])
    await waitForError(conversation)
    conversation.resend(conversation.getState().messages[0]?.id ?? '', 'Read it')
    await settle()
    expect(api.send.mock.lastCall?.[0].messages).toEqual([{ role: 'user', content: 'Read it' }])
    conversation.send('Now')
    await settle()
    expect(api.send.mock.lastCall?.[0].messages).toEqual([{ role: 'user', content: 'Now' }])
    expect(listContents()).toEqual(['Read it', 'Now'])
  })

  it('removes the message if that had nothing else, and shows the error', async () => {
    const { conversation, api } = setUp()
    api.send.mockRejectedValueOnce(createDeletedError('a'))
    conversation.send('', [file('a')])
    await waitForError(conversation)
    expect(conversation.getState().error?.message).toBe('“a.png” was deleted, so your message was not sent.')
    expect(conversation.getState().messages).toEqual([])
    conversation.send('Never mind')
    await vi.waitFor(() => expect(api.send).toHaveBeenCalledTimes(2))
    expect(api.send.mock.lastCall?.[0].messages).toEqual([{ role: 'user', content: 'Never mind' }])
  })
})

it('DEC-049 a reply that was not stored stays visible, and a retry loads it', async () => {
  const { conversation, api, lastStream, listContents } = setUp()
  conversation.send('Hi')
  await settle()
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  const result = { success: false, content: 'Hello', toolCalls: [], ...replyNotStored }
  for (const event of [
    start,
    delta('Hello'),
    { type: 'error', errorText: replyNotStored.error, code: replyNotStored.code } as const,
  ])
    lastStream()?.write(event)
  lastStream()?.write({ type: 'finish', messageMetadata: result })
  lastStream()?.write('done')
  await settle()
  expect(conversation.getState()).toMatchObject({ error: null, isReplying: false })
  expect(conversation.getState().messages.at(-1)).toMatchObject({ content: 'Hello', notStored: true })

  // it stays if the server does not have it
  api.read.mockResolvedValueOnce(buildSessionRead({ messages: [message(id, 'user', 'Hi')] }))
  conversation.retry()
  await settle()
  expect(listContents()).toEqual(['Hi', 'Hello'])

  const storedReply = { ...message('r1', 'assistant', 'Hel'), ended: 'interrupted' as const }
  api.read.mockResolvedValueOnce(buildSessionRead({ messages: [message(id, 'user', 'Hi'), storedReply] }))
  conversation.retry()
  await settle()
  expect(conversation.getState().messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'interrupted' })
  expect(api.send).toHaveBeenCalledOnce()
})

it('a reply that a crash interrupted says so once, and offers Retry', async () => {
  const { conversation, api, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  const storedReply = { ...message('r1', 'assistant', 'Hel'), ended: 'interrupted' as const }
  api.read.mockResolvedValueOnce(buildSessionRead({ messages: [message(id, 'user', 'Hi'), storedReply] }))
  for (const event of [start, delta('Hel')]) lastStream()?.write(event)
  lastStream()?.write('done')
  await settle()
  expect(conversation.getState()).toMatchObject({ error: null, isReplying: false })
  expect(conversation.getState().messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'interrupted' })
  conversation.retry()
  await settle()
  expect(api.send).toHaveBeenCalledTimes(2)
})

it('continues an incomplete reply, and keeps it when that fails', async () => {
  const { conversation, api, lastStream, listContents } = setUp()
  const incompleteRun = { run_id: 'run', status: 'incomplete' as const, message_id: 'm', reply_id: 'r1' }
  conversation.send('Hi')
  await settle()
  lastStream()?.write(start)
  for (const event of [delta('Once'), { type: 'data-run', data: incompleteRun } as const])
    lastStream()?.write(event)
  lastStream()?.write({ ...finish, messageMetadata: { ...finish.messageMetadata, content: 'Once' } })
  lastStream()?.write('done')
  await settle()

  api.send.mockRejectedValueOnce(new NetworkError())
  conversation.continueReply()
  expect(conversation.getState()).toMatchObject({ isReplying: true, streamingText: 'Once' })
  await settle()
  expect(conversation.getState().messages.at(-1)).toMatchObject({ content: 'Once', ended: 'incomplete' })

  conversation.continueReply()
  await settle()
  expect(api.send.mock.lastCall?.[0]).toMatchObject({
    messages: [{ role: 'user', content: 'Hi' }],
    messageId: api.send.mock.calls[0]?.[0].messageId,
    continues: true,
  })
  lastStream()?.write({ ...start, messageMetadata: { runId: 'next' } })
  for (const event of [delta('Once'), delta(' upon.')]) lastStream()?.write(event)
  const result = { ...finish.messageMetadata, content: 'Once upon.', notices: [replyNotices.images] }
  lastStream()?.write({ ...finish, messageMetadata: result })
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Once upon.'])
  expect(conversation.getState().messages.at(-1)).toMatchObject({ notices: [replyNotices.images] })
  expect(conversation.getState().messages.at(-1)).not.toHaveProperty('ended')
})

it('follows a running reply from the start after a reload', async () => {
  const { conversation, api, lastStream, listContents } = setUp({ isNew: false })
  const run = { run_id: 'run', status: 'running' as const, message_id: 'm1', reply_id: 'r1' }
  api.read.mockResolvedValueOnce(buildSessionRead({ messages: [message('m1', 'user', 'Hi')], run }))
  conversation.refresh()
  await settle()
  expect(api.reattach.mock.calls[0]?.slice(0, 2)).toEqual(['s', 0])
  for (const event of [start, delta('Hello'), finish]) lastStream()?.write(event)
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Hello'])
})

it('loads the stored messages when the stream ends without a result', async () => {
  const { conversation, api, lastStream, listContents } = setUp()
  conversation.send('Hi')
  await settle()
  lastStream()?.write(start)
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  api.read.mockResolvedValueOnce(
    buildSessionRead({ messages: [message(id, 'user', 'Hi'), message('r1', 'assistant', 'Stored')] }),
  )
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Stored'])
  expect(conversation.getState()).toMatchObject({ isReplying: false, error: null })
})

it('DEC-008 detaches from a reply without ending it, and follows it again', async () => {
  const { conversation, api, lastStream } = setUp()
  conversation.send('Hi')
  await settle()
  for (const event of [start, delta('Hel')]) lastStream()?.write(event)
  await settle()
  conversation.close()
  await settle()
  expect(api.stop).not.toHaveBeenCalled()
  expect(conversation.getState()).toMatchObject({ isReplying: false, error: null })
  const id = api.send.mock.calls[0]?.[0].messageId ?? ''
  const run = { run_id: 'run', status: 'running' as const, message_id: id, reply_id: 'r1' }
  api.read.mockResolvedValueOnce(buildSessionRead({ messages: [message(id, 'user', 'Hi')], run }))
  conversation.refresh()
  await settle()
  expect(conversation.getState().isReplying).toBe(true)
  expect(api.reattach).toHaveBeenCalledOnce()
})

it.each([
  ['missing', 404, 'missing'],
  ['not loaded', 500, 'failed'],
])('says that a conversation is %s', async (_, status, expected) => {
  const { conversation, api } = setUp({ isNew: false })
  api.read.mockRejectedValueOnce(new ApiError({ status, code: 'x', userMessage: 'x' }))
  conversation.refresh()
  await settle()
  expect(conversation.getState().loadStatus).toBe(expected)
})

it('updates the conversation list', async () => {
  const { conversation, lastStream, onConversationChange } = setUp()
  conversation.send('Hi')
  await settle()
  lastStream()?.write({ type: 'data-session', data: session })
  await settle()
  expect(onConversationChange).toHaveBeenCalledWith(session)
})

const file = (name: string) => ({ id: `id-${name}`, name, type: '', size: 9 })

it('DOC-01 DEC-195 a message with documents is sent at once', async () => {
  const { conversation, api } = setUp()
  expect(conversation.send('', [file('a.docx'), file('b.zip')])).toBe(true)
  await settle()
  expect(api.send.mock.calls[0]?.[0].messages[0]?.attachments?.map(({ id }) => id)).toEqual([
    'id-a.docx',
    'id-b.zip',
  ])
})

it('the browser asks before the page is left until the service has the message', async () => {
  const { conversation, api } = setUp()
  const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const sent = Promise.withResolvers<ReadableStream<Uint8Array>>()
  api.send.mockReturnValueOnce(sent.promise)
  conversation.send('Hi')
  await settle()
  expect(isAsked()).toBe(true)
  sent.resolve(new ReadableStream())
  await settle()
  expect(isAsked()).toBe(false)
})

it('DOC-09 ERR-09 a document that cannot be read is reported once, and stays attached', async () => {
  const { conversation, lastStream } = setUp()
  conversation.send('Read', [file('a.docx')])
  await settle()
  const data = {
    id: 'id-a.docx',
    name: 'a.docx',
    reading: { state: 'unreadable', note: 'It is empty.' },
  } as const
  for (const event of [start, { type: 'data-reading', data }, { type: 'data-reading', data }] as const)
    lastStream()?.write(event)
  await settle()
  expect(vi.mocked(showToast).mock.calls).toEqual([
    ['warning', 'Document Analysis Error', { description: 'It is empty.' }],
  ])
  expect(conversation.getState().messages[0]?.attachments[0]?.reading?.state).toBe('unreadable')
})

/** A conversation with a message and its reply. */
async function setUpAnswered() {
  const result = setUp()
  result.conversation.send('Hi')
  await settle()
  for (const event of [start, delta('Hello'), finish, 'done'] as const) result.lastStream()?.write(event)
  await settle()
  return { ...result, messageId: result.conversation.getState().messages[0]?.id ?? '' }
}

it('sends an edited message as a new one, which replaces the old one when the reply arrives', async () => {
  const { conversation, api, lastStream, listContents, messageId } = await setUpAnswered()
  expect(conversation.resend(messageId, 'Hi there')).toBe(true)
  await settle()
  expect(listContents()).toEqual(['Hi there'])
  const request = api.send.mock.calls[1]?.[0]
  expect(request).toMatchObject({ messages: [{ content: 'Hi there' }], replaces: messageId })
  expect(request?.messageId).not.toBe(messageId)
  lastStream()?.write({ type: 'error', errorText: 'Service error: x' })
  lastStream()?.write('done')
  await settle()
  expect(listContents()).toEqual(['Hi', 'Hello'])
  conversation.retry(request?.messageId)
  await settle()
  expect(api.send.mock.calls[2]?.[0]).toMatchObject({ messageId: request?.messageId, replaces: messageId })
})

it('a message that never arrived is not replaced on the server', async () => {
  const { conversation, api, listContents } = setUp()
  api.send.mockRejectedValueOnce(new NetworkError())
  conversation.send('Lost')
  await settle()
  expect(conversation.resend(conversation.getState().messages[0]?.id ?? '', 'Found')).toBe(true)
  await settle()
  expect(listContents()).toEqual(['Found'])
  expect(api.send.mock.calls[1]?.[0]).not.toHaveProperty('replaces')
})

it.each(['', ' '])('does not replace a message with %j', async (text) => {
  const { conversation, messageId } = await setUpAnswered()
  expect(conversation.resend(messageId, text)).toBe(false)
  expect(conversation.resend('unknown', 'x')).toBe(false)
})

it.each([true, false])(
  'DOC-06 DEC-033 DEC-134 sends the text of a document only in a temporary chat (temporary: %s)',
  async (isTemporary) => {
    const { api, lastStream } = server()
    const conversation = createConversation(newConversationOptions(api))
    conversation.chooseTemporary(isTemporary)
    conversation.send('Read', [{ id: 'd', name: 'a.docx', type: '', size: 9 }])
    await vi.waitUntil(() => lastStream())
    lastStream()?.write({ ...start, messageMetadata: { runId: 'run', ...(isTemporary && { kept: false }) } })
    const data = { id: 'd', name: 'a.docx', reading: { state: 'read' }, text: 'text' } as const
    lastStream()?.write({ type: 'data-reading', data })
    lastStream()?.write(finish)
    lastStream()?.write('done')
    await vi.waitUntil(() => !conversation.getState().isReplying)
    conversation.send('And now?')
    await vi.waitUntil(() => api.send.mock.calls.length === 2)
    const { messages } = api.send.mock.lastCall?.[0] ?? { messages: [] }
    expect(
      messages.flatMap(({ attachments }) => attachments ?? []).map((file) => file.extractedText),
    ).toEqual(isTemporary ? ['text'] : [])
    conversation.close()
  },
)

it('DEC-033 sends the history of a temporary chat, with its files by id, and replaces no message on the server', async () => {
  const { api, lastStream } = server()
  const conversation = createConversation(newConversationOptions(api))
  const file = { id: 'f', name: 'a.png', type: 'image/png', size: 9, url: 'https://b.example/f' }
  conversation.chooseTemporary(true)
  conversation.send('Look', [file])
  await vi.waitUntil(() => lastStream())
  lastStream()?.write({ ...start, messageMetadata: { runId: 'run', kept: false } })
  lastStream()?.write(finish)
  lastStream()?.write('done')
  await vi.waitUntil(() => !conversation.getState().isReplying)
  conversation.send('And now?')
  await vi.waitUntil(() => api.send.mock.calls.length === 2)
  const look = {
    role: 'user',
    content: 'Look',
    attachments: [{ id: 'f', name: 'a.png', type: 'image/png', size: 9 }],
  }
  expect(api.send.mock.lastCall?.[0]).toMatchObject({ keep: false })
  expect(api.send.mock.lastCall?.[0].messages).toEqual([
    look,
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'And now?' },
  ])
  lastStream()?.write({ ...start, messageMetadata: { runId: 'run', kept: false } })
  lastStream()?.write(finish)
  lastStream()?.write('done')
  await vi.waitUntil(() => !conversation.getState().isReplying)
  conversation.resend(conversation.getState().messages[0]?.id ?? '', 'Look again')
  await vi.waitUntil(() => api.send.mock.calls.length === 3)
  expect(api.send.mock.lastCall?.[0].messages).toEqual([{ ...look, content: 'Look again' }])
  expect(api.send.mock.lastCall?.[0]).toMatchObject({ keep: false })
  expect(api.send.mock.lastCall?.[0]).not.toHaveProperty('replaces')
  conversation.close()
})

describe('reading the stored messages', () => {
  const earlierTurn = [message('m0', 'user', 'Before'), message('r0', 'assistant', 'Of old')]
  const writeReply = async (lastStream: ReturnType<typeof server>['lastStream']) => {
    for (const event of [start, delta('Hello'), finish, 'done'] as const) lastStream()?.write(event)
    await settle()
  }

  it('a message that is sent while the history loads does not hide the history', async () => {
    const { conversation, api, lastStream, listContents } = setUp({ isNew: false })
    const history = Promise.withResolvers<SessionRead>()
    api.read.mockReturnValueOnce(history.promise)
    conversation.refresh()
    await settle()
    expect(conversation.send('Quick question')).toBe(true)
    await settle()
    expect(listContents()).toEqual(['Quick question'])
    history.resolve(buildSessionRead({ messages: earlierTurn, earlier: 'c0' }))
    await settle()
    expect(listContents()).toEqual(['Before', 'Of old', 'Quick question'])
    await writeReply(lastStream)
    expect(listContents()).toEqual(['Before', 'Of old', 'Quick question', 'Hello'])
    expect(conversation.getState()).toMatchObject({ previousCursor: 'c0', loadStatus: 'loaded' })
  })

  it('a history that is still loading when the reply ends is requested again, and merged', async () => {
    const { conversation, api, lastStream, listContents } = setUp({ isNew: false })
    api.read.mockReturnValueOnce(new Promise(() => undefined))
    conversation.refresh()
    conversation.send('Quick question')
    await settle()
    const id = api.send.mock.calls[0]?.[0].messageId ?? ''
    const turn = [message(id, 'user', 'Quick question'), message('r1', 'assistant', 'Hello')]
    api.read.mockResolvedValueOnce(buildSessionRead({ messages: [...earlierTurn, ...turn] }))
    await writeReply(lastStream)
    expect(api.read).toHaveBeenCalledTimes(2)
    expect(listContents()).toEqual(['Before', 'Of old', 'Quick question', 'Hello'])
  })

  it('a history that could not be loaded is requested again after the reply', async () => {
    const { conversation, api, lastStream, listContents } = setUp({ isNew: false })
    api.read.mockRejectedValueOnce(new ApiError({ status: 500, code: 'x', userMessage: 'x' }))
    conversation.refresh()
    await settle()
    expect(conversation.getState().loadStatus).toBe('failed')
    conversation.send('Quick question')
    await settle()
    const id = api.send.mock.calls[0]?.[0].messageId ?? ''
    const turn = [message(id, 'user', 'Quick question'), message('r1', 'assistant', 'Hello')]
    api.read.mockResolvedValueOnce(buildSessionRead({ messages: [...earlierTurn, ...turn] }))
    await writeReply(lastStream)
    expect(listContents()).toEqual(['Before', 'Of old', 'Quick question', 'Hello'])
  })

  it('does not happen while a reply is running', async () => {
    const { conversation, api, lastStream } = setUp()
    conversation.send('Hi')
    await settle()
    lastStream()?.write(start)
    await settle()
    conversation.refresh()
    await settle()
    expect(api.read).not.toHaveBeenCalled()
  })

  it('keeps the identity of unchanged messages, so that they are not rendered again', async () => {
    const { conversation, api } = setUp({ isNew: false })
    api.read.mockImplementation(async () => buildSessionRead({ messages: structuredClone(earlierTurn) }))
    conversation.refresh()
    await settle()
    const { messages } = conversation.getState()
    conversation.refresh()
    await settle()
    expect(api.read).toHaveBeenCalledTimes(2)
    expect(messages).toHaveLength(2)
    expect(conversation.getState().messages).toBe(messages)
  })
})
