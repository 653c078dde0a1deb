import { describe, expect, it } from 'vitest'
import { aQuestion } from '../../../../../test/support/chat-server.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { Message } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ChatFailure } from './chat-failure.ts'
import { toChatMessage } from './chat-message.ts'
import { chatReducer, type ChatAction } from './chat-reducer.ts'
import type { Chat } from './chat.ts'
import { deriveChatState, createLocalChat, findRetryableMessage } from './chat-state.ts'
import { getActiveReply } from './pending-reply.ts'
import { applyEvent, failReply, stopReply } from './reply-events.ts'
import { emptyConversation, mergeNewest } from './stored-conversation.ts'

const at = Date.parse('2026-11-20T09:00:00Z')

const message = (
  id: string,
  role: 'user' | 'assistant',
  content: string,
  ended?: Message['ended'],
): Message => ({
  id,
  session_id: 's',
  role,
  content,
  attachments: [],
  tool_calls: [],
  created_at: new Date(at).toISOString(),
  ...(ended && { ended }),
})

const session = { id: 's', user_id: 'u', title: 'Rome', created_at: '', updated_at: '', message_count: 2 }
const run = (status: RunView['status']): RunView => ({
  run_id: 'run',
  status,
  message_id: 'm1',
  reply_id: 'r1',
})
const stored = (messages: Message[], rest: Partial<SessionRead> = {}): SessionRead => ({
  session,
  messages,
  earlier: null,
  run: null,
  ...rest,
})

/** What happens: an action, or an event of the stream. */
type Step = ChatAction | ((chat: Chat) => Chat)
const step = (chat: Chat, next: Step): Chat =>
  typeof next === 'function' ? next(chat) : chatReducer(chat, next)

const sent = (content: string, id = 'm1'): ChatAction => ({
  type: 'message-sent',
  isSaved: true,
  message: { ...toChatMessage(message(id, 'user', content)), local: true },
})
const event =
  (value: ChatEvent): Step =>
  (chat) =>
    applyEvent(chat, value, at)
const start = event({ type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } })
const delta = (text: string) => event({ type: 'text-delta', id: 't', delta: text })
const finish = (content: string, error: string | null = null) =>
  event({ type: 'finish', messageMetadata: { success: error === null, content, toolCalls: [], error } })

const unread: Chat = { stored: undefined, local: createLocalChat() }
const failing =
  (failure: ChatFailure, id: string): Step =>
  (chat) =>
    failReply(chat, { ...failure, id, timestamp: at })
const fresh: Chat = { ...unread, stored: emptyConversation }
/** The state that is shown. */
const state = (chat: Chat) => deriveChatState(chat, chat.stored ? 'loaded' : 'loading')
const after = (...steps: Step[]): Chat => steps.reduce(step, fresh)
const listContents = (chat: Chat) => state(chat).messages.map(({ content }) => content)
/** What was just read is in the cache, and adopted. */
const read = (chat: Chat, newest: SessionRead): Chat =>
  step({ ...chat, stored: mergeNewest(chat.stored, newest) }, { type: 'stored-applied' })

