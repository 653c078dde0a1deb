import { emptyLocalConversation } from '../../../../../test/support/fake-conversation.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { anApprovalRequest } from '../../../../../test/support/chat-server.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import type { Message } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { connectionLost } from '#shared/chat-texts.ts'
import type { ChatFailure } from './chat-failure.ts'
import { toChatMessage } from './chat-message.ts'
import { buildChatRequest } from './run-effects.ts'
import { transition, type ConversationEvent } from './conversation-machine.ts'
import type { ConversationParts } from './conversation-parts.ts'
import {
  deriveConversationState,
  findRetryableMessage,
  isReplyWaiting,
  isWaitingForUser,
} from './conversation-state.ts'
import { getActiveReply, idleReply } from './pending-reply.ts'

import { applyEvent, failReply, stopReply } from './reply-events.ts'
import { emptyConversation, mergeNewest } from './stored-conversation.ts'

const timestamp = Date.parse('2026-11-20T09:00:00Z')

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
  created_at: new Date(timestamp).toISOString(),
  ...(ended && { ended }),
})

const session = { id: 's', user_id: 'u', title: 'Rome', created_at: '', updated_at: '', message_count: 2 }
const run = (status: RunView['status']): RunView => ({
  run_id: 'run',
  status,
  message_id: 'm1',
  reply_id: 'r1',
})
const createRead = (messages: Message[], rest: Partial<SessionRead> = {}): SessionRead => ({
  session,
  messages,
  earlier: null,
  run: null,
  ...rest,
})

/** An event, or one of the stream. */
type Step = ConversationEvent | ((chat: ConversationParts) => ConversationParts)
const applyStep = (chat: ConversationParts, next: Step): ConversationParts =>
  typeof next === 'function' ? next(chat) : transition(chat, next)[0]

const sendMessage = (content: string, id = 'm1'): ConversationEvent => ({
  type: 'sent',
  message: { ...toChatMessage(message(id, 'user', content)), unacknowledged: true },
})
const event =
  (value: ChatEvent): Step =>
  (chat) =>
    applyEvent(chat, value, timestamp)
const start = event({ type: 'start', messageId: 'r1', messageMetadata: { runId: 'run' } })
const delta = (text: string) => event({ type: 'text-delta', id: 't', delta: text })
const finish = (content: string, error: string | null = null, more: Partial<ChatResponse> = {}) =>
  event({
    type: 'finish',
    messageMetadata: { success: error === null, content, toolCalls: [], error, ...more },
  })

const unloadedChat: ConversationParts = { stored: undefined, local: emptyLocalConversation() }
const failWith =
  (failure: ChatFailure, id: string): Step =>
  (chat) =>
    failReply(chat, { ...failure, id, timestamp })
const emptyChat: ConversationParts = { ...unloadedChat, stored: emptyConversation }
/** The state for components. */
const deriveState = (chat: ConversationParts) =>
  deriveConversationState(chat, chat.stored ? 'loaded' : 'loading')
const applySteps = (...steps: Step[]): ConversationParts => steps.reduce(applyStep, emptyChat)
const listContents = (chat: ConversationParts) => deriveState(chat).messages.map(({ content }) => content)
/** Loads a response into the cache, and applies it. */
const load = (chat: ConversationParts, newest: SessionRead): ConversationParts =>
  applyStep({ ...chat, stored: mergeNewest(chat.stored, newest) }, { type: 'loaded' })

