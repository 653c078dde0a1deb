import { describe, expect, it } from 'vitest'
import type { ModelApiCall, ModelMessage } from '../model.ts'
import { toMessagesRequest } from './messages-request.ts'

const cacheControl = { cache_control: { type: 'ephemeral' } }
const build = (changes: Partial<ModelApiCall> = {}, maxOutputTokens?: number, webSearch?: boolean) =>
  toMessagesRequest(
    { messages: [{ role: 'user', content: 'Hi' }], tools: [], ...changes },
    { model: 'claude', maxOutputTokens, webSearch },
  )
const buildMessages = (...messages: ModelMessage[]) => build({ messages }).messages
const question: ModelMessage = { role: 'user', content: 'Hi' }
const call = (id: string, text: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'find', arguments: text },
})

it('a request has only the fields it needs', () => {
  expect(build()).toStrictEqual({
    model: 'claude',
    max_tokens: 16_000,
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...cacheControl }] }],
  })
})

it.each<[Partial<ModelApiCall>, number | undefined, object]>([
  [{ effort: 'low' }, undefined, { max_tokens: 32_000, output_config: { effort: 'low' } }],
  [{ effort: 'low' }, 20_000, { max_tokens: 20_000 }],
  [{}, 128_000, { max_tokens: 128_000 }],
  [{ effort: 'low' }, undefined, { thinking: { type: 'adaptive', display: 'summarized' } }],
  [{ effort: 'none' }, undefined, { thinking: { type: 'disabled' } }],
])('with %j and a limit of %s it has %j', (call, limit, expected) => {
  expect(build(call, limit)).toMatchObject(expected)
})

// https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
it.each([
  ['claude-sonnet-5', true],
  ['claude-opus-5-5-20261001', true],
  ['us.anthropic.claude-sonnet-5-5-v1:0', true],
  ['claude-sonnet-4-5', false],
  ['claude-haiku-4-5-20251001', false],
  ['claude-opus-50', false],
])('a model that thinks by default is asked to tell of it, and may write more: %s %s', (model, thinks) => {
  const request = toMessagesRequest({ messages: [question], tools: [] }, { model })
  expect([request.thinking, request.max_tokens]).toEqual(
    thinks ? [{ type: 'adaptive', display: 'summarized' }, 32_000] : [undefined, 16_000],
  )
  const omitted = toMessagesRequest({ messages: [question], tools: [], omitReasoning: true }, { model })
  expect(omitted).not.toHaveProperty('thinking')
})

it('marks nothing for the cache of a server that takes no marks', () => {
  const messages: ModelMessage[] = [{ role: 'system', content: 'You are Ada.' }, question]
  expect(JSON.stringify(build({ messages, omitCaching: true }))).not.toContain('cache_control')
})

it('sends no effort to a model that does not reason', () => {
  expect(build({ effort: 'low', omitReasoning: true })).not.toHaveProperty('thinking')
  expect(build({ effort: 'low', omitReasoning: true })).not.toHaveProperty('output_config')
  expect(build({ effort: 'none' })).not.toHaveProperty('output_config')
})

it('instructions are separate, and cached', () => {
  const messages: ModelMessage[] = [
    { role: 'system', content: 'You are Ada.' },
    question,
    { role: 'system', content: 'Be brief.' },
  ]
  const { system, messages: builtMessages } = build({ messages })
  expect(system).toEqual([{ type: 'text', text: 'You are Ada.\n\nBe brief.', ...cacheControl }])
  expect(builtMessages).toHaveLength(1)
})

it('a tool has an object schema', () => {
  const parameters = { properties: { q: { anyOf: [] } } }
  const tools = [
    { type: 'function' as const, function: { name: 'a', description: 'A', parameters } },
    { type: 'function' as const, function: { name: 'b' } },
  ]
  expect(build({ tools }).tools).toStrictEqual([
    { name: 'a', description: 'A', input_schema: { type: 'object', properties: { q: { anyOf: [] } } } },
    { name: 'b', input_schema: { type: 'object' } },
  ])
})

