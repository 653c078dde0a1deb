import OpenAI from 'openai'
import type { ResponseOutputText } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelError } from '../../functions/models/model-errors.ts'
import type { ModelMessage, ModelRound, ModelTool } from '../../functions/models/model.ts'
import { openModel } from '../../functions/models/open-model.ts'
import {
  reasoningModelName,
  retiredModelName,
  textOnlyModelName,
} from '../support/model-server/strict-request.ts'
import { type DemoModel, demoModelName, startDemoModel } from '../support/model-server/server.ts'
import { askModel, weatherQuestion } from '../support/ask-model.ts'

let demo: DemoModel
beforeAll(async () => {
  demo = await startDemoModel({ tokensPerSecond: 20_000 })
})
afterAll(() => demo.close())

const weather: ModelTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const image: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: '/echo a cat' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
  ],
}

const openDemo = (model: string, paths: string[] = [], webSearch = false) =>
  openModel({
    webSearch,
    api: 'responses',
    baseUrl: demo.baseUrl,
    model,
    readKey: async () => demo.apiKey,
    fetch: (input, init) => {
      paths.push(new URL(input instanceof Request ? input.url : input).pathname)
      return fetch(input, init)
    },
  })

/** The messages of a turn after a round with calls, each with a result. */
const buildHistory = (round: ModelRound): ModelMessage[] => [
  weatherQuestion,
  {
    role: 'assistant',
    content: round.text || null,
    tool_calls: round.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
    ...(round.answer && { answer: round.answer }),
  },
  ...round.toolCalls.map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: '{"sky":"clear"}',
  })),
]

describe('a model that reasons', () => {
  it('shows its reasoning, calls a tool, and continues with its own encrypted reasoning', async () => {
    const model = openDemo(reasoningModelName)
    const first = await askModel(model, { tools: [weather], effort: 'high' })
    expect(first.reasoning.join('')).toContain('Oslo')
    expect(first.toolInput[0]).toBe('get_weather ')
    expect(first.round).toMatchObject({
      text: '',
      toolCalls: [{ name: 'get_weather', arguments: '{"city":"oslo"}' }],
      truncated: false,
      reasoningTokens: expect.any(Number) as number,
    })
    expect(first.round?.answer).toMatchObject({
      api: 'responses',
      model: reasoningModelName,
      items: [
        { type: 'reasoning', encrypted_content: expect.stringMatching(/^gAAAA/) as string },
        { type: 'function_call', name: 'get_weather' },
      ],
    })
    const second = await askModel(model, {
      tools: [weather],
      messages: buildHistory(first.round as ModelRound),
    })
    expect(second.error).toBeUndefined()
    expect(second.round?.text).toContain('clear')
  })

  it('continues without another model’s reasoning, and without reasoning that the server no longer accepts', async () => {
    const first = await askModel(openDemo(reasoningModelName), { tools: [weather] })
    const messages = buildHistory(first.round as ModelRound)
    const otherModel = await askModel(openDemo(demoModelName), { tools: [weather], messages })
    expect(otherModel.round?.text).toContain('clear')
    const invalidMessages = structuredClone(messages)
    for (const message of invalidMessages)
      if (message.role === 'assistant' && message.answer?.items[0])
        message.answer.items[0]['encrypted_content'] = 'gAAAAABspoilt.x'
    const paths: string[] = []
    const retry = await askModel(openDemo(reasoningModelName, paths), {
      tools: [weather],
      messages: invalidMessages,
    })
    expect(retry.round?.text).toContain('clear')
    expect(retry.omitted).toEqual([])
    expect(paths).toHaveLength(2)
  })

  it('does not reason with the effort none', async () => {
    const { round, reasoning } = await askModel(openDemo(reasoningModelName), {
      tools: [weather],
      effort: 'none',
    })
    expect(round?.toolCalls).toHaveLength(1)
    expect(reasoning).toEqual([])
    expect(round).not.toHaveProperty('reasoning')
  })

  it.each([
    ['an effort that it does not take', reasoningModelName, 'xhigh', 'model_effort_rejected'],
    ['an effort where it does not reason', demoModelName, 'low', 'model_effort_rejected'],
    ['a model that has been shut down', retiredModelName, undefined, 'model_retired'],
    ['a model that there is not', 'gpt-0', undefined, 'model_unknown'],
  ])('reports %s', async (_, name, effort, code) => {
    const { error } = await askModel(openDemo(name), effort === undefined ? {} : { effort })
    expect(error).toBeInstanceOf(ModelError)
    expect(error?.code).toBe(code)
  })
})

