import { afterAll, describe, expect, it } from 'vitest'
import { askModel } from '../../../test/support/ask-model.ts'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import {
  beginStream,
  responseEvent,
  says,
  startFakeModel,
  wireFormat,
  type ModelBehaviour,
} from '../../../test/support/fake-model-server.ts'
import type { ModelApiCall, ModelCall, ModelSettings } from '../model.ts'
import { openModel } from '../open-model.ts'
import { openResponses } from './responses.ts'

const server = await startFakeModel()
afterAll(() => server.close())

/** Calls a server that responds with these events. */
async function askScripted(events: string[], call: Partial<ModelCall> = {}) {
  const behave: ModelBehaviour = (response) => {
    beginStream(response)
    response.end(events.join(''))
  }
  server.behave(behave)
  const model = openModel({ api: 'responses', baseUrl: server.baseUrl, model: 'm', readKey: async () => '' })
  return askModel(model, call)
}

const format = wireFormat({ url: '/responses' })
const item = (output_index: number, more: object, type = 'output_item.done') =>
  responseEvent(type, { output_index, item: more })
const reasoningItem = (id: string, more: object = { encrypted_content: `sealed-${id}` }) => ({
  type: 'reasoning',
  id,
  summary: [],
  status: 'completed',
  ...more,
})
const call = (id: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'get_weather',
  arguments: '{}',
})

it.each([
  [undefined, { summary: 'auto' }],
  ['high', { effort: 'high', summary: 'auto' }],
  ['none', { effort: 'none' }],
])('asks for sealed reasoning, with the effort %s', async (effort, reasoning) => {
  await askScripted([format.text('Hi'), format.end()], effort === undefined ? {} : { effort })
  const { include, reasoning: sent } = (server.requests.at(-1) ?? {}) as Record<string, unknown>
  expect([include, sent]).toEqual([['reasoning.encrypted_content'], reasoning])
})

it.each([
  [true, ['get_weather', 'web_search']],
  [undefined, ['get_weather']],
])('the server searches the web if the model’s entry allows it: %s', async (webSearch, names) => {
  server.behave(says('Hi'))
  const model = openModel({
    api: 'responses',
    baseUrl: server.baseUrl,
    model: 'm',
    readKey: async () => '',
    webSearch,
  })
  const weather = { type: 'function' as const, function: { name: 'get_weather' } }
  await askModel(model, { tools: [weather], maxWebSearches: 2 })
  const tools = server.requests[0]?.tools as { name?: string; type: string }[] | undefined
  expect(tools?.map(({ name, type }) => name ?? type)).toEqual(names)
})

describe('a request', () => {
  const tool = { type: 'function' as const, function: { name: 'get_weather' } }
  const sentTool = {
    type: 'function',
    name: 'get_weather',
    parameters: { type: 'object', properties: {} },
    strict: false,
  }
  const search = { type: 'web_search' }
  const base = {
    model: 'm',
    input: [{ type: 'message', role: 'user', content: 'Hi' }],
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    reasoning: { summary: 'auto' },
  }
  const { include: _include, reasoning: _reasoning, ...withoutReasoning } = base

  it.each<[string, Partial<ModelApiCall>, Partial<ModelSettings>, object]>([
    ['of a conversation', {}, {}, base],
    [
      'with instructions',
      {
        messages: [
          { role: 'system', content: 'You are Ada.' },
          { role: 'user', content: 'Hi' },
        ],
      },
      {},
      { ...base, instructions: 'You are Ada.' },
    ],
    ['with a limit', {}, { maxOutputTokens: 5 }, { ...base, max_output_tokens: 5 }],
    ['without a limit', { omitOutputLimit: true }, { maxOutputTokens: 5 }, base],
    ['with tools', { tools: [tool] }, {}, { ...base, tools: [sentTool] }],
    [
      'with a search',
      { tools: [tool], maxWebSearches: 2 },
      { webSearch: true },
      { ...base, tools: [sentTool, search], max_tool_calls: 2 },
    ],
    [
      'with a search alone, for a server that takes no limit',
      { maxWebSearches: 2, omitSearchLimit: true },
      { webSearch: true },
      { ...base, tools: [search] },
    ],
    ['without a search', { maxWebSearches: 2, omitWebSearch: true }, { webSearch: true }, base],
    ['when no search is left', { maxWebSearches: 0 }, { webSearch: true }, base],
    ['for something that needs no search', {}, { webSearch: true }, base],
    ['without a summary', { omitSummary: true }, {}, { ...base, reasoning: {} }],
    [
      'with an effort, and no summary',
      { omitSummary: true, effort: 'low' },
      {},
      { ...base, reasoning: { effort: 'low' } },
    ],
    ['without reasoning', { omitReasoning: true, effort: 'low' }, {}, withoutReasoning],
  ])('%s', async (_, call, settings, expected) => {
    const bodies: unknown[] = []
    const client = openResponses({
      baseUrl: 'http://m/v1',
      model: 'm',
      readKey: async () => 'k',
      fetch: async (__, init) => {
        bodies.push(JSON.parse(init?.body as string))
        const headers = { 'content-type': 'text/event-stream' }
        return new Response(format.text('Hi') + format.end(), { headers })
      },
      ...settings,
    })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    expect(await client.send({ ...recordedCall().call, messages, ...call })).toMatchObject({ text: 'Hi' })
    expect(bodies).toEqual([expected])
  })
})

it('sources of a response that arrives whole at the end are read', async () => {
  const annotations = [
    { type: 'url_citation', url: 'https://a.example/', title: 'A' },
    { type: 'file_path' },
    null,
  ]
  const { round, sources } = await askScripted([
    responseEvent('completed', {
      response: {
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Yes.', annotations }] }],
      },
    }),
  ])
  expect([round?.text, sources]).toEqual(['Yes.', [{ url: 'https://a.example/', title: 'A' }]])
})

