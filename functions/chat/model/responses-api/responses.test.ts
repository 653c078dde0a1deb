import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DemoModel,
  demoModelName,
  reasoningModelName,
  retiredModelName,
  startDemoModel,
  textOnlyModelName,
} from '../../../../infra/local/doubles/model/server.ts'
import {
  beginStream,
  responseEvent,
  startFakeModel,
  wireFormat,
  type ModelBehaviour,
} from '../../../../test/support/fake-model-server.ts'
import type { Model, ModelCall, ModelMessage, ModelRound, ModelTool, Source } from '../model.ts'
import { ModelError } from '../model-errors.ts'
import { openModel } from '../open-model.ts'

let demo: DemoModel
const fake = await startFakeModel()
beforeAll(async () => {
  demo = await startDemoModel({ tokensPerSecond: 20_000 })
})
afterAll(async () => {
  fake.close()
  await demo.close()
})

const weather: ModelTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const question: ModelMessage = { role: 'user', content: 'How is the weather in the city of Oslo?' }
const picture: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: '/echo a cat' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  ],
}

const openDemo = (model: string, paths: string[] = []) =>
  openModel({
    api: 'responses',
    baseUrl: demo.baseUrl,
    model,
    readKey: async () => demo.apiKey,
    fetch: (input, init) => {
      paths.push(new URL(input instanceof Request ? input.url : input).pathname)
      return fetch(input, init)
    },
  })

/** Asks a model once. @returns its answer or error, and all that it passed on */
async function ask(model: Model, call: Partial<ModelCall>) {
  const seen = {
    texts: [] as string[],
    reasoning: [] as string[],
    toolInput: [] as string[],
    sources: [] as Source[],
    omitted: [] as string[],
  }
  const outcome = await model
    .complete({
      messages: [question],
      tools: [],
      signal: new AbortController().signal,
      onText: (delta) => seen.texts.push(delta),
      onReasoning: (delta, blockId) => seen.reasoning.push(`${blockId.slice(-2)} ${delta}`),
      onToolInput: ({ name, delta }) => seen.toolInput.push(`${name} ${delta}`),
      onSource: (source) => seen.sources.push(source),
      onOmit: (omission) => seen.omitted.push(omission),
      ...call,
    })
    .then(
      (round): { round?: ModelRound; error?: ModelError } => ({ round }),
      (error: unknown) => ({ error: error as ModelError }),
    )
  return { ...outcome, ...seen }
}

/** The messages of a turn after a round with calls, each answered. */
const answered = (round: ModelRound): ModelMessage[] => [
  question,
  {
    role: 'assistant',
    content: round.text || null,
    tool_calls: round.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
    ...(round.reasoning && { reasoning: round.reasoning }),
  },
  ...round.toolCalls.map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: '{"sky":"clear"}',
  })),
]

describe('a model that reasons', () => {
  it('shows its reasoning, calls a tool, and goes on with its own encrypted reasoning', async () => {
    const model = openDemo(reasoningModelName)
    const first = await ask(model, { tools: [weather], effort: 'high' })
    expect(first.reasoning.join('')).toContain('Oslo')
    expect(first.toolInput[0]).toBe('get_weather ')
    expect(first.round).toMatchObject({
      text: '',
      toolCalls: [{ name: 'get_weather', arguments: '{"city":"oslo"}' }],
      truncated: false,
      reasoningTokens: expect.any(Number) as number,
    })
    const [item] = first.round?.reasoning ?? []
    expect(item).toMatchObject({
      api: 'responses',
      model: reasoningModelName,
      item: { type: 'reasoning', encrypted_content: expect.stringMatching(/^gAAAA/) as string },
      beforeCall: first.round?.toolCalls[0]?.id,
    })
    expect(item?.item).not.toHaveProperty('status')
    const second = await ask(model, { tools: [weather], messages: answered(first.round as ModelRound) })
    expect(second.error).toBeUndefined()
    expect(second.round?.text).toContain('clear')
  })

  it('goes on without the reasoning of another model, and without reasoning that the server no longer takes', async () => {
    const first = await ask(openDemo(reasoningModelName), { tools: [weather] })
    const messages = answered(first.round as ModelRound)
    const other = await ask(openDemo(demoModelName), { tools: [weather], messages })
    expect(other.round?.text).toContain('clear')
    const spoilt = structuredClone(messages)
    for (const message of spoilt)
      if (message.role === 'assistant' && message.reasoning?.[0])
        message.reasoning[0].item['encrypted_content'] = 'gAAAAABspoilt.x'
    const paths: string[] = []
    const again = await ask(openDemo(reasoningModelName, paths), { tools: [weather], messages: spoilt })
    expect(again.round?.text).toContain('clear')
    expect(again.omitted).toEqual([])
    expect(paths).toHaveLength(2)
  })

  it('does not reason with the effort none', async () => {
    const { round, reasoning } = await ask(openDemo(reasoningModelName), { tools: [weather], effort: 'none' })
    expect(round?.toolCalls).toHaveLength(1)
    expect(reasoning).toEqual([])
    expect(round).not.toHaveProperty('reasoning')
  })

  it.each([
    ['an effort that it does not take', reasoningModelName, 'xhigh', 'model_effort_rejected'],
    ['an effort where it does not reason', demoModelName, 'low', 'model_effort_rejected'],
    ['a model that has been shut down', retiredModelName, undefined, 'model_retired'],
    ['a model that there is not', 'gpt-0', undefined, 'model_unknown'],
  ])('says so: %s', async (_, name, effort, code) => {
    const { error } = await ask(openDemo(name), effort === undefined ? {} : { effort })
    expect(error).toBeInstanceOf(ModelError)
    expect(error?.code).toBe(code)
  })
})

