import { expect, describe, it } from 'vitest'
import {
  anApprovalRequest,
  delta,
  finish,
  start,
  waitingRun,
} from '../../../../../test/support/chat-server.ts'
import { aChatMessage } from '../../../../../test/support/fake-conversation.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ConversationParts } from './conversation-parts.ts'
import { createLocal } from './shown-conversation.ts'
import { isBusy, type ConversationEvent } from './machine.ts'
import { getActiveReply } from './pending-reply.ts'
import { applyReport, type Report } from './reports.ts'
import { emptyConversation } from './stored-conversation.ts'

const message: ChatMessage = {
  ...aChatMessage({ id: 'm1', role: 'user', content: 'Hi' }),
  unacknowledged: true,
}
const partial = aChatMessage({ id: 'r1', content: 'Hel', ended: 'incomplete' })
const error = { kind: 'connection', message: 'Lost.', id: 'e1', timestamp: 0 } as const
const timestamp = 0
const idle: ConversationParts = { stored: emptyConversation, local: createLocal() }
const apply = (chat: ConversationParts, ...events: (ConversationEvent | Report)[]) =>
  events.reduce((current, event) => applyReport(current, event)[0], chat)
const receive = (event: Extract<Report, { type: 'received' }>['event'], request = 1) =>
  ({ type: 'received', request, event, timestamp }) as const

const analysing = apply(idle, { type: 'sent', message })
const streaming = apply(
  analysing,
  { type: 'documents-analysed', request: 1 },
  receive(start),
  receive(delta('Hel')),
)
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
  analysing,
  streaming,
  'streaming, temporary': temporary(streaming),
  waiting,
  'waiting, temporary': temporary(waiting),
  'waiting, deciding': apply(waiting, { type: 'decision-made', decision: { callId: 'c1', approved: true } }),
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
    'document-progressed': { type: 'document-progressed', request, name: 'a', done: 0, total: 1 },
    'document-analysed': {
      type: 'document-analysed',
      request,
      attachmentId: 'f',
      reading: { state: 'read', note: '' },
    },
    'documents-analysed': { type: 'documents-analysed', request },
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
    'decision-made': { type: 'decision-made', decision },
    decided: { type: 'decided', callId: 'c1', approved: true },
    'stop-requested': { type: 'stop-requested' },
    'stop-accepted': { type: 'stop-accepted', messageId: 'm1', timestamp },
    'stop-refused': { type: 'stop-refused', messageId: 'm1' },
    'stop-overdue': { type: 'stop-overdue', messageId: 'm1', timestamp },
  }) satisfies Record<string, ConversationEvent | Report>

/** The phase after each event, and what is done then. An event that is not named changes no phase and leads to nothing. */
const ended = { finish: 'idle', abort: 'idle', error: 'idle' }
const table: Record<State, Partial<Record<keyof ReturnType<typeof createEvents>, string>>> = {
  idle: { sent: 'analysing analyse', continued: 'streaming open' },
  analysing: {
    'documents-analysed': 'streaming open',
    'stream ended': 'idle',
    'stream gone': 'idle',
    'stream failed': 'idle',
    recovered: 'idle',
    'stop-requested': 'idle abort',
  },
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
    'stop-requested': 'stopping stop',
    'stop-accepted': 'waiting load',
  },
  'waiting, temporary': {
    loaded: 'idle',
    'decision-made': 'waiting decide',
    'stop-requested': 'stopping stop',
    'stop-accepted': 'idle',
  },
  'waiting, deciding': {
    abort: 'idle',
    error: 'idle',
    'stream gone': 'waiting load',
    'stream failed': 'waiting load',
    recovered: 'idle',
    'decision-made': 'waiting decide',
    decided: 'streaming',
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
  const { pending, requestCount } = chat.local
  it.each(Object.entries(createEvents(requestCount)))('%s', (eventName, event) => {
    const [next, effect] = applyReport(chat, event)
    const expected = table[name as State][eventName as keyof ReturnType<typeof createEvents>]
    expect([next.local.pending.phase, effect?.type].join(' ').trim()).toBe(expected ?? pending.phase)
    const reply = getActiveReply(next.local.pending)
    // only a reply that waits has no request
    expect(isBusy(next.local) || !reply || reply.approvals.length > 0).toBe(true)
  })

  it.each(Object.entries(createEvents(requestCount + 1)).filter(([, event]) => 'request' in event))(
    '%s of another request',
    (_eventName, event) => {
      expect(applyReport(chat, event)).toEqual([chat])
    },
  )
})