describe('a turn', () => {
  it('keeps what the reply went without, from the event to the message', () => {
    const notice = { code: 'tools_unavailable' as const, text: 'No tools.' }
    const chat = after(sent('Hi'), start, event({ type: 'data-notice', data: notice }), delta('A'))
    expect(getActiveReply(state(chat).pending)?.notices).toEqual([notice])
    expect(state(step(chat, finish('A'))).messages.at(-1)?.notices).toEqual([notice])
  })

  it.each<ChatEvent>([
    { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' },
    { type: 'tool-output-error', toolCallId: 'c1', errorText: 'No.' },
    { type: 'tool-output-denied', toolCallId: 'c1' },
  ])('asks no more about a call that somebody has answered, and still about the others: %j', (outcome) => {
    const questions = [aQuestion(), aQuestion({ call_id: 'c2' })]
    const asked = event({ type: 'data-run', data: { ...run('waiting'), questions } })
    const ids = (chat: Chat) => getActiveReply(chat.local.pending)?.approvals.map(({ call_id }) => call_id)
    const waiting = after(sent('Hi'), start, asked)
    expect(ids(waiting)).toEqual(['c1', 'c2'])
    expect(ids(step(waiting, event(outcome)))).toEqual(['c2'])
  })

  it('that ends without a word and without a picture leaves no empty message', () => {
    const ended = after(sent('Hi'), start, finish(''))
    expect([listContents(ended), state(ended).isLoading]).toEqual([['Hi'], false])
    const picture = { id: 'i', name: 'cat.png', type: 'image/png', size: 1 }
    const drawn = after(sent('Hi'), start, event({ type: 'data-attachment', data: picture }), finish(''))
    expect(state(drawn).messages.at(-1)).toMatchObject({ role: 'assistant', attachments: [picture] })
  })

  it('CHAT-43 starts with nothing said', () => {
    expect(state(fresh)).toMatchObject({
      messages: [],
      isLoading: false,
      streamingText: '',
      error: null,
      hasUserSentMessage: false,
    })
  })

  it('CHAT-40 shows the message, then loads, then appends the reply and stops loading', () => {
    const asked = after(sent('Hi'))
    expect([listContents(asked), state(asked).isLoading]).toEqual([['Hi'], true])
    const answered = [start, delta('Hel'), delta('lo'), finish('Hello')].reduce(step, asked)
    expect([listContents(answered), state(answered).isLoading, state(answered).streamingText]).toEqual([
      ['Hi', 'Hello'],
      false,
      '',
    ])
    expect(state(answered).messages.at(-1)).toMatchObject({ id: 'r1', role: 'assistant', timestamp: at })
  })

  it('CHAT-44 CHAT-45 a start clears the streaming text, chunks are appended', () => {
    expect(state(after(sent('Hi'), start, delta('Hel'), delta('lo'))).streamingText).toBe('Hello')
    expect(state(after(sent('Hi'), start, delta('Hel'), start)).streamingText).toBe('')
  })

  it('CHAT-42 DEC-014 only a real message of the user counts as one', () => {
    expect(state(after(sent('__ASSISTANT_hint'))).hasUserSentMessage).toBe(false)
    expect(listContents(after(sent('__ASSISTANT_hint')))).toEqual(['__ASSISTANT_hint'])
    expect(state(after(sent('Hi'))).hasUserSentMessage).toBe(true)
  })

  it('ignores events when no run is active', () => {
    const answered = after(sent('Hi'), start, delta('Hello'), finish('Hello'))
    expect([delta(' late'), finish('late')].reduce(step, answered)).toBe(answered)
  })

  it('sets the title as soon as the conversation has one', () => {
    expect(state(after(event({ type: 'data-session', data: session }))).title).toBe('Rome')
  })

  it('marks a reply that timed out', () => {
    const chat = after(
      sent('Hi'),
      start,
      delta('Hel'),
      event({ type: 'data-run', data: run('incomplete') }),
      finish('Hel'),
    )
    expect(state(chat).messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'incomplete' })
    expect(findRetryableMessage(state(chat))).toBeUndefined()
  })
})

