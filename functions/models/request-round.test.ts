import { expect, it } from 'vitest'
import { recordedCall } from '../../test/support/recorded-call.ts'
import { openModel } from './open-model.ts'
import type { ModelApi } from './model.ts'

/** Sends one request, which is answered with this body. */
async function ask(api: ModelApi, body: string, type: string) {
  const { call, received } = recordedCall()
  const answer: typeof fetch = async () => new Response(body, { headers: { 'content-type': type } })
  const model = openModel({ api, baseUrl: 'http://m/v1', model: 'm', readKey: async () => '', fetch: answer })
  const { code, ...round } = await model.complete(call).then(
    (complete) => ({ ...complete, code: undefined }),
    (error: { code: string }) => ({
      code: error.code,
      text: '',
      toolCalls: [],
      truncated: false,
      reasoning: undefined,
    }),
  )
  return { code, text: round.text, calls: round.toolCalls, truncated: round.truncated, received }
}
const events = (...list: { type: string }[]) =>
  list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const aCall = { id: 'a', name: 'find', arguments: '{"n":1}' }

const message = {
  content: [
    { type: 'thinking', thinking: 'Hm', signature: 's' },
    { type: 'text', text: 'Hi' },
    { type: 'tool_use', id: 'a', name: 'find', input: { n: 1 } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 2 },
}
const response = {
  status: 'completed',
  output: [
    { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
    { type: 'function_call', call_id: 'a', name: 'find', arguments: { n: 1 } },
  ],
}

// https://github.com/huggingface/chat-ui/issues/430: JSON instead of a stream; https://github.com/ggml-org/llama.cpp/issues/20198: objects
it.each<[string, ModelApi, string, object]>([
  ['a whole message', 'messages', JSON.stringify(message), { text: 'Hi', calls: [aCall] }],
  ['a whole message that is only text', 'messages', '{"content":"Hi"}', { text: 'Hi', truncated: false }],
  [
    'a whole message with thoughts',
    'messages',
    JSON.stringify(message),
    {
      received: [
        ['reasoning', 'Hm', expect.anything()],
        ['text', 'Hi'],
        ['input', 'a', ''],
        ['input', 'a', '{"n":1}'],
      ],
    },
  ],
  ['a whole response', 'responses', JSON.stringify(response), { text: 'Hi', calls: [aCall] }],
  [
    'an error, status 200',
    'messages',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    { code: 'model_busy' },
  ],
  [
    'an error without an object of its own',
    'messages',
    '{"type":"error","message":"x"}',
    { code: 'model_broken' },
  ],
  [
    'an error, status 200',
    'responses',
    '{"error":{"code":"rate_limit_exceeded","message":"Rate limit"}}',
    { code: 'model_busy' },
  ],
])('%s over %s instead of a stream', async (_, api, body, expected) => {
  expect(await ask(api, body, 'application/json')).toMatchObject(expected)
})

const start = (index: number | undefined, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
})
const piece = (index: number | undefined, delta: object) => ({ type: 'content_block_delta', index, delta })
const end = (reason: string) => [
  { type: 'message_delta', delta: { stop_reason: reason } },
  { type: 'message_stop' },
]
const tool = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'find', ...more })