it('a model that does not reason is asked once more, without parameters about reasoning, and only the first time', async () => {
  const paths: string[] = []
  const model = openDemo(demoModelName, paths)
  const first = await ask(model, { messages: [picture] })
  const second = await ask(model, { messages: [picture] })
  expect([first.round?.text, second.round?.text]).toEqual(['a cat', 'a cat'])
  expect([...first.omitted, ...second.omitted]).toEqual([])
  expect(paths).toHaveLength(3)
})

it('pictures that a model does not see are left out, and the user is told each time', async () => {
  const model = openDemo(textOnlyModelName)
  for (const _ of [1, 2]) {
    const { round, omitted } = await ask(model, { messages: [picture] })
    expect([round?.text.startsWith('a cat'), omitted]).toEqual([true, ['images']])
  }
})

/** Asks a server that answers with these events. */
async function askScripted(events: string[], call: Partial<ModelCall> = {}) {
  const behave: ModelBehaviour = (response) => {
    beginStream(response)
    response.end(events.join(''))
  }
  fake.behave(behave)
  const model = openModel({ api: 'responses', baseUrl: fake.baseUrl, model: 'm', readKey: async () => '' })
  return ask(model, call)
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

describe('a stream', () => {
  it('that ends during the reasoning is a cut reply', async () => {
    const { error, reasoning } = await askScripted([
      item(0, reasoningItem('rs_1', {}), 'output_item.added'),
      responseEvent('reasoning_summary_text.delta', { item_id: 'rs_1', summary_index: 0, delta: 'Hm' }),
    ])
    expect([error?.code, reasoning]).toEqual(['model_cut', [':0 Hm']])
  })

  it('gives each reasoning item once, with the call that it stands before; empty ones are dropped', async () => {
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
    expect(round?.reasoning?.map(({ item: { id }, beforeCall }) => [id, beforeCall])).toEqual([
      ['rs_1', 'a'],
      ['rs_2', 'b'],
    ])
    expect(round?.toolCalls.map(({ id, arguments: text }) => [id, text])).toEqual([
      ['a', '{}'],
      ['b', '{}'],
    ])
  })

  it('may bring everything with its last event, encrypted reasoning included', async () => {
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
      reasoning: [{ item: { id: 'rs_1', encrypted_content: 'sealed-rs_1' } }],
    })
    expect(round?.reasoning?.[0]).not.toHaveProperty('beforeCall')
  })

  it('without usage, and with events and items of unknown types, is read all the same', async () => {
    const { round } = await askScripted([
      responseEvent('hologram.delta', { delta: 'x' }),
      item(0, { type: 'hologram', id: 'h' }),
      format.text('Hello'),
      responseEvent('completed', {}),
    ])
    expect(round).toEqual({ text: 'Hello', toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 })
  })

  it('that refuses shows why, and one that cites passes its sources on', async () => {
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
      'filtered before its first word',
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
      'failed for its content',
      [responseEvent('failed', { response: { error: { code: 'invalid_prompt', message: 'no' } } })],
      'model_filtered',
    ],
    ['failed without a reason', [responseEvent('failed', { response: null })], 'model_broken'],
    [
      'failed after its first words',
      [format.text('Hi'), responseEvent('failed', { response: { error: { code: 'server_error' } } })],
      'model_cut',
    ],
    ['of a call without a name', [format.call(0, { args: '{}' }), format.end()], ''],
  ])('%s', async (_, events, code) => {
    const { error } = await askScripted(events)
    expect(error?.code ?? '').toBe(code)
  })

  it('filtered after its first words is cut short', async () => {
    const { round } = await askScripted([
      format.text('Hi'),
      responseEvent('incomplete', { response: { incomplete_details: { reason: 'content_filter' } } }),
    ])
    expect(round).toMatchObject({ text: 'Hi', truncated: true })
  })

  it('with more reasoning than goes back is not read on', async () => {
    const large = { encrypted_content: 'x'.repeat(600_000) }
    const { error } = await askScripted([
      item(0, reasoningItem('rs_1', large)),
      item(1, reasoningItem('rs_2', large)),
      format.end(),
    ])
    expect(error?.code).toBe('model_unreadable')
  })
})
