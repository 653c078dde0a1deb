import { expect, describe, it } from 'vitest'
import {
  anApprovalRequest,
  delta,
  finish,
  start,
  waitingRun,
} from '../../../../../test/support/chat-server.ts'
import { aChatMessage, emptyLocalConversation } from '../../../../../test/support/fake-conversation.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ConversationParts } from './conversation-parts.ts'
import { isBusy, transition, type ConversationEvent } from './conversation-machine.ts'
import { getActiveReply, isWaiting } from './pending-reply.ts'
import { emptyConversation } from './stored-conversation.ts'

const message: ChatMessage = {
  ...aChatMessage({ id: 'm1', role: 'user', content: 'Hi' }),
  unacknowledged: true,
}
const partial = aChatMessage({ id: 'r1', content: 'Hel', ended: 'incomplete' })
const error = { kind: 'connection', message: 'Lost.', id: 'e1', timestamp: 0 } as const
const timestamp = 0
const idle: ConversationParts = { stored: emptyConversation, local: emptyLocalConversation() }
const apply = (chat: ConversationParts, ...events: ConversationEvent[]) =>
  events.reduce((current, event) => transition(current, event)[0], chat)
const receive = (event: Extract<ConversationEvent, { type: 'received' }>['event'], request = 1) =>
  ({ type: 'received', request, event, timestamp }) as const

const streaming = apply(idle, { type: 'sent', message }, receive(start), receive(delta('Hel')))
const waiting = apply(
  streaming,
  receive({ type: 'data-run', data: waitingRun(anApprovalRequest()) }),
  receive(finish),
  { type: 'request-ended', request: 1, reason: 'ended', error },
)
const temporary = (chat: ConversationParts): ConversationParts => ({
  ...chat,
  local: { ...chat.local, isTemporary: true },
})
const stop: ConversationEvent = { type: 'stop-requested' }
const lost: ConversationEvent = { type: 'request-ended', request: 1, reason: 'ended', error }
/** Every phase, and what makes a difference in it. */
const states = {
  idle,
  streaming,
  'streaming, temporary': temporary(streaming),
  waiting,
  'waiting, temporary': temporary(waiting),
  'waiting, deciding': apply(waiting, {
    type: 'decision-made',
    decision: { callId: 'c1', approved: true },
    isLate: false,
  }),
  stopping: apply(streaming, stop),
  'stopping, waiting': apply(waiting, stop),
  recovering: apply(streaming, lost),
}
type State = keyof typeof states

const decision = { callId: 'c1', approved: true }
/** @param request the one that works on the reply */
const createEvents = (request: number) =>
  ({
    sent: { type: 'sent', message: { ...message, id: 'm2' } },
    continued: { type: 'continued', message, partial },
    text: receive(delta('lo'), request),
    question: receive({ type: 'data-run', data: waitingRun(anApprovalRequest()) }, request),
    finish: receive(finish, request),
    abort: receive({ type: 'abort' }, request),
    error: receive({ type: 'error', errorText: 'Service error: x' }, request),
    'connection lost': { type: 'connection-changed', request, connection: 'lost' },
    'stream ended': { type: 'request-ended', request, reason: 'ended', error },
    'stream gone': { type: 'request-ended', request, reason: 'gone', error },
    'stream failed': { type: 'request-ended', request, reason: 'failed', error },
    recovered: { type: 'recovered', request, error },
    loaded: { type: 'loaded' },
    'load-failed': { type: 'load-failed', error },
    'decision-made': { type: 'decision-made', decision, isLate: false },
    'late approval': { type: 'decision-made', decision, isLate: true },
    'decision of another call': {
      type: 'decision-made',
      decision: { ...decision, callId: 'c9' },
      isLate: false,
    },
    decided: { type: 'decided', request },
    'decision-refused': { type: 'decision-refused', request },
    'stop-requested': { type: 'stop-requested' },
    'stop-accepted': { type: 'stop-accepted', messageId: 'm1', timestamp },
    'stop-refused': { type: 'stop-refused', messageId: 'm1' },
    'stop-overdue': { type: 'stop-overdue', messageId: 'm1', timestamp },
  }) satisfies Record<string, ConversationEvent>

/** An open reply streams or waits. */
const describePhase = ({ local: { pending } }: ConversationParts) =>
  pending.phase === 'open' ? (isWaiting(pending) ? 'waiting' : 'streaming') : pending.phase