// https://platform.claude.com/docs/en/build-with-claude/streaming, and what its compatible servers leave out
it.each<[string, { type: string }[], object]>([
  [
    'arguments with the start of the block',
    [start(0, tool('a', { input: { n: 1 } })), ...end('tool_use')],
    { calls: [aCall] },
  ],
  [
    'arguments in pieces after an empty start',
    [
      start(0, tool('a', { input: {} })),
      piece(0, { type: 'input_json_delta', partial_json: '{"n":1}' }),
      ...end('tool_use'),
    ],
    { calls: [aCall] },
  ],
  [
    'blocks without a place',
    [
      start(undefined, tool('a')),
      piece(undefined, { type: 'input_json_delta', partial_json: '{"n":1}' }),
      ...end('tool_use'),
    ],
    { calls: [aCall] },
  ],
  [
    'two calls at one place',
    [start(0, tool('a', { input: { n: 1 } })), start(0, tool('b', { input: { n: 2 } })), ...end('tool_use')],
    { calls: [aCall, { ...aCall, id: 'b', arguments: '{"n":2}' }] },
  ],
  [
    'an end that is not known',
    [start(0, { type: 'text', text: 'Hi' }), ...end('new_reason')],
    { text: 'Hi', truncated: true },
  ],
  [
    'a paused turn',
    [start(0, { type: 'text', text: 'Hi' }), ...end('pause_turn')],
    { text: 'Hi'.repeat(6), truncated: true },
  ],
  [
    'unknown events and blocks',
    [
      { type: 'new_event' },
      start(0, { type: 'new_block' }),
      piece(0, { type: 'new_delta' }),
      start(1, { type: 'text', text: 'Hi' }),
      ...end('end_turn'),
    ],
    { text: 'Hi', truncated: false },
  ],
  [
    'think tags',
    [
      start(0, { type: 'text', text: '' }),
      piece(0, { type: 'text_delta', text: '<think>Hm</think>\n\nHi' }),
      ...end('end_turn'),
    ],
    { text: 'Hi' },
  ],
])('over Messages: %s', async (_, list, expected) => {
  expect(
    await ask('messages', events({ type: 'message_start' }, ...list), 'text/event-stream'),
  ).toMatchObject(expected)
})

// https://platform.openai.com/docs/api-reference/responses-streaming, and what its compatible servers leave out
it.each<[string, { type: string; [name: string]: unknown }[], object]>([
  [
    'arguments only at their end',
    [
      {
        type: 'response.output_item.added',
        item: { type: 'function_call', id: 'x', call_id: 'a', name: 'find' },
      },
      { type: 'response.function_call_arguments.done', item_id: 'x', arguments: '{"n":1}' },
      { type: 'response.completed' },
    ],
    { calls: [aCall] },
  ],
  [
    'an incomplete response that is called complete',
    [
      { type: 'response.output_text.delta', delta: 'Hi' },
      {
        type: 'response.completed',
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    ],
    { text: 'Hi', truncated: true },
  ],
  [
    'a failed response that is called complete',
    [
      { type: 'response.output_text.delta', delta: 'Hi' },
      { type: 'response.completed', response: { status: 'failed', error: { message: 'x' } } },
    ],
    { code: 'model_cut' },
  ],
  [
    'null in place of everything',
    [
      { type: 'response.output_item.added', item: null },
      { type: 'response.output_text.delta', delta: null },
      { type: 'response.output_text.delta', delta: 'Hi' },
      { type: 'response.completed', response: null },
    ],
    { text: 'Hi', truncated: false },
  ],
])('over Responses: %s', async (_, list, expected) => {
  expect(await ask('responses', events(...list), 'text/event-stream')).toMatchObject(expected)
})

const overloaded =
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
const started = 'event: message_start\ndata: {"type":"message_start","message":{}}\n\n'
const hello =
  'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\ndata: {"type":"message_stop"}\n\n'
const begun = hello.slice(0, hello.indexOf('\n\n') + 2)
const key = 'event: error\ndata: {"error":{"type":"authentication_error","message":"no"}}\n\n'

// NousResearch/hermes-agent#101875: an overload within status 200
it.each<[string, string[], object, number]>([
  ['is asked once more', [started + overloaded, hello], { text: 'Hi' }, 2],
  ['is asked once more only', [overloaded, overloaded, hello], { code: 'model_busy' }, 2],
  ['is not asked again after some of it', [begun + overloaded, hello], { code: 'model_cut' }, 1],
  ['is not asked again for what stays', [key, hello], { code: 'model_key_refused' }, 1],
])('a stream that begins with an error %s', async (_, bodies, expected, count) => {
  let requests = 0
  const answer: typeof fetch = async () =>
    new Response(bodies[requests++], { headers: { 'content-type': 'text/event-stream' } })
  const model = openModel({
    api: 'messages',
    baseUrl: 'http://m/v1',
    model: 'm',
    readKey: async () => '',
    fetch: answer,
  })
  const outcome = await model.complete(recordedCall().call).catch((error: unknown) => error)
  expect(outcome).toMatchObject(expected)
  expect(requests).toBe(count)
})
