import { expect, it } from 'vitest'
import { connectionLost, replyNotices } from '#shared/chat-texts.ts'
import { toReadMessage, type StoredMessage } from '../store/message-row.ts'
import { run as runSchema, toRunView, type Run } from '../store/run.ts'
import { buildEndedEvents, toEarlierEvents, toStoredResponse } from './ended-events.ts'

const aRun = (changes: Partial<Run> = {}): Run => ({
  ...runSchema.parse({
    sub: 'ann',
    sessionId: 's1',
    runId: 'r1',
    epoch: 1,
    turn: 1,
    messageId: 'm1',
    replyId: 'm2',
    status: 'done',
    startedAtMs: 1,
    heartbeatAtMs: 1,
  }),
  ...changes,
})

const message = (changes: Partial<StoredMessage> = {}): StoredMessage => ({
  id: 'm2',
  session_id: 's1',
  role: 'assistant',
  content: 'Here.',
  attachments: [],
  tool_calls: [],
  created_at: '2026-11-22T00:00:00.000Z',
  turn: 1,
  kind: 'reply',
  ...changes,
})
const question = message({ id: 'm1', role: 'user', content: 'Where?', kind: 'user' })

const file = { id: 'f', name: 'a.png', type: 'image/png', size: 1 }
const reasoning = { text: 'Hm.', durationMs: 40 }
const sources = [{ url: 'https://example.org/a', title: 'A' }, { url: 'https://example.org/b' }]
const calls = [
  {
    tool: 'find',
    action: 'Find',
    integration: 'Mail',
    parameters: { q: 1 },
    result: { success: true, data: 2, structured: true as const },
  },
  { tool: 'send', action: 'Send', parameters: {}, result: { success: false, error: 'No.' } },
  { tool: 'wait', action: 'Wait', parameters: {}, result: { success: true } },
]
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 0, images: 0 }

it('a stored reply has all its parts in the JSON form', () => {
  const notices = [replyNotices.images]
  const fullReply = message({ attachments: [file], tool_calls: calls, notices, reasoning, sources })
  expect(toStoredResponse(aRun(), [question, fullReply])).toEqual({
    success: true,
    content: 'Here.',
    toolCalls: calls,
    error: null,
    attachments: [file],
    notices,
    reasoning,
    sources,
  })
  expect(toStoredResponse(aRun(), [question, message()])).toStrictEqual({
    success: true,
    content: 'Here.',
    toolCalls: [],
    error: null,
  })
  expect(toStoredResponse(aRun(), [question])).toMatchObject({ content: '' })
})

it.each<[Partial<Run>, string | null]>([
  [{ error: 'Service error: no.' }, 'Service error: no.'],
  [{ status: 'interrupted' }, connectionLost.error],
  [{ status: 'interrupted', error: 'Service error: no.' }, 'Service error: no.'],
  [{ status: 'stopped' }, null],
])('the error of a run with %j is %s', (changes, error) => {
  expect(toStoredResponse(aRun(changes), [])).toMatchObject({ success: error === null, error })
})

it('a reader from the start gets the reply as events, in the order of the page', () => {
  const run = aRun()
  const messages = [question, message({ tool_calls: calls, reasoning, sources, usage })]
  expect(buildEndedEvents(run, messages, 0)).toEqual([
    { type: 'start', messageId: 'm2', messageMetadata: { sessionId: 's1', runId: 'r1' } },
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'reasoning-0' },
    { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'reasoning-0', providerMetadata: { juno: { durationMs: 40 } } },
    {
      type: 'tool-input-available',
      toolCallId: 'call-0',
      toolName: 'find',
      input: { q: 1 },
      providerMetadata: { juno: { kind: 'other', title: 'Find', integration: 'Mail' } },
    },
    { type: 'data-result-extras', data: { toolCallId: 'call-0', structured: true } },
    { type: 'tool-output-available', toolCallId: 'call-0', output: 2 },
    {
      type: 'tool-input-available',
      toolCallId: 'call-1',
      toolName: 'send',
      input: {},
      providerMetadata: { juno: { kind: 'other', title: 'Send' } },
    },
    { type: 'tool-output-error', toolCallId: 'call-1', errorText: 'No.' },
    {
      type: 'tool-input-available',
      toolCallId: 'call-2',
      toolName: 'wait',
      input: {},
      providerMetadata: { juno: { kind: 'other', title: 'Wait' } },
    },
    { type: 'tool-output-available', toolCallId: 'call-2', output: null },
    { type: 'text-start', id: 'text-0' },
    { type: 'text-delta', id: 'text-0', delta: 'Here.' },
    { type: 'text-end', id: 'text-0' },
    { type: 'source-url', sourceId: 'source-1', url: 'https://example.org/a', title: 'A' },
    { type: 'source-url', sourceId: 'source-2', url: 'https://example.org/b' },
    { type: 'finish-step' },
    { type: 'data-reply', data: { messages: messages.map(toReadMessage), run: toRunView(run) } },
    { type: 'message-metadata', messageMetadata: { usage } },
    { type: 'finish', messageMetadata: toStoredResponse(run, messages) },
  ])
})

it.each<[Run['status'], number, StoredMessage[], string[]]>([
  ['done', 7, [question, message()], ['data-reply', 'finish']],
  ['stopped', 7, [question, message({ ended: 'stopped' })], ['data-reply', 'abort', 'finish']],
  ['interrupted', 7, [question], ['data-reply', 'error', 'finish']],
  ['done', 0, [question], ['start', 'data-reply', 'finish']],
])(
  'a reader of a run that is %s gets the stored messages from position %i',
  (status, after, messages, types) => {
    const events = buildEndedEvents(aRun({ status }), messages, after)
    expect(events.map(({ type }) => type)).toEqual(types)
    const errorTexts = events.flatMap((event) => (event.type === 'error' ? [event.errorText] : []))
    expect(errorTexts).toEqual(status === 'interrupted' ? [connectionLost.error] : [])
  },
)

it('a reply that goes on tells its new readers all that it has but its text', () => {
  expect(toEarlierEvents({})).toEqual([])
  const notice = replyNotices.images
  expect(
    toEarlierEvents({ toolCalls: calls.slice(1, 2), attachments: [file], notices: [notice], usage, sources }),
  ).toEqual([
    { type: 'start-step' },
    {
      type: 'tool-input-available',
      toolCallId: 'call-0',
      toolName: 'send',
      input: {},
      providerMetadata: { juno: { kind: 'other', title: 'Send' } },
    },
    { type: 'tool-output-error', toolCallId: 'call-0', errorText: 'No.' },
    { type: 'source-url', sourceId: 'source-1', url: 'https://example.org/a', title: 'A' },
    { type: 'source-url', sourceId: 'source-2', url: 'https://example.org/b' },
    { type: 'finish-step' },
    { type: 'data-attachment', data: file },
    { type: 'data-notice', data: notice },
    { type: 'message-metadata', messageMetadata: { usage } },
  ])
})

it('a failed call without a reason has an empty one, and inputs of the user come with its result', () => {
  const elicited = [{ message: 'Which?', action: 'accept' as const }]
  const call = { tool: 't', action: 'T', parameters: {}, result: { success: false }, elicited }
  const events = toEarlierEvents({ toolCalls: [call] })
  expect(events.slice(2, 4)).toEqual([
    { type: 'data-result-extras', data: { toolCallId: 'call-0', elicited } },
    { type: 'tool-output-error', toolCallId: 'call-0', errorText: '' },
  ])
})