describe('a stop', () => {
  const line = 'Generation stopped by user.'

  it('CHAT-46 CHAT-48 CHAT-49 keeps the text as its own message, then says so', () => {
    const chat = after(sent('Hi'), start, delta('Hel'), { type: 'stop-requested' }, event({ type: 'abort' }))
    expect(listContents(chat)).toEqual(['Hi', 'Hel', line])
    expect(state(chat).messages[1]).toMatchObject({ id: 'r1', ended: 'stopped' })
    expect(state(chat).messages[2]).toMatchObject({ id: 'r1-stopped' })
    expect([state(chat).isLoading, state(chat).streamingText]).toEqual([false, ''])
    expect(step(chat, finish('Hello, late'))).toBe(chat)
  })

  it('DEC-009 without text there is only the line', () => {
    expect(
      listContents(after(sent('Hi'), start, { type: 'stop-requested' }, event({ type: 'abort' }))),
    ).toEqual(['Hi', line])
  })

  it('shows nothing more once asked, and keeps what was received', () => {
    const asked = after(sent('Hi'), start, delta('Hel'), { type: 'stop-requested' }, delta('lo'))
    expect(state(asked).streamingText).toBe('Hel')
    expect(listContents(step(asked, event({ type: 'abort' })))).toEqual(['Hi', 'Hello', line])
    expect(state(step(asked, { type: 'stop-failed' }))).toMatchObject({
      streamingText: 'Hello',
      isLoading: true,
    })
  })
})

describe('a failure', () => {
  const failure = { kind: 'service' as const, message: 'Service error: x' }

  it('leaves a message that can be tried again', () => {
    const chat = after(sent('Hi'), failing(failure, 'e'))
    expect(state(chat)).toMatchObject({
      isLoading: false,
      error: { message: 'Service error: x', id: 'e', timestamp: at },
    })
    expect(findRetryableMessage(state(chat))?.id).toBe('m1')
  })

  it('keeps the partial reply, marked as failed', () => {
    const chat = after(
      sent('Hi'),
      start,
      delta('Hel'),
      event({ type: 'error', errorText: 'Service error: x' }),
    )
    expect(state(chat).messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'failed' })
    expect(state(chat).error).toMatchObject({ kind: 'service', message: 'Service error: x' })
    expect(findRetryableMessage(state(chat))?.id).toBe('m1')
  })

  it('is in the last event too', () => {
    expect(state(after(sent('Hi'), start, finish('', 'Service error: x'))).error?.message).toBe(
      'Service error: x',
    )
  })

  it('CHAT-29 is cleared only by its own id', () => {
    const chat = after(sent('Hi'), failing(failure, 'new'))
    expect(step(chat, { type: 'error-cleared', errorId: 'old' })).toBe(chat)
    expect(state(step(chat, { type: 'error-cleared', errorId: 'new' })).error).toBeNull()
  })

  it('a retry takes back what was written, and the error', () => {
    const failed = after(
      sent('Hi'),
      start,
      delta('Hel'),
      event({ type: 'error', errorText: 'Service error: x' }),
    )
    const message = findRetryableMessage(state(failed))
    if (!message) throw new Error('nothing to try again')
    const retried = step(failed, { type: 'message-sent', isSaved: true, message })
    expect(state(retried)).toMatchObject({ isLoading: true, error: null, pending: { messageId: 'm1' } })
    expect(listContents(retried)).toEqual(['Hi'])
  })
})