it('for a model that does not reason, repeats the request once without reasoning parameters, and omits them from then on', async () => {
  const paths: string[] = []
  const model = openDemo(demoModelName, paths)
  const first = await askModel(model, { messages: [image] })
  const second = await askModel(model, { messages: [image] })
  expect([first.round?.text, second.round?.text]).toEqual(['a cat', 'a cat'])
  expect([...first.omitted, ...second.omitted]).toEqual([])
  expect(paths).toHaveLength(3)
})

it('omits images that a model does not see, and tells the user each time', async () => {
  const model = openDemo(textOnlyModelName)
  for (const _ of [1, 2]) {
    const { round, omitted } = await askModel(model, { messages: [image] })
    expect([round?.text.startsWith('a cat'), omitted]).toEqual([true, ['refusedImages']])
  }
})

describe('web search', () => {
  const question: ModelMessage = { role: 'user', content: 'Search the web for sourdough starters, please.' }

  it('runs on the server, and cites its pages in the text and as sources', async () => {
    const { round, sources } = await askModel(openDemo(demoModelName, [], true), {
      messages: [question],
      tools: [weather],
      maxWebSearches: 3,
    })
    expect(round?.webSearches).toBe(1)
    expect(sources).toEqual([
      {
        url: 'https://example.com/?q=sourdough%20starters%2C%20please',
        title: 'What it is: sourdough starters, please',
      },
      {
        url: 'https://example.org/?q=sourdough%20starters%2C%20please',
        title: 'News: sourdough starters, please',
      },
    ])
    for (const { url } of sources) expect(round?.text).toContain(`](${url})`)
    expect(round?.toolCalls).toEqual([])
  })

  it('runs over Messages as well, and is counted', async () => {
    const model = openModel({
      api: 'messages',
      baseUrl: demo.baseUrl,
      model: demoModelName,
      readKey: async () => demo.apiKey,
      webSearch: true,
    })
    const { round, sources } = await askModel(model, {
      messages: [question],
      tools: [weather],
      maxWebSearches: 3,
    })
    expect([round?.webSearches, sources.length, round?.truncated]).toEqual([1, 2, false])
  })

  it('is not made unless it is offered', async () => {
    const { round, sources } = await askModel(openDemo(demoModelName), { messages: [question] })
    expect([round?.text.includes('example.com'), sources]).toEqual([false, []])
  })

  it('sends the events that the openai package reads, each citation after its text', async () => {
    const openai = new OpenAI({ baseURL: demo.baseUrl, apiKey: demo.apiKey })
    const request = {
      model: demoModelName,
      input: 'Search the web for sourdough starters, please.',
      tools: [{ type: 'web_search' as const }],
      store: false,
    }
    const stream = openai.responses.stream(request)
    const kinds: string[] = []
    const citationsFollowText: boolean[] = []
    let text = ''
    for await (const event of stream) {
      if (kinds.at(-1) !== event.type) kinds.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
      if (event.type !== 'response.output_text.annotation.added') continue
      const { start_index: start, end_index: end, url } = event.annotation as ResponseOutputText.URLCitation
      citationsFollowText.push(text.slice(start, end).endsWith(`(${url}))`))
    }
    expect(citationsFollowText).toEqual([true, true])
    expect(kinds.slice(2, 8)).toEqual([
      'response.output_item.added',
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
      'response.web_search_call.completed',
      'response.output_item.done',
      'response.output_item.added',
    ])
    const [search, message] = (await stream.finalResponse()).output
    expect(search).toMatchObject({
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', queries: ['sourdough starters, please'] },
    })
    expect(message).toMatchObject({ content: [{ annotations: [{ type: 'url_citation' }, {}] }] })
    const invalidRequest = { ...request, tools: [{ type: 'web_search' as const, engine: 'x' }] }
    await expect(openai.responses.create(invalidRequest)).rejects.toThrow(
      "Unknown parameter: 'tools[0].engine'.",
    )
  })
})