describe('a refused message', () => {
  const refuse = failWith({ kind: 'service', message: 'Service error: The limit of today.' }, 'e1')
  const refused = [sendMessage('And more'), refuse].reduce(applyStep, emptyChat)
  const answered = [sendMessage('Am I in?', 'm2'), start, finish('Yes')].reduce(applyStep, refused)

  it('stays where it was, with its reason, when the next one is sent and answered', () => {
    const shown = deriveState(answered).messages
    expect(shown.map(({ content, unacknowledged, refusal }) => [content, unacknowledged, refusal])).toEqual([
      ['And more', true, 'Service error: The limit of today.'],
      ['Am I in?', undefined, undefined],
      ['Yes', undefined, undefined],
    ])
    expect(findRetryableMessage({ messages: shown, attempts: [], pending: idleReply })).toBeUndefined()
  })

  it.each([
    ['before all others', emptyChat],
    ['between others', [sendMessage('Hi', 'm0'), start, finish('Hello')].reduce(applyStep, emptyChat)],
  ])('keeps its place %s, whatever else is refused', (_where, before) => {
    const both = [
      sendMessage('One', 'm1'),
      refuse,
      sendMessage('Two', 'm2'),
      refuse,
      sendMessage('Three', 'm3'),
      event({ type: 'start', messageId: 'r3', messageMetadata: { runId: 'run3' } }),
      finish('Yes'),
    ].reduce(applyStep, before)
    expect(listContents(both).slice(-4)).toEqual(['One', 'Two', 'Three', 'Yes'])
    expect(listContents(both)).toHaveLength(listContents(before).length + 4)
  })

  it('moves to the end when it is sent again, and what was not sent stays', () => {
    const again = applyStep(answered, sendMessage('And more'))
    expect(listContents(again)).toEqual(['Am I in?', 'Yes', 'And more'])
  })

  it('is no part of what a temporary chat sends', () => {
    const { messages } = deriveState(applyStep(answered, sendMessage('Next', 'm3')))
    const state = { ...deriveState(answered), messages, isTemporary: true }
    const request = buildChatRequest('s', messages.at(-1)!, state, { texts: new Map() })
    expect(request.messages.map(({ content }) => content)).toEqual(['Am I in?', 'Yes', 'Next'])
  })
})

describe('a reply that has only made calls', () => {
  const call = { toolCallId: 'c1', toolName: 'gmail_send_email', input: {} }
  const sent = [
    sendMessage('Send it'),
    start,
    event({ type: 'tool-input-available', ...call }),
    event({ type: 'tool-output-available', toolCallId: 'c1', output: 'sent' }),
  ]
  const listCalls = (chat: ConversationParts) =>
    deriveState(chat)
      .messages.at(-1)
      ?.tool_calls.map(({ tool }) => tool)

  it.each<[string, ChatEvent]>([
    ['an error', { type: 'error', errorText: 'Down.' }],
    ['a stop', { type: 'abort' }],
  ])('still shows them after %s', (_name, end) => {
    expect(listCalls(applySteps(...sent, event(end)))).toEqual(['gmail_send_email'])
  })

  it('is no message if it has written blanks only', () => {
    const blank = [sendMessage('Hi'), start, delta('\n\n')]
    const ends = [event({ type: 'error', errorText: 'Down.' }), finish('\n')]
    expect(ends.map((end) => listContents(applySteps(...blank, end)))).toEqual([['Hi'], ['Hi']])
  })

  it('still shows them when it ends without a text', () => {
    const toolCalls = [
      { tool: 'gmail_send_email', action: '', parameters: {}, result: { success: true, data: 'sent' } },
    ]
    const chat = applySteps(...sent, finish('', null, { toolCalls }))
    expect(listCalls(chat)).toEqual(['gmail_send_email'])
    expect(findRetryableMessage(deriveState(chat))).toBeUndefined()
  })
})

it('waits for the user only as long as a decision is missing', () => {
  const chat = applySteps(sendMessage('Send it'), start, (before) =>
    applyEvent(
      before,
      {
        type: 'data-run',
        data: {
          ...run('waiting'),
          questions: [
            anApprovalRequest({ decision: 'approved' }),
            anApprovalRequest({ call_id: 'c2', kind: 'task' }),
          ],
        },
      },
      timestamp,
    ),
  )
  expect(isReplyWaiting(deriveState(chat))).toBe(true)
  expect(isWaitingForUser(deriveState(chat))).toBe(false)
})

it('names the time zone in which the browser is now', () => {
  const options = new Intl.DateTimeFormat().resolvedOptions()
  const spy = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  onTestFinished(() => spy.mockRestore())
  const zones = ['Europe/Berlin', 'Asia/Tokyo'].map((timeZone) => {
    spy.mockReturnValue({ ...options, timeZone })
    const state = deriveState(applySteps(sendMessage('Hi')))
    return buildChatRequest('s', state.messages[0]!, state, { texts: new Map() }).time_zone
  })
  expect(zones).toEqual(['Europe/Berlin', 'Asia/Tokyo'])
})