describe('what is stored', () => {
  const pair = [message('m1', 'user', 'Hi'), message('r1', 'assistant', 'Hello')]

  it('DATA-04 takes the place of what was there, with its time', () => {
    const chat = read(unread, stored(pair))
    expect(listContents(chat)).toEqual(['Hi', 'Hello'])
    expect(state(chat)).toMatchObject({
      loadStatus: 'loaded',
      title: 'Rome',
      hasUserSentMessage: true,
      isLoading: false,
    })
    expect(state(chat).messages[0]?.timestamp).toBe(at)
  })

  it('follows an active run, without its unfinished reply', () => {
    const chat = read(unread, stored(pair, { run: run('running') }))
    expect(listContents(chat)).toEqual(['Hi'])
    expect(state(chat)).toMatchObject({
      isLoading: true,
      pending: { status: 'thinking', messageId: 'm1', runId: 'run', replyId: 'r1' },
    })
  })

  it('keeps a last message that never arrived', () => {
    const failed = after(sent('Lost', 'm2'), failing({ kind: 'connection', message: 'x' }, 'e'))
    expect(listContents(read(failed, stored(pair)))).toEqual(['Hi', 'Hello', 'Lost'])
  })

  it('keeps earlier pages that were read before', () => {
    const first = read(unread, stored(pair, { earlier: 'c1' }))
    const both = step(first, {
      type: 'earlier-loaded',
      read: { messages: [message('m0', 'user', 'Before')], earlier: null },
    })
    expect(listContents(both)).toEqual(['Before', 'Hi', 'Hello'])
    const again = read(both, stored(pair, { earlier: 'c1' }))
    expect([listContents(again), state(again).previousCursor]).toEqual([['Before', 'Hi', 'Hello'], null])
  })

  it('a stored reply replaces what had arrived of it', () => {
    const data = { messages: [message('r1', 'assistant', 'Hello, all of it')], run: run('done') }
    const chat = after(sent('Hi'), start, delta('Hel'), event({ type: 'data-reply', data }), finish(''))
    expect(listContents(chat)).toEqual(['Hi', 'Hello, all of it'])
    expect(state(chat).isLoading).toBe(false)
  })
})

describe('another reply, another wording', () => {
  const exchange = [message('m1', 'user', 'Hi'), message('r1', 'assistant', 'Hello')]
  const replacing: ChatAction = {
    type: 'message-sent',
    isSaved: true,
    message: { ...toChatMessage(message('m2', 'user', 'Hi there')), local: true, replaces: 'm1' },
  }
  const talked = read(unread, stored(exchange))
  const begun = step(talked, replacing)
  const failed: Step = failing({ kind: 'service', message: 'x' }, 'e')

  it('takes the place of the earlier branch, which is gone once the reply is there', () => {
    expect(listContents(begun)).toEqual(['Hi there'])
    expect(listContents([start, finish('Other')].reduce(step, begun))).toEqual(['Hi there', 'Other'])
  })

  it('keeps the earlier branch when no reply comes, and hides it again for another try', () => {
    const stands = step(begun, failed)
    expect(listContents(stands)).toEqual(['Hi', 'Hello', 'Hi there'])
    const unanswered = findRetryableMessage(state(stands))
    expect(unanswered).toMatchObject({ id: 'm2', replaces: 'm1' })
    const again = unanswered
      ? step(stands, { type: 'message-sent', isSaved: true, message: unanswered })
      : stands
    expect(listContents(again)).toEqual(['Hi there'])
    expect(listContents(step(again, failed))).toEqual(['Hi', 'Hello', 'Hi there'])
  })

  it('lets the earlier branch go when there is something of the new reply', () => {
    expect(listContents([start, delta('Oth'), failed].reduce(step, begun))).toEqual(['Hi there', 'Oth'])
  })

  it('hides the earlier branch after a reload too, as long as the new reply is written', () => {
    const run = {
      run_id: 'run',
      status: 'running' as const,
      message_id: 'm2',
      reply_id: 'r2',
      replaces: 'm1',
    }
    const reloaded = read(unread, stored([...exchange, message('m2', 'user', 'Hi there')], { run }))
    expect([listContents(reloaded), state(reloaded).isLoading]).toEqual([['Hi there'], true])
    expect(listContents(step(reloaded, failed))).toEqual(['Hi', 'Hello', 'Hi there'])
  })
})