describe('a stream', () => {
  it('that ends during the reasoning is a reply that ended early', async () => {
    const { error, reasoning } = await askScripted([
      item(0, reasoningItem('rs_1', {}), 'output_item.added'),
      responseEvent('reasoning_summary_text.delta', { item_id: 'rs_1', summary_index: 0, delta: 'Hm' }),
    ])
    expect([error?.code, reasoning]).toEqual(['model_cut', [':0 Hm']])
  })

  it('returns each item once, in their order, and drops empty reasoning', async () => {
    const { round } = await askScripted([
      item(0, reasoningItem('rs_0', {})),
      item(1, reasoningItem('rs_1')),
      item(1, reasoningItem('rs_1')),
      item(2, call('a')),
      item(3, reasoningItem('rs_2')),
      item(4, call('b')),
      responseEvent('completed', {
        response: { output: [reasoningItem('rs_0', {}), reasoningItem('rs_1'), call('a')] },
      }),
    ])
    expect(round?.answer?.items.map(({ id, call_id: callId }) => callId ?? id)).toEqual([
      'rs_1',
      'a',
      'rs_2',
      'b',
    ])
    expect(round?.toolCalls.map(({ id, arguments: text }) => [id, text])).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })

  it('can have all content in its last event, including encrypted reasoning', async () => {
    const { round, texts } = await askScripted([
      item(0, reasoningItem('rs_1', {}), 'output_item.added'),
      responseEvent('completed', {
        response: {
          output: [
            reasoningItem('rs_1'),
            { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
          ],
          usage: {
            input_tokens: 9,
            input_tokens_details: { cached_tokens: 4 },
            output_tokens: 5,
            output_tokens_details: { reasoning_tokens: 3 },
          },
        },
      }),
    ])
    expect(texts).toEqual(['Hi'])
    expect(round).toMatchObject({
      inputTokens: 9,
      cachedInputTokens: 4,
      outputTokens: 5,
      reasoningTokens: 3,
      answer: { items: [{ id: 'rs_1', encrypted_content: 'sealed-rs_1' }, { type: 'message' }] },
    })
  })

  it('is read without usage and with events and items of unknown types', async () => {
    const { round } = await askScripted([
      responseEvent('hologram.delta', { delta: 'x' }),
      item(0, { type: 'hologram', id: 'h' }),
      format.text('Hello'),
      responseEvent('completed', {}),
    ])
    expect(round).toEqual({ text: 'Hello', toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 })
  })

  it('without reasoning and cache has no such tokens', async () => {
    const usage = {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
    }
    const { round } = await askScripted([
      format.text('Hello'),
      responseEvent('completed', { response: { usage } }),
    ])
    expect(round).toEqual({ text: 'Hello', toolCalls: [], truncated: false, inputTokens: 9, outputTokens: 5 })
  })

  it('with a refusal shows the reason, and one with citations passes the sources on', async () => {
    const cite = (annotation: object | null) => responseEvent('output_text.annotation.added', { annotation })
    const { round, sources } = await askScripted([
      responseEvent('refusal.delta', { delta: 'I cannot help with that.' }),
      cite({ type: 'url_citation', url: 'https://example.org/a', title: 'A' }),
      cite({ type: 'url_citation', url: 'https://example.org/b', title: '' }),
      cite({ type: 'url_citation', url: '' }),
      cite({ type: 'file_citation', file_id: 'f' }),
      cite(null),
      format.end(),
    ])
    expect(round?.text).toBe('I cannot help with that.')
    expect(sources).toEqual([{ url: 'https://example.org/a', title: 'A' }, { url: 'https://example.org/b' }])
  })

  it.each<[string, string[], string]>([
    [
      'filtered before its first text',
      [responseEvent('incomplete', { response: { incomplete_details: { reason: 'content_filter' } } })],
      'model_filtered',
    ],
    [
      'failed for the load',
      [
        responseEvent('failed', {
          response: { error: { code: 'rate_limit_exceeded', message: 'slow down' } },
        }),
      ],
      'model_busy',
    ],
    [
      'failed because of its content',
      [responseEvent('failed', { response: { error: { code: 'invalid_prompt', message: 'no' } } })],
      'model_filtered',
    ],
    ['failed without a reason', [responseEvent('failed', { response: null })], 'model_broken'],
    [
      'failed after its first text',
      [format.text('Hi'), responseEvent('failed', { response: { error: { code: 'server_error' } } })],
      'model_cut',
    ],
  ])('%s has its own error', async (_, events, code) => {
    const { error } = await askScripted(events)
    expect(error?.code).toBe(code)
  })

  it('of a call without a name is no error, and has no calls', async () => {
    const { error, round } = await askScripted([format.call(0, { args: '{}' }), format.end()])
    expect(error).toBeUndefined()
    expect(round?.toolCalls).toEqual([])
  })

  it('filtered after its first text ends early', async () => {
    const { round } = await askScripted([
      format.text('Hi'),
      responseEvent('incomplete', { response: { incomplete_details: { reason: 'content_filter' } } }),
    ])
    expect(round).toMatchObject({ text: 'Hi', truncated: true })
  })

  it('with too much reasoning goes back as its text', async () => {
    const large = { encrypted_content: 'x'.repeat(600_000) }
    const { round } = await askScripted([
      item(0, reasoningItem('rs_1', large)),
      item(1, reasoningItem('rs_2', large)),
      item(2, { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }),
      format.text('Hi'),
      format.end(),
    ])
    expect([round?.text, round?.answer]).toEqual(['Hi', undefined])
  })
})