describe('a turn', () => {
  it('keeps the notices of the reply, from the event to the message', () => {
    const notice = { code: 'tools_unavailable' as const, text: 'No tools.' }
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      event({ type: 'data-notice', data: notice }),
      delta('A'),
    )
    expect(getActiveReply(deriveState(chat).pending)?.notices).toEqual([notice])
    expect(deriveState(applyStep(chat, finish('A'))).messages.at(-1)?.notices).toEqual([notice])
  })

  it.each<ChatEvent>([
    { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' },
    { type: 'tool-output-error', toolCallId: 'c1', errorText: 'No.' },
    { type: 'tool-output-denied', toolCallId: 'c1' },
  ])('removes the approval request of a call that has a result, and keeps the others: %j', (outcome) => {
    const approvals = [anApprovalRequest(), anApprovalRequest({ call_id: 'c2' })]
    const request = event({ type: 'data-run', data: { ...run('waiting'), questions: approvals } })
    const listCallIds = (chat: ConversationParts) =>
      getActiveReply(chat.local.pending)?.approvals.map(({ call_id }) => call_id)
    const waiting = applySteps(sendMessage('Hi'), start, request)
    expect(listCallIds(waiting)).toEqual(['c1', 'c2'])
    expect(listCallIds(applyStep(waiting, event(outcome)))).toEqual(['c2'])
  })

  it('that ends without text and without files leaves no empty message', () => {
    const endedChat = applySteps(sendMessage('Hi'), start, finish(''))
    expect([listContents(endedChat), deriveState(endedChat).isReplying]).toEqual([['Hi'], false])
    const image = { id: 'i', name: 'cat.png', type: 'image/png', size: 1 }
    const chatWithImage = applySteps(
      sendMessage('Hi'),
      start,
      event({ type: 'data-attachment', data: image }),
      finish(''),
    )
    expect(deriveState(chatWithImage).messages.at(-1)).toMatchObject({
      role: 'assistant',
      attachments: [image],
    })
  })

  it('CHAT-43 starts empty', () => {
    expect(deriveState(emptyChat)).toMatchObject({
      messages: [],
      isReplying: false,
      streamingText: '',
      error: null,
    })
  })

  it('CHAT-40 shows the message, then loads, then appends the reply and stops loading', () => {
    const pending = applySteps(sendMessage('Hi'))
    expect([listContents(pending), deriveState(pending).isReplying]).toEqual([['Hi'], true])
    const answered = [start, delta('Hel'), delta('lo'), finish('Hello')].reduce(applyStep, pending)
    expect([
      listContents(answered),
      deriveState(answered).isReplying,
      deriveState(answered).streamingText,
    ]).toEqual([['Hi', 'Hello'], false, ''])
    expect(deriveState(answered).messages.at(-1)).toMatchObject({ id: 'r1', role: 'assistant', timestamp })
  })

  it('CHAT-44 CHAT-45 a start event clears the streaming text, and deltas are appended', () => {
    expect(deriveState(applySteps(sendMessage('Hi'), start, delta('Hel'), delta('lo'))).streamingText).toBe(
      'Hello',
    )
    expect(deriveState(applySteps(sendMessage('Hi'), start, delta('Hel'), start)).streamingText).toBe('')
  })

  it('CHAT-42 DEC-014 shows a text of the user that starts as one of the product', () => {
    expect(listContents(applySteps(sendMessage('__ASSISTANT_hint')))).toEqual(['__ASSISTANT_hint'])
    expect(deriveState(applySteps(sendMessage('__ASSISTANT_hint')))).not.toHaveProperty('hasUserSentMessage')
  })

  it('ignores events when no run is active', () => {
    const answered = applySteps(sendMessage('Hi'), start, delta('Hello'), finish('Hello'))
    expect([delta(' late'), finish('late')].reduce(applyStep, answered)).toBe(answered)
  })

  it('sets the title as soon as the conversation has one', () => {
    expect(deriveState(applySteps(event({ type: 'data-session', data: session }))).title).toBe('Rome')
  })

  it('knows as soon as the service does that its assistant is gone', () => {
    const assistant = { id: 'a', name: 'Travel rules', version: 1 }
    const readAssistant = (changes: object) =>
      deriveState(applySteps(event({ type: 'data-session', data: { ...session, ...changes } }))).assistant
    expect(readAssistant({ assistant })).toEqual(assistant)
    expect(readAssistant({ assistant: { ...assistant, gone: true } })).toEqual({ ...assistant, gone: true })
    expect(readAssistant({})).toBeUndefined()
  })

  it('marks a reply that timed out', () => {
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      event({ type: 'data-run', data: run('incomplete') }),
      finish('Hel'),
    )
    expect(deriveState(chat).messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'incomplete' })
    expect(findRetryableMessage(deriveState(chat))).toBeUndefined()
  })

  it('knows why a reply is incomplete, if the server does', () => {
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      event({ type: 'data-run', data: run('incomplete') }),
      finish('Hel', null, { incompleteReason: 'time' }),
    )
    expect(deriveState(chat).messages.at(-1)).toMatchObject({ incomplete_reason: 'time' })
  })
})