/** The phase after each event, and what is done then. An event that is not named changes no phase and leads to nothing. */
const ended = { finish: 'idle', abort: 'idle', error: 'idle' }
const table: Record<State, Partial<Record<keyof ReturnType<typeof createEvents>, string>>> = {
  idle: { sent: 'streaming open', continued: 'streaming open' },
  streaming: {
    ...ended,
    question: 'waiting',
    'stream ended': 'recovering recover',
    'stream gone': 'recovering recover',
    'stream failed': 'idle',
    recovered: 'idle',
    'stop-requested': 'stopping stop',
  },
  'streaming, temporary': {
    ...ended,
    question: 'waiting',
    'stream ended': 'idle',
    'stream gone': 'idle',
    'stream failed': 'idle',
    recovered: 'idle',
    'stop-requested': 'stopping stop',
  },
  waiting: {
    loaded: 'idle',
    'decision-made': 'waiting decide',
    'late approval': 'waiting report-late-decision',
    'stop-requested': 'stopping stop',
    'stop-accepted': 'waiting load',
  },
  'waiting, temporary': {
    loaded: 'idle',
    'decision-made': 'waiting decide',
    'late approval': 'waiting report-late-decision',
    'stop-requested': 'stopping stop',
    'stop-accepted': 'idle',
  },
  'waiting, deciding': {
    abort: 'idle',
    error: 'idle',
    'stream gone': 'waiting load',
    'stream failed': 'waiting load',
    recovered: 'idle',
    decided: 'streaming',
    'decision-refused': 'waiting report-late-decision',
    'stop-requested': 'stopping stop',
    'stop-accepted': 'waiting load',
  },
  stopping: {
    ...ended,
    'stream ended': 'recovering recover',
    'stream gone': 'recovering recover',
    'stream failed': 'idle',
    recovered: 'idle',
    'stop-refused': 'streaming',
    'stop-overdue': 'idle abort',
  },
  'stopping, waiting': {
    loaded: 'idle',
    'stop-accepted': 'stopping load',
    'stop-refused': 'waiting',
    'stop-overdue': 'idle abort',
  },
  recovering: {
    'stream ended': 'idle',
    'stream gone': 'idle',
    'stream failed': 'idle',
    recovered: 'idle',
    'stop-requested': 'stopping stop',
  },
}

describe.each(Object.entries(states))('%s', (name, chat) => {
  const { requestCount } = chat.local
  it.each(Object.entries(createEvents(requestCount)))('%s', (eventName, event) => {
    const [next, effect] = transition(chat, event)
    const expected = table[name as State][eventName as keyof ReturnType<typeof createEvents>]
    expect([describePhase(next), effect?.type].join(' ').trim()).toBe(expected ?? describePhase(chat))
    const reply = getActiveReply(next.local.pending)
    // only a reply that waits has no request
    expect(isBusy(next.local) || !reply || isWaiting(reply)).toBe(true)
    // a decision on its way has a request
    expect(reply?.deciding === undefined || isBusy(next.local)).toBe(true)
  })

  it.each(Object.entries(createEvents(requestCount + 1)).filter(([, event]) => 'request' in event))(
    '%s of another request',
    (_eventName, event) => {
      expect(transition(chat, event)).toEqual([chat])
    },
  )
})

describe('a decision on its way', () => {
  const deciding = states['waiting, deciding']
  const getReply = (chat: ConversationParts) => getActiveReply(chat.local.pending)
  const request = deciding.local.requestCount

  it('is known with its request, and there is no second one', () => {
    expect(getReply(deciding)).toMatchObject({
      request,
      deciding: { ...decision, askedAt: expect.any(String) },
    })
    for (const second of [decision, { ...decision, approved: false }])
      expect(transition(deciding, { type: 'decision-made', decision: second, isLate: false })).toEqual([
        deciding,
      ])
  })

  it.each([
    ['failed', { kind: 'connection' }],
    ['ended', { kind: 'connection' }],
    ['gone', undefined],
  ] as const)('that has %s can be made again', (reason, failure) => {
    const after = apply(deciding, { type: 'request-ended', request, reason, error })
    const failedDecision = failure && { callId: 'c1', failure }
    expect(getReply(after)).toMatchObject({ deciding: undefined, ...(failedDecision && { failedDecision }) })
    const again = apply(after, { type: 'decision-made', decision, isLate: false })
    expect(getReply(again)).toMatchObject({ deciding: decision, failedDecision: undefined })
  })

  it('that failed leaves a temporary chat as it was', () => {
    const after = transition(temporary(deciding), {
      type: 'request-ended',
      request,
      reason: 'failed',
      error,
    })
    expect(after).toMatchObject([{ local: { pending: { failedDecision: { callId: 'c1' } } } }, undefined])
  })

  it('stays known while the stream is opened again, until another request is asked', () => {
    const reopened = apply(deciding, receive(start, request))
    expect(getReply(reopened)?.deciding?.callId).toBe('c1')
    const [asked] = getReply(deciding)?.approvals ?? []
    const ask = (over: Parameters<typeof anApprovalRequest>[0]) =>
      getReply(
        apply(
          reopened,
          receive({ type: 'data-run', data: waitingRun(anApprovalRequest({ ...asked, ...over })) }, request),
        ),
      )?.deciding
    expect(ask({})).toMatchObject({ callId: 'c1' })
    expect(ask({ call_id: 'c2' })).toBeUndefined()
    expect(ask({ asked_at: '2099-01-01T00:00:00.000Z' })).toBeUndefined()
  })

  it('of a task is late without a word: nobody has pressed', () => {
    const question = anApprovalRequest({ kind: 'task' })
    const chat = apply(streaming, receive({ type: 'data-run', data: waitingRun(question) }), {
      type: 'decision-made',
      isLate: false,
      decision,
    })
    const [, effect] = transition(chat, { type: 'decision-refused', request: chat.local.requestCount })
    expect(effect).toBeUndefined()
  })
})
