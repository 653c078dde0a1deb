import { afterEach, expect, it } from 'vitest'
import {
  beginMessage,
  endMessage,
  fails,
  type MessagesBehaviour,
  startFakeMessages,
  textDeltas,
  writeBlock,
  writeEvent,
  writesText,
} from '../../../test/support/fake-messages-server.ts'
import type { ModelApiCall, ModelMessage, ModelTool } from '../model.ts'
import { openMessages } from './messages.ts'

let server: Awaited<ReturnType<typeof startFakeMessages>> | undefined
afterEach(() => server?.close())

async function complete(
  behaviours: MessagesBehaviour | MessagesBehaviour[],
  call: Partial<ModelApiCall> = {},
) {
  server = await startFakeMessages(...[behaviours].flat())
  const received: unknown[] = []
  const client = openMessages({ baseUrl: server.baseUrl, model: 'claude', readKey: async () => 'key' })
  const round = client.send({
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    signal: new AbortController().signal,
    onText: (delta) => received.push(delta),
    onReasoning: (delta, id) => received.push([id, delta]),
    onToolInput: (part) => received.push(part),
    onSource: (source) => received.push(source),
    onOmit: () => undefined,
    ...call,
  })
  const { requests, headers } = server
  return { round, received, requests, headers }
}

const aTool: ModelTool = {
  type: 'function',
  function: { name: 'send', description: 'Sends', parameters: { type: 'object', properties: {} } },
}

it('passes text on as it arrives, and sends the key and the version', async () => {
  const { round, received, headers } = await complete(writesText('Hello', ', world'))
  expect(await round).toEqual({
    text: 'Hello, world',
    toolCalls: [],
    truncated: false,
    inputTokens: 10,
    outputTokens: 20,
  })
  expect(received).toEqual(['Hello', ', world'])
  expect(headers[0]).toMatchObject({
    authorization: 'Bearer key',
    'x-api-key': 'key',
    'anthropic-version': '2023-06-01',
  })
})

it('counts tokens that were read from the cache and written to it as input', async () => {
  const { round } = await complete((response) => {
    beginMessage(response, {
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 30,
      output_tokens: 1,
    })
    writeBlock(response, 0, { type: 'text', text: '' }, textDeltas('Hi'))
    endMessage(response, 'end_turn', { output_tokens: 40, output_tokens_details: { thinking_tokens: 25 } })
  })
  expect(await round).toMatchObject({
    inputTokens: 135,
    cachedInputTokens: 100,
    outputTokens: 40,
    reasoningTokens: 25,
  })
})

const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'sig-1' }
const redactedThinking = { type: 'redacted_thinking', data: 'opaque' }

const thinksAndCalls: MessagesBehaviour = (response) => {
  beginMessage(response)
  writeBlock(response, 0, { type: 'thinking', thinking: '', signature: '' }, [
    { type: 'thinking_delta', thinking: 'Let me ' },
    { type: 'thinking_delta', thinking: 'see.' },
    { type: 'signature_delta', signature: 'sig-1' },
  ])
  writeBlock(response, 1, redactedThinking, [])
  writeBlock(response, 2, { type: 'tool_use', id: 'toolu_1', name: 'send', input: {} }, [
    { type: 'input_json_delta', partial_json: '{"to":' },
    { type: 'input_json_delta', partial_json: '"Ann"}' },
  ])
  writeBlock(response, 3, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }, [
    { type: 'input_json_delta', partial_json: '' },
  ])
  endMessage(response, 'tool_use')
}

it('returns calls with arguments in pieces, and thinking with its signature', async () => {
  const { round, received } = await complete(thinksAndCalls, { tools: [aTool], effort: 'high' })
  expect(await round).toMatchObject({
    toolCalls: [
      { id: 'toolu_1', name: 'send', arguments: '{"to":"Ann"}' },
      { id: 'toolu_2', name: 'now', arguments: '{}' },
    ],
    answer: {
      api: 'messages',
      model: 'claude',
      items: [
        thinking,
        redactedThinking,
        { type: 'tool_use', id: 'toolu_1', name: 'send', input: { to: 'Ann' } },
        { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
      ],
    },
  })
  expect(received).toEqual([
    ['msg_1-0', 'Let me '],
    ['msg_1-0', 'see.'],
    { id: 'toolu_1', name: 'send', delta: '' },
    { id: 'toolu_1', name: 'send', delta: '{"to":' },
    { id: 'toolu_1', name: 'send', delta: '"Ann"}' },
    { id: 'toolu_2', name: 'now', delta: '' },
    { id: 'toolu_2', name: 'now', delta: '{}' },
  ])
})

it('sends calls with their results, in the form of the API', async () => {
  const messages: ModelMessage[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Write to Ann' },
    {
      role: 'assistant',
      content: null,
      answer: { api: 'responses', model: 'claude', items: [{ type: 'reasoning' }] },
      tool_calls: [
        { id: 'call.1', type: 'function', function: { name: 'send', arguments: '{"to":"Ann"}' } },
        { id: 'call.2', type: 'function', function: { name: 'send', arguments: 'not json' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call.1', content: 'Sent.' },
    { role: 'tool', tool_call_id: 'call.2', content: '' },
    { role: 'user', content: 'And now?' },
  ]
  const { round, requests } = await complete(writesText('Done'), { messages, tools: [aTool] })
  await round
  expect(requests[0]).toMatchObject({
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Write to Ann' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'send', input: { to: 'Ann' } },
          { type: 'tool_use', id: 'call_2', name: 'send', input: { unreadable: 'not json' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'Sent.' },
          { type: 'tool_result', tool_use_id: 'call_2' },
          { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    tools: [{ name: 'send', description: 'Sends', input_schema: { type: 'object' } }],
  })
})

it('adapts a conversation that begins with a reply, empty texts, images and schemas to the API', async () => {
  const messages: ModelMessage[] = [
    { role: 'assistant', content: 'Welcome' },
    { role: 'assistant', content: ' ' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    },
    { role: 'user', content: 'What is it?' },
  ]
  const choice: ModelTool = {
    type: 'function',
    function: { name: 'choose', parameters: { properties: { a: {} } } },
  }
  const { round, requests } = await complete(writesText('A dot'), { messages, tools: [choice] })
  await round
  expect(requests[0]?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ text: 'Welcome' }] },
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'text', text: 'What is it?' },
      ],
    },
  ])
  expect(requests[0]?.tools).toEqual([
    { name: 'choose', input_schema: { type: 'object', properties: { a: {} } } },
  ])
})