describe('a stop', () => {
  it('CHAT-46 CHAT-48 CHAT-49 keeps what was written as one message, marked as stopped', () => {
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      { type: 'stop-requested' },
      event({ type: 'abort' }),
    )
    expect(listContents(chat)).toEqual(['Hi', 'Hel'])
    expect(deriveState(chat).messages[1]).toMatchObject({ id: 'r1', ended: 'stopped' })
    expect([deriveState(chat).isReplying, deriveState(chat).streamingText]).toEqual([false, ''])
    expect(applyStep(chat, finish('Hello, late'))).toBe(chat)
  })

  it('DEC-009 is a message without text if there is none', () => {
    expect(
      listContents(
        applySteps(sendMessage('Hi'), start, { type: 'stop-requested' }, event({ type: 'abort' })),
      ),
    ).toEqual(['Hi', ''])
  })

  it('shows no more text after the request, and keeps what was received', () => {
    const stopping = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      { type: 'stop-requested' },
      delta('lo'),
    )
    expect(deriveState(stopping).streamingText).toBe('Hel')
    expect(listContents(applyStep(stopping, event({ type: 'abort' })))).toEqual(['Hi', 'Hello'])
    expect(deriveState(applyStep(stopping, { type: 'stop-refused', messageId: 'm1' }))).toMatchObject({
      streamingText: 'Hello',
      isReplying: true,
    })
  })
})