describe('what a reply carries', () => {
  const image = {
    id: 'i',
    name: 'cups.png',
    type: 'image/png',
    size: 9,
    isGenerated: true,
    prompt: 'two cups',
  }

  it('CHAT-14 CHAT-16 CHAT-53 its calls and the images that were made for it', () => {
    const running = after(
      sent('Draw'),
      start,
      event({
        type: 'tool-input-available',
        toolCallId: 't',
        toolName: 'generate_image',
        input: { prompt: 'p' },
      }),
    )
    expect(getActiveReply(running.local.pending)?.tools).toMatchObject([
      { name: 'generate_image', status: 'running' },
    ])
    const made = [
      event({ type: 'tool-output-available', toolCallId: 't', output: {} }),
      event({ type: 'file', url: 'https://s3/i', mediaType: 'image/png' }),
      event({ type: 'data-attachment', data: image }),
    ].reduce(step, running)
    expect(getActiveReply(made.local.pending)?.attachments).toEqual([image])
    const done = step(made, finish('Here it is.'))
    expect(state(done).messages.at(-1)).toMatchObject({ content: 'Here it is.', attachments: [image] })
    const broken = stopReply(made, at)
    expect(state(broken).messages.at(-2)).toMatchObject({
      attachments: [image],
      tool_calls: [{ tool: 'generate_image', result: { success: true } }],
    })
  })

  it('DOC-06 DEC-134 what was read of a document stands on its message', () => {
    const file = { id: 'f', name: 'a.docx', type: '', size: 9 }
    const reading = { status: 'part' as const, note: 'first 8,000 characters' }
    const begun = after({
      type: 'message-sent',
      isSaved: true,
      message: { ...toChatMessage(message('m1', 'user', 'Read')), attachments: [file] },
    })
    const seen = step(begun, { type: 'document-progress', name: 'a.docx', done: 0, total: 1 })
    expect(seen.local.pending).toMatchObject({
      status: 'analyzing-documents',
      progress: { name: 'a.docx', done: 0, total: 1 },
    })
    const analysed = step(seen, { type: 'document-analyzed', attachmentId: 'f', reading })
    expect(state(analysed).messages[0]?.attachments).toEqual([{ ...file, reading }])
    expect(analysed.local.pending.status).toBe('analyzing-documents')
    expect(step(analysed, { type: 'documents-analyzed' }).local.pending.status).toBe('thinking')
  })
})

describe('a message that takes the place of another one', () => {
  const again: ChatAction = {
    type: 'message-sent',
    isSaved: true,
    message: { ...toChatMessage(message('m2', 'user', 'Rome?')), replaces: 'm1', local: true },
  }
  const asked = (changes: Partial<Chat['local']> = {}): Chat => {
    const chat = after(sent('Hi'), start, delta('Hello'), finish('Hello'))
    return { ...chat, local: { ...chat.local, ...changes } }
  }
  const startNext = event({ type: 'start', messageId: 'r2', messageMetadata: { runId: 'run2' } })
  const versions = (chat: Chat) => state(chat).messages.map((one) => one.versions)

  it('is another version of it once it is answered', () => {
    const pending = [again, startNext, delta('Hi')].reduce(step, asked())
    expect(versions(pending)).toEqual([undefined])
    const answered = step(pending, finish('Hi'))
    expect(versions(answered)).toEqual([{ shown: 2, count: 2 }, undefined])
    const third: ChatAction = {
      ...again,
      message: { ...toChatMessage(message('m3', 'user', 'Rome!')), replaces: 'm2', local: true },
    }
    const startThird = event({ type: 'start', messageId: 'r3', messageMetadata: { runId: 'run3' } })
    expect(versions([third, startThird, delta('Oh'), finish('Oh')].reduce(step, answered))).toEqual([
      { shown: 3, count: 3 },
      undefined,
    ])
  })

  it('has no versions where nothing came of it, or nothing is kept', () => {
    const failed = [again, startNext, finish('', 'Service error')].reduce(step, asked())
    expect(versions(failed)).toEqual([undefined, undefined, undefined])
    const startTemporary = event({
      type: 'start',
      messageId: 'r2',
      messageMetadata: { runId: 'run2', kept: false },
    })
    const temporary = [again, startTemporary, delta('Hi'), finish('Hi')].reduce(
      step,
      asked({ isSaved: false }),
    )
    expect(versions(temporary)).toEqual([undefined, undefined])
  })
})