it.each([
  [undefined, {}],
  ['none', { thinking: { type: 'disabled' } }],
  ['high', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }],
])('requests the effort %s', async (effort, expected) => {
  const { round, requests } = await complete(writesText('Hi'), effort === undefined ? {} : { effort })
  await round
  const { thinking, output_config: output } = requests[0] ?? {}
  expect({ ...(thinking && { thinking }), ...(output && { output_config: output }) }).toEqual(expected)
})

it('respects the limit that the server names, and remembers it', async () => {
  const limitsTokens: MessagesBehaviour = (response, body) =>
    body.max_tokens > 8_192
      ? fails(
          400,
          'invalid_request_error',
          `max_tokens: ${body.max_tokens} > 8192, which is the maximum allowed number of output tokens for claude`,
        )(response, body)
      : writesText('Hi')(response, body)
  const { round, requests } = await complete(limitsTokens)
  expect(await round).toMatchObject({ text: 'Hi' })
  expect(requests.map(({ max_tokens: limit }) => limit)).toEqual([16_000, 8_192])
})

it.each([
  ['max_tokens', true],
  ['model_context_window_exceeded', true],
  ['stop_sequence', false],
])('reads the end %s as truncated: %s', async (reason, truncated) => {
  const { round } = await complete((response) => {
    beginMessage(response)
    writeBlock(response, 0, { type: 'text', text: '' }, textDeltas('Hi'))
    endMessage(response, reason)
  })
  expect(await round).toMatchObject({ text: 'Hi', truncated })
})

it.each([
  [
    fails(400, 'invalid_request_error', 'prompt is too long: 215001 tokens > 200000 maximum'),
    'model_context_exceeded',
  ],
  [
    fails(400, 'invalid_request_error', "output_config.effort: Input should be 'low'"),
    'model_effort_rejected',
  ],
  [fails(401, 'authentication_error', 'invalid x-api-key'), 'model_key_refused'],
  [fails(403, 'permission_error', 'no'), 'model_key_refused'],
  [fails(404, 'not_found_error', 'model: claude'), 'model_unknown'],
  [fails(413, 'request_too_large', 'Request exceeds the maximum size'), 'model_context_exceeded'],
  [fails(429, 'rate_limit_error', 'slow down', { 'retry-after': '20' }), 'model_busy'],
  [fails(529, 'overloaded_error', 'Overloaded', { 'x-should-retry': 'false' }), 'model_busy'],
  [fails(500, 'api_error', 'Internal', { 'x-should-retry': 'false' }), 'model_broken'],
])('%# recognises the error of the server: %s', async (behaviour, code) => {
  const { round } = await complete(behaviour)
  await expect(round).rejects.toMatchObject({ code })
})

it('passes on how long a busy server says to wait', async () => {
  const { round } = await complete(fails(429, 'rate_limit_error', 'slow down', { 'retry-after': '20' }))
  await expect(round).rejects.toMatchObject({ retryAfterSeconds: 20 })
})

it.each<[string, MessagesBehaviour, string]>([
  [
    'an overload before the first token',
    (response) => {
      beginMessage(response)
      writeEvent(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
      response.end()
    },
    'model_busy',
  ],
  [
    'a stream that ends during its thinking',
    (response) => {
      beginMessage(response)
      writeEvent(response, {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      })
      writeEvent(response, {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'Hm' },
      })
      response.end()
    },
    'model_cut',
  ],
  [
    'a stream that ends during its text',
    (response) => {
      beginMessage(response)
      writeEvent(response, {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: 'Hal' },
      })
      response.end()
    },
    'model_cut',
  ],
  [
    'a refusal without a word',
    (response) => {
      beginMessage(response)
      endMessage(response, 'refusal')
    },
    'model_filtered',
  ],
  [
    'what is not JSON',
    (response) => {
      beginMessage(response)
      response.end('event: message_stop\ndata: {"type"\n\n')
    },
    'model_unreadable',
  ],
])('has its own error for %s', async (_, behaviour, code) => {
  const { round } = await complete(behaviour)
  await expect(round).rejects.toMatchObject({ code })
})

it('ends with the reason of an abort', async () => {
  const stop = new AbortController()
  const { round } = await complete((response) => beginMessage(response), { signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(round).rejects.toThrow('stopped')
})