describe('a failure', () => {
  const failure = { kind: 'service' as const, message: 'Service error: x' }

  it('leaves a message that can be retried', () => {
    const chat = applySteps(sendMessage('Hi'), failWith(failure, 'e'))
    expect(deriveState(chat)).toMatchObject({
      isReplying: false,
      error: { message: 'Service error: x', id: 'e', timestamp },
    })
    expect(findRetryableMessage(deriveState(chat))?.id).toBe('m1')
  })

  it('keeps the partial reply, marked as failed', () => {
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      event({ type: 'error', errorText: 'Service error: x' }),
    )
    expect(deriveState(chat).messages.at(-1)).toMatchObject({ content: 'Hel', ended: 'failed' })
    expect(deriveState(chat).error).toMatchObject({ kind: 'service', message: 'Service error: x' })
    expect(findRetryableMessage(deriveState(chat))?.id).toBe('m1')
  })

  it('is read from the last event too', () => {
    expect(
      deriveState(applySteps(sendMessage('Hi'), start, finish('', 'Service error: x'))).error?.message,
    ).toBe('Service error: x')
  })

  it('CHAT-29 is cleared only by its own id', () => {
    const chat = applySteps(sendMessage('Hi'), failWith(failure, 'new'))
    expect(applyStep(chat, { type: 'error-expired', errorId: 'old' })).toBe(chat)
    expect(deriveState(applyStep(chat, { type: 'error-expired', errorId: 'new' })).error).toBeNull()
  })

  it('stays known as the reason of its message once it is cleared, until that is sent again', () => {
    const failed = applySteps(sendMessage('Hi'), failWith(failure, 'e'))
    const cleared = applyStep(failed, { type: 'error-expired', errorId: 'e' })
    expect(deriveState(cleared)).toMatchObject({ error: null, failureReason: 'Service error: x' })
    expect(deriveState(load(cleared, createRead([]))).failureReason).toBe('Service error: x')
    expect(deriveState(applyStep(cleared, sendMessage('Hi'))).failureReason).toBeUndefined()
    const other = load(cleared, createRead([message('m1', 'user', 'Hi'), message('m2', 'user', 'And?')]))
    expect(deriveState(other).failureReason).toBeUndefined()
  })

  it('is known from the stored run of its message', () => {
    const [hi, next] = [message('m1', 'user', 'Hi'), message('m2', 'user', 'And?')]
    const failedRun = { ...run('failed'), error: 'Service error: x' }
    const readReason = (messages: Message[]) =>
      deriveState(load(unloadedChat, createRead(messages, { run: failedRun }))).failureReason
    expect(readReason([hi])).toBe('Service error: x')
    expect(readReason([hi, message('r1', 'assistant', 'Hel', 'failed')])).toBe('Service error: x')
    expect(readReason([hi, message('r1', 'assistant', 'Hello')])).toBeUndefined()
    expect(readReason([hi, next])).toBeUndefined()
  })

  it.each(['connection', 'authentication'] as const)(
    'of the %s is no reason once it is cleared: it may be over',
    (kind) => {
      const failed = applySteps(sendMessage('Hi'), failWith({ kind, message: 'Lost.' }, 'e'))
      const cleared = applyStep(failed, { type: 'error-expired', errorId: 'e' })
      expect(deriveState(cleared)).toMatchObject({ error: null, failureReason: undefined })
      const stored = createRead([message('m1', 'user', 'Hi')], {
        run: { ...run('failed'), ...connectionLost },
      })
      expect(deriveState(load(unloadedChat, stored)).failureReason).toBeUndefined()
    },
  )

  it('of loading is no reason of a message', () => {
    const chat = load(unloadedChat, createRead([message('m1', 'user', 'Hi')]))
    const error = { ...failure, id: 'e', timestamp }
    expect(deriveState(applyStep(chat, { type: 'load-failed', error })).failureReason).toBeUndefined()
  })

  it('a retry removes the partial reply and the error', () => {
    const failed = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      event({ type: 'error', errorText: 'Service error: x' }),
    )
    const message = findRetryableMessage(deriveState(failed))
    if (!message) throw new Error('nothing to retry')
    const retried = applyStep(failed, { type: 'sent', message })
    expect(deriveState(retried)).toMatchObject({
      isReplying: true,
      error: null,
      pending: { messageId: 'm1' },
    })
    expect(listContents(retried)).toEqual(['Hi'])
  })
})

describe('the stored messages', () => {
  const turn = [message('m1', 'user', 'Hi'), message('r1', 'assistant', 'Hello')]

  it('DATA-04 replace the messages, with their times', () => {
    const chat = load(unloadedChat, createRead(turn))
    expect(listContents(chat)).toEqual(['Hi', 'Hello'])
    expect(deriveState(chat)).toMatchObject({
      loadStatus: 'loaded',
      title: 'Rome',
      isReplying: false,
    })
    expect(deriveState(chat).messages[0]?.timestamp).toBe(timestamp)
  })

  it('follow an active run, without its unfinished reply', () => {
    const chat = load(unloadedChat, createRead(turn, { run: run('running') }))
    expect(listContents(chat)).toEqual(['Hi'])
    expect(deriveState(chat)).toMatchObject({
      isReplying: true,
      pending: { phase: 'open', messageId: 'm1', runId: 'run', replyId: 'r1' },
    })
  })

  it('keep a last message that the server never received', () => {
    const failed = applySteps(sendMessage('Lost', 'm2'), failWith({ kind: 'connection', message: 'x' }, 'e'))
    expect(listContents(load(failed, createRead(turn)))).toEqual(['Hi', 'Hello', 'Lost'])
  })

  it('keep earlier pages that were loaded before', () => {
    const first = load(unloadedChat, createRead(turn, { earlier: 'c1' }))
    const withEarlier = applyStep(first, {
      type: 'earlier-loaded',
      page: { messages: [message('m0', 'user', 'Before')], earlier: null },
    })
    expect(listContents(withEarlier)).toEqual(['Before', 'Hi', 'Hello'])
    const reloaded = load(withEarlier, createRead(turn, { earlier: 'c1' }))
    expect([listContents(reloaded), deriveState(reloaded).previousCursor]).toEqual([
      ['Before', 'Hi', 'Hello'],
      null,
    ])
  })

  it('replace the streamed text of a reply', () => {
    const data = { messages: [message('r1', 'assistant', 'Hello, all of it')], run: run('done') }
    const chat = applySteps(
      sendMessage('Hi'),
      start,
      delta('Hel'),
      event({ type: 'data-reply', data }),
      finish(''),
    )
    expect(listContents(chat)).toEqual(['Hi', 'Hello, all of it'])
    expect(deriveState(chat).isReplying).toBe(false)
  })
})

