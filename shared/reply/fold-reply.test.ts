import { expect, it } from 'vitest'
import type { ChatEvent } from '../chat-events.ts'
import { foldReply } from './fold-reply.ts'
import { toToolCall } from './reply-state.ts'
import { emptyReply } from './reply-state.ts'

const fold = (...events: ChatEvent[]) => events.reduce(foldReply, emptyReply)
const text = (id: string, delta: string): ChatEvent[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]

it('the texts of two rounds are two paragraphs', () => {
  expect(fold(...text('1', 'I look.'), ...text('2', 'Here.')).text).toBe('I look.\n\nHere.')
})

it('a call that is being written is replaced by the written one; an id that is used again is another call', () => {
  const input = (value: number): ChatEvent => ({
    type: 'tool-input-available',
    toolCallId: 'c',
    toolName: 't',
    input: { value },
  })
  const { toolCalls } = fold(
    { type: 'tool-input-start', toolCallId: 'c', toolName: 't' },
    input(1),
    { type: 'data-result-extras', data: { toolCallId: 'c', notes: ['Cut.'] } },
    { type: 'tool-output-available', toolCallId: 'c', output: 'first' },
    input(2),
    { type: 'tool-output-error', toolCallId: 'c', errorText: 'No.' },
    { type: 'tool-output-available', toolCallId: 'unknown', output: 1 },
  )
  expect(toolCalls.map((call) => toToolCall(call))).toEqual([
    {
      tool: 't',
      action: 't',
      parameters: { value: 1 },
      result: { success: true, data: 'first', notes: ['Cut.'] },
    },
    { tool: 't', action: 't', parameters: { value: 2 }, result: { success: false, error: 'No.' } },
  ])
})

it('arguments that the user has changed replace the model’s, and what the server was told stays with the call', () => {
  const call = { type: 'tool-input-available', toolCallId: 'c', toolName: 't' } as const
  const elicited = [{ message: 'Which day?', action: 'decline' as const }]
  const { toolCalls } = fold(
    { ...call, input: { to: 'ann' }, providerMetadata: { juno: { kind: 'other', title: 'Send' } } },
    { ...call, input: { to: 'bob' } },
    { type: 'data-result-extras', data: { toolCallId: 'c', elicited } },
    { type: 'tool-output-denied', toolCallId: 'c' },
  )
  expect(toolCalls.map((one) => toToolCall(one))).toMatchObject([
    { action: 'Send', parameters: { to: 'bob' }, result: { success: false }, elicited },
  ])
})

it('a reply that begins again keeps what the user is asked, and its run', () => {
  const run = { run_id: 'r', status: 'waiting' as const, message_id: 'm', reply_id: 'a', questions: [] }
  const waiting = fold(...text('1', 'Shall I?'), { type: 'data-run', data: run })
  expect(foldReply(waiting, { type: 'start', messageId: 'a', messageMetadata: {} })).toEqual({
    ...emptyReply,
    runId: 'r',
    replyId: 'a',
  })
})

it('an event of a newer server, and one that ends the stream, change nothing', () => {
  const reply = fold(...text('1', 'Hi.'))
  expect(foldReply(reply, { type: 'data-future' } as never)).toBe(reply)
  expect(foldReply(reply, { type: 'abort' })).toBe(reply)
})

it('documents are waited for until the model answers', () => {
  const tell = (id: string, state: 'pending' | 'read'): ChatEvent => ({
    type: 'data-reading',
    data: { id, name: `${id}.pdf`, reading: { state }, text: 'Text' },
  })
  const reading = fold(tell('a', 'pending'), tell('b', 'pending'), tell('a', 'read'))
  expect(reading.readings).toEqual([
    { id: 'a', name: 'a.pdf', reading: { state: 'read' } },
    { id: 'b', name: 'b.pdf', reading: { state: 'pending' } },
  ])
  expect(foldReply(reading, { type: 'start-step' }).readings).toBeUndefined()
})