describe('messages', () => {
  it('of the same role are merged, and the last one of the user is marked', () => {
    const text = (content: string) => ({ type: 'text', text: content })
    expect(
      buildMessages(question, { role: 'user', content: 'You?' }, { role: 'assistant', content: 'Yes' }),
    ).toEqual([
      { role: 'user', content: [text('Hi'), { ...text('You?'), ...cacheControl }] },
      { role: 'assistant', content: [text('Yes')] },
    ])
  })

  it('begin with the user', () => {
    expect(buildMessages({ role: 'assistant', content: 'Yes?' }, question)).toEqual([
      {
        role: 'user',
        content: [{ type: 'text', text: '[Earlier messages are not shown.]', ...cacheControl }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi', ...cacheControl }] },
    ])
    expect(buildMessages()).toEqual([])
  })

  it('without text are left out', () => {
    expect(buildMessages(question, { role: 'assistant', content: ' ' })).toHaveLength(1)
    expect(buildMessages(question, { role: 'assistant', content: null })).toHaveLength(1)
  })

  it('have images as data only', () => {
    const image = (url: string) => ({ type: 'image_url' as const, image_url: { url } })
    const block = (type: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: type, data: 'AA==' },
    })
    const urls = ['png', 'jpeg', 'gif', 'webp', 'svg+xml'].map((kind) => `data:image/${kind};base64,AA==`)
    const content = [...urls, 'https://example.org/a.png', `x${urls[0]}`, 'data:image/png;base64,'].map(image)
    const [{ content: builtContent } = {}] = buildMessages({
      role: 'user',
      content: [...content, { type: 'text', text: ' ' }],
    })
    expect(builtContent).toEqual([
      block('image/png'),
      block('image/jpeg'),
      block('image/gif'),
      { ...block('image/webp'), ...cacheControl },
    ])
  })

  it('have calls with their arguments as an object, and results with the same ids', () => {
    const calls = ['{"q":1}', '', ' ', '[1]', 'null', '{'].map((text, index) => call(`a.${index}`, text))
    const [, { content: builtContent } = {}, results] = buildMessages(
      question,
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'a.0', content: 'found' },
      { role: 'tool', tool_call_id: 'a.1', content: ' ', images: [{ url: 'data:image/png;base64,AA==' }] },
    )
    const inputs = [{ q: 1 }, {}, {}, { unreadable: '[1]' }, {}, { unreadable: '{' }]
    expect(builtContent).toEqual(
      inputs.map((input, index) => ({ type: 'tool_use', id: `a_${index}`, name: 'find', input })),
    )
    expect(results).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a_0', content: 'found' },
        {
          type: 'tool_result',
          tool_use_id: 'a_1',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
          ...cacheControl,
        },
      ],
    })
  })

  it('have an answer of this API as its server gave it, and text and calls of others', () => {
    const items = [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'Yes' },
    ]
    const buildAnswer = (api: 'messages' | 'responses') =>
      buildMessages(question, {
        role: 'assistant',
        content: 'Yes',
        answer: { api, model: 'claude', items },
      }).at(-1)?.content
    expect(buildAnswer('messages')).toEqual(items)
    expect(buildAnswer('responses')).toEqual([{ type: 'text', text: 'Yes' }])
  })

  it('are marked at the end of this request and of the one before, which the server has cached', () => {
    const messages = buildMessages(
      question,
      { role: 'assistant', content: null, tool_calls: [call('a', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'More' },
    )
    const isMarked = ({ content }: (typeof messages)[number]) =>
      JSON.stringify(content).includes('cache_control')
    expect(messages.map(isMarked)).toEqual([false, false, true, false, true])
  })
})

const search = { type: 'web_search_20250305', name: 'web_search' }
const ownTool = (name: string) => ({ type: 'function' as const, function: { name } })
it.each<[string, Partial<ModelApiCall>, boolean | undefined, object | undefined]>([
  ['its limit', { maxWebSearches: 3 }, true, { ...search, max_uses: 3 }],
  ['no limit for a server that takes none', { maxWebSearches: 3, omitSearchLimit: true }, true, search],
  ['nothing without its setting', { maxWebSearches: 3 }, undefined, undefined],
  ['nothing when none are left', { maxWebSearches: 0 }, true, undefined],
  ['nothing where nobody asks for it', {}, true, undefined],
  ['nothing for a server that takes no tools', { maxWebSearches: 3, omitWebSearch: true }, true, undefined],
  [
    'nothing beside a tool of its name',
    { maxWebSearches: 3, tools: [ownTool('web_search')] },
    true,
    undefined,
  ],
])('the search of the server has %s', (_, changes, webSearch, expected) => {
  const tools = build(changes, undefined, webSearch).tools ?? []
  expect(tools.find((tool) => 'type' in tool)).toEqual(expected)
})