describe('a regenerated reply or an edited message', () => {
  const turn = [message('m1', 'user', 'Hi'), message('r1', 'assistant', 'Hello')]
  const sendReplacement: ConversationEvent = {
    type: 'sent',
    message: { ...toChatMessage(message('m2', 'user', 'Hi there')), unacknowledged: true, replaces: 'm1' },
  }
  const answered = load(unloadedChat, createRead(turn))
  const startOther = event({ type: 'start', messageId: 'r2', messageMetadata: { runId: 'run2' } })
  const begunChat = applyStep(answered, sendReplacement)
  const fail: Step = failWith({ kind: 'service', message: 'x' }, 'e')

  it('hides the earlier branch, and removes it when the reply arrives', () => {
    expect(listContents(begunChat)).toEqual(['Hi there'])
    expect(listContents([startOther, finish('Other')].reduce(applyStep, begunChat))).toEqual([
      'Hi there',
      'Other',
    ])
  })

  it('shows the earlier branch again if no reply comes, and hides it for a retry', () => {
    const failedChat = applyStep(begunChat, fail)
    expect(listContents(failedChat)).toEqual(['Hi', 'Hello'])
    const { attempts } = deriveState(failedChat)
    expect(attempts).toMatchObject([{ id: 'm2', replaces: 'm1', refusal: 'x', unacknowledged: true }])
    expect(findRetryableMessage(deriveState(failedChat))).toBeUndefined()
    const retried = attempts.reduce<ConversationParts>(
      (chat, message) => applyStep(chat, { type: 'sent', message }),
      failedChat,
    )
    expect(listContents(retried)).toEqual(['Hi there'])
    expect(deriveState(retried).attempts).toEqual([])
    expect(listContents(applyStep(retried, fail))).toEqual(['Hi', 'Hello'])
  })

  it.each<[string, Step[], object]>([
    ['failed', [fail], { refusal: 'x' }],
    ['was stopped', [(chat) => stopReply(chat, timestamp)], { ended: 'stopped' }],
    ['is empty', [finish('')], {}],
  ])(
    'is an attempt when its reply %s before the first word, and goes with the next message',
    (_, steps, expected) => {
      for (const isTemporary of [false, true]) {
        const begun = { ...begunChat, local: { ...begunChat.local, isTemporary } }
        const acknowledge = event({
          type: 'start',
          messageId: 'r2',
          messageMetadata: { runId: 'run2', kept: !isTemporary },
        })
        const ended = [acknowledge, ...steps].reduce(applyStep, begun)
        expect(listContents(ended)).toEqual(['Hi', 'Hello'])
        expect(deriveState(ended).attempts).toMatchObject([{ id: 'm2', content: 'Hi there', ...expected }])
        const next = applyStep(ended, sendMessage('And more', 'm3'))
        expect([listContents(next), deriveState(next).attempts]).toEqual([['Hi', 'Hello', 'And more'], []])
      }
    },
  )

  it('is an attempt after a reload, with its reason, and in its place only', () => {
    const attempt = message('m2', 'user', 'Hi there')
    const failed = {
      run_id: 'run',
      status: 'failed' as const,
      message_id: 'm2',
      reply_id: 'r2',
      replaces: 'm1',
    }
    const reloaded = load(
      unloadedChat,
      createRead(turn, { attempt, run: { ...failed, error: 'Service error: no.' } }),
    )
    expect(listContents(reloaded)).toEqual(['Hi', 'Hello'])
    expect(deriveState(reloaded).attempts).toMatchObject([
      { id: 'm2', replaces: 'm1', refusal: 'Service error: no.' },
    ])
    const elsewhere = load(
      unloadedChat,
      createRead([message('m5', 'user', 'Other')], { attempt, run: failed }),
    )
    expect(deriveState(elsewhere)).toMatchObject({ attempts: [], messages: [{ id: 'm5' }] })
  })

  it.each<[string, Step[], string]>([
    ['failed', [delta('Oth'), fail], 'Oth'],
    [
      'was interrupted',
      [
        event({
          type: 'data-reply',
          data: { messages: [message('r2', 'assistant', 'Oth', 'interrupted')], run: run('interrupted') },
        }),
      ],
      'Oth',
    ],
  ])(
    'makes the earlier branch a version, as the server does, when its reply %s after some words',
    (_, steps, content) => {
      const endedChat = [startOther, ...steps].reduce(applyStep, begunChat)
      expect(listContents(endedChat)).toEqual(['Hi there', content])
      expect(deriveState(endedChat).messages[0]).toMatchObject({ versions: { shown: 2, count: 2 } })
      expect(deriveState(endedChat).messages[0]).not.toHaveProperty('replaces')
    },
  )

  it('stays a version when it is retried, whatever becomes of that', () => {
    const retry = (chat: ConversationParts): ConversationParts => {
      const unansweredMessage = findRetryableMessage(deriveState(chat))
      if (!unansweredMessage) throw new Error('nothing to retry')
      return applyStep(chat, { type: 'sent', message: unansweredMessage })
    }
    const retried = retry([startOther, delta('Oth'), fail].reduce(applyStep, begunChat))
    expect(listContents(retried)).toEqual(['Hi there'])
    const failedAgain = [startOther, delta('Ot'), fail].reduce(applyStep, retried)
    expect(listContents(failedAgain)).toEqual(['Hi there', 'Ot'])
    expect(listContents([startOther, fail].reduce(applyStep, retry(failedAgain)))).toEqual(['Hi there', 'Ot'])
    const answered = [startOther, finish('Other')].reduce(applyStep, retry(failedAgain))
    expect(listContents(answered)).toEqual(['Hi there', 'Other'])
    expect(deriveState(answered).messages[0]?.versions).toEqual({ shown: 2, count: 2 })
  })

  it('hides the earlier branch after a reload too, while the new reply is written', () => {
    const run = {
      run_id: 'run',
      status: 'running' as const,
      message_id: 'm2',
      reply_id: 'r2',
      replaces: 'm1',
    }
    const reloaded = load(unloadedChat, createRead([...turn, message('m2', 'user', 'Hi there')], { run }))
    expect([listContents(reloaded), deriveState(reloaded).isReplying]).toEqual([['Hi there'], true])
    expect(listContents(applyStep(reloaded, fail))).toEqual(['Hi', 'Hello'])
    const answered = [message('m2', 'user', 'Hi there'), message('r2', 'assistant', 'Other')]
    const { messages } = mergeNewest(reloaded.stored, createRead(answered))
    expect(messages.map(({ content }) => content)).toEqual(['Hi there', 'Other'])
  })
})

describe('a reply', () => {
  const image = {
    id: 'i',
    name: 'cups.png',
    type: 'image/png',
    size: 9,
    isGenerated: true,
    prompt: 'two cups',
  }

  it('CHAT-14 CHAT-16 CHAT-53 has its tool calls and generated images', () => {
    const running = applySteps(
      sendMessage('Draw'),
      start,
      event({
        type: 'tool-input-available',
        toolCallId: 't',
        toolName: 'generate_image',
        input: { prompt: 'p' },
      }),
    )
    expect(getActiveReply(running.local.pending)?.toolCalls).toMatchObject([
      { name: 'generate_image', status: 'running' },
    ])
    const outputReceived = [
      event({ type: 'tool-output-available', toolCallId: 't', output: {} }),
      event({ type: 'file', url: 'https://s3/i', mediaType: 'image/png' }),
      event({ type: 'data-attachment', data: image }),
    ].reduce(applyStep, running)
    expect(getActiveReply(outputReceived.local.pending)?.attachments).toEqual([image])
    const done = applyStep(outputReceived, finish('Here it is.'))
    expect(deriveState(done).messages.at(-1)).toMatchObject({ content: 'Here it is.', attachments: [image] })
    const stopped = stopReply(outputReceived, timestamp)
    expect(deriveState(stopped).messages.at(-1)).toMatchObject({
      attachments: [image],
      tool_calls: [{ tool: 'generate_image', result: { success: true } }],
    })
  })

  it('DOC-06 DEC-134 how far documents have been read is shown with the message', () => {
    const file = { id: 'f', name: 'a.docx', type: '', size: 9 }
    const sent: ConversationEvent = {
      type: 'sent',
      message: { ...toChatMessage(message('m1', 'user', 'Read')), attachments: [file] },
    }
    const reading = { state: 'read' as const, note: 'read in full' }
    const data = { id: 'f', name: 'a.docx', reading }
    const waitingChat = applySteps(
      sent,
      event({ type: 'data-reading', data: { ...data, reading: { state: 'pending' } } }),
    )
    expect(waitingChat.local.pending).toMatchObject({ readings: [{ reading: { state: 'pending' } }] })
    const readChat = applyStep(waitingChat, event({ type: 'data-reading', data }))
    expect(deriveState(readChat).messages[0]?.attachments).toEqual([{ ...file, reading }])
  })
})

describe('a message that replaces another one', () => {
  const sendSecond: ConversationEvent = {
    type: 'sent',
    message: { ...toChatMessage(message('m2', 'user', 'Rome?')), replaces: 'm1', unacknowledged: true },
  }
  const createAnswered = (changes: Partial<ConversationParts['local']> = {}): ConversationParts => {
    const chat = applySteps(sendMessage('Hi'), start, delta('Hello'), finish('Hello'))
    return { ...chat, local: { ...chat.local, ...changes } }
  }
  const startNext = event({ type: 'start', messageId: 'r2', messageMetadata: { runId: 'run2' } })
  const listVersions = (chat: ConversationParts) => deriveState(chat).messages.map((one) => one.versions)

  it('becomes another version of it when it is answered', () => {
    const pending = [sendSecond, startNext, delta('Hi')].reduce(applyStep, createAnswered())
    expect(listVersions(pending)).toEqual([undefined])
    const answered = applyStep(pending, finish('Hi'))
    expect(listVersions(answered)).toEqual([{ shown: 2, count: 2 }, undefined])
    const sendThird: ConversationEvent = {
      ...sendSecond,
      message: { ...toChatMessage(message('m3', 'user', 'Rome!')), replaces: 'm2', unacknowledged: true },
    }
    const startThird = event({ type: 'start', messageId: 'r3', messageMetadata: { runId: 'run3' } })
    expect(
      listVersions([sendThird, startThird, delta('Oh'), finish('Oh')].reduce(applyStep, answered)),
    ).toEqual([{ shown: 3, count: 3 }, undefined])
  })

  it('has no versions if its reply failed, or in a temporary chat', () => {
    const failed = [sendSecond, startNext, finish('', 'Service error')].reduce(applyStep, createAnswered())
    expect(listVersions(failed)).toEqual([undefined, undefined])
    const startTemporary = event({
      type: 'start',
      messageId: 'r2',
      messageMetadata: { runId: 'run2', kept: false },
    })
    const temporary = [sendSecond, startTemporary, delta('Hi'), finish('Hi')].reduce(
      applyStep,
      createAnswered({ isTemporary: true }),
    )
    expect(listVersions(temporary)).toEqual([undefined, undefined])
  })
})

describe('what applies to the next reply', () => {
  const stored = { ...emptyConversation, model: 'big', effort: 'high', disabledTools: [{ mcp_id: 'bank' }] }
  it.each<[string, ConversationParts['stored'], ConversationParts['local']['chosen'], object]>([
    ['nothing, before a choice', undefined, {}, { model: undefined, effort: undefined, disabledTools: [] }],
    [
      'what the last reply had',
      stored,
      {},
      { model: 'big', effort: 'high', disabledTools: [{ mcp_id: 'bank' }] },
    ],
    [
      'a model chosen here, without the effort of another one',
      stored,
      { model: 'small' },
      { model: 'small', effort: undefined, disabledTools: [{ mcp_id: 'bank' }] },
    ],
    [
      'tools chosen here, also if all are on',
      stored,
      { disabledTools: [] },
      { model: 'big', effort: 'high', disabledTools: [] },
    ],
  ])('is %s', (_name, storedPart, chosen, expected) => {
    const chat: ConversationParts = { stored: storedPart, local: { ...emptyLocalConversation(), chosen } }
    const state = deriveState(chat)
    expect(state).toMatchObject({ ...expected, chosen })
    // components are not rendered again
    expect(deriveConversationState(chat, state.loadStatus, state)).toBe(state)
  })
})
