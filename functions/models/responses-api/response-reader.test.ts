import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import { RoundBuilder } from '../round-builder.ts'
import { ResponseReader } from './response-reader.ts'

/** Reads these events. */
function read(...events: object[]) {
  const { call, received } = recordedCall()
  const round = new RoundBuilder(call)
  const reader = new ResponseReader(round, call)
  for (const event of events) reader.read(event)
  return { round, received, reader }
}
const event = (type: string, more: object = {}) => ({ type: `response.${type}`, ...more })
const item = (output_index: number, more: object | null, isDone = true) =>
  event(`output_item.${isDone ? 'done' : 'added'}`, { output_index, item: more })
const cite = (annotation: unknown) => event('output_text.annotation.added', { annotation })
const completed = (response: unknown = {}) => event('completed', { response })

it('a search of the web is reported once, also one that only the last event names', () => {
  const search = (id?: string) => ({ type: 'web_search_call', id })
  const { received } = read(
    item(0, search('ws-1'), false),
    event('web_search_call.searching', { output_index: 0, item_id: 'ws-1' }),
    item(0, search('ws-1')),
    item(1, search(), false),
    item(1, search()),
    completed({ output: [search('ws-1'), search(), search('ws-2')] }),
  )
  expect(received).toEqual([['search'], ['search'], ['search']])
})

it('steps of a search that only read a found page are not billed', () => {
  const step = (id: string, type?: string) => ({
    type: 'web_search_call',
    id,
    ...(type && { action: { type } }),
  })
  const steps = [
    step('a', 'search'),
    step('b', 'open_page'),
    step('c', 'find_in_page'),
    step('d'),
    step('e', 'new'),
  ]
  const { round, received } = read(
    ...steps.flatMap((one, at) => [item(at, step(one.id), false), item(at, one)]),
    completed({ output: steps }),
  )
  expect([received.length, round.build(true).webSearches]).toEqual([5, 3])
})

it('passes on an image once, when it is done', () => {
  const image = (result: string | null) => ({ type: 'image_generation_call', id: 'i', result })
  const { received } = read(
    item(0, image('cGFydA=='), false),
    item(0, image(null)),
    item(0, image('aGk=')),
    completed({ output: [image('aGk=')] }),
  )
  expect(received).toEqual([['image', 'data:image/png;base64,aGk=']])
})

it('pieces are read in order', () => {
  const { round, received } = read(
    event('reasoning_summary_text.delta', { item_id: 'r', summary_index: 0, delta: 'Hm' }),
    event('reasoning_text.delta', { item_id: 'r', content_index: 1, delta: 'm' }),
    item(1, { type: 'function_call', call_id: 'a', name: 'find' }, false),
    event('function_call_arguments.delta', { output_index: 1, delta: '{}' }),
    item(1, { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"never":1}' }),
    event('output_text.delta', { delta: 'Hi' }),
    event('refusal.delta', { delta: '!' }),
    cite({ type: 'url_citation', url: 'https://example.org', title: '' }),
    event('something_new'),
    completed({
      usage: {
        input_tokens: 5,
        output_tokens: 6,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens_details: { reasoning_tokens: 3 },
      },
    }),
  )
  expect(round.build(false)).toStrictEqual({
    text: 'Hi!',
    toolCalls: [{ id: 'a', name: 'find', arguments: '{}' }],
    truncated: false,
    inputTokens: 5,
    outputTokens: 6,
    cachedInputTokens: 2,
    reasoningTokens: 3,
  })
  expect(received).toEqual([
    ['reasoning', 'Hm', 'r:0'],
    ['reasoning', 'm', 'r:1'],
    ['input', 'a', ''],
    ['input', 'a', '{}'],
    ['text', 'Hi'],
    ['text', '!'],
    ['source', { url: 'https://example.org' }],
  ])
})

/** An answer that reasons, greets and calls two tools. */
const greeted = { text: 'Hi', calls: ['find {"n":1}', 'send {"n":2}'] }
const summarize = (round: RoundBuilder) => ({
  text: round.text,
  calls: round.build(true).toolCalls.map((one) => `${one.name} ${one.arguments}`),
})

it('ids and items may be empty (anomalyco/opencode#45330, openai/openai-python#3125)', () => {
  const call = (call_id: string, name: string, args: string) => ({
    type: 'function_call',
    id: '',
    call_id,
    name,
    arguments: args,
  })
  const greeting = { type: 'message', id: '', content: [{ type: 'output_text', text: 'Hi' }] }
  const [find, send] = [call('a', 'find', '{"n":1}'), call('b', 'send', '{"n":2}')]
  const { round, received } = read(
    item(0, { type: 'reasoning', id: '' }, false),
    event('reasoning_summary_text.delta', { item_id: '', output_index: 0, summary_index: 0, delta: 'Hm' }),
    item(1, null, false),
    event('output_item.added', { output_index: 2 }),
    item(3, { type: 'message', id: '' }, false),
    event('output_text.delta', { item_id: '', output_index: 3, delta: 'Hi' }),
    item(3, greeting),
    ...[find, send].flatMap((one, at) => [
      item(4 + at, { ...one, arguments: '' }, false),
      event('function_call_arguments.delta', { item_id: '', output_index: 4 + at, delta: one.arguments }),
      event('function_call_arguments.done', { item_id: '', output_index: 4 + at, arguments: one.arguments }),
      item(4 + at, one),
    ]),
    completed({ output: [{ type: 'reasoning', id: '' }, greeting, find, send] }),
  )
  expect(summarize(round)).toEqual(greeted)
  expect(received).toContainEqual(['reasoning', 'Hm', 'item-0:0'])
})

it('one place may be that of several items (BerriAI/litellm#36375)', () => {
  const call = (id: string, call_id: string, name: string, args: string) => ({
    type: 'function_call',
    id,
    call_id,
    name,
    arguments: args,
  })
  const [find, send] = [call('fc_1', 'a', 'find', '{"n":1}'), call('fc_2', 'b', 'send', '{"n":2}')]
  const { round } = read(
    event('reasoning_summary_text.delta', { item_id: 'rs_1', output_index: 0, summary_index: 0, delta: 'H' }),
    event('reasoning_summary_text.delta', { item_id: 'rs_2', output_index: 0, summary_index: 0, delta: 'm' }),
    item(0, { type: 'message', id: 'msg_1' }, false),
    event('output_text.delta', { item_id: 'msg_1', output_index: 0, delta: 'Hi' }),
    ...[find, send].flatMap((one) => [
      item(0, { ...one, arguments: '' }, false),
      event('function_call_arguments.delta', { item_id: one.id, output_index: 0, delta: one.arguments }),
    ]),
    completed({
      output: [{ type: 'message', id: 'x', content: [{ type: 'output_text', text: 'Hi' }] }, find, send],
    }),
  )
  expect(summarize(round)).toEqual(greeted)
})

describe('what goes back', () => {
  const reasoning = (id: string, more: object = { encrypted_content: 'x' }) => ({
    type: 'reasoning',
    id,
    summary: [],
    ...more,
  })
  const says = (text: string, more: object = {}) => ({
    type: 'message',
    id: `m-${text}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
    ...more,
  })
  const find = (call_id: string, more: object = {}) => ({
    type: 'function_call',
    id: `fc-${call_id}`,
    call_id,
    name: 'find',
    arguments: '{ "n": 1 }',
    ...more,
  })
  const search = { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search' } }

  it('is the output in its order, byte for byte, with ids and phases', () => {
    const output = [
      reasoning('r0'),
      says('I look. ', { phase: 'commentary' }),
      search,
      find('a'),
      reasoning('r1', { encrypted_content: 'y', content: [{ type: 'reasoning_text', text: 'Hm' }] }),
      find('b', { status: 'completed', namespace: 'notes' }),
      { type: 'unknown', id: 'u' },
      says('Done.', { phase: 'final_answer' }),
    ]
    const shuffled = [3, 0, 1, 2, 5, 4, 7, 6].map((at) => item(at, output[at] ?? null))
    const { reader } = read(
      event('output_text.delta', { delta: 'I look. ', output_index: 1 }),
      ...shuffled,
      event('output_text.delta', { delta: 'Done.', output_index: 7 }),
      completed({ output }),
    )
    expect(JSON.stringify(reader.listItems())).toBe(JSON.stringify(output))
  })

  it('is nothing if a part of the text, or a call, is in no item: they go back as text and calls', () => {
    const delta = event('output_text.delta', { delta: 'Hi', output_index: 0 })
    expect(read(delta, completed()).reader.listItems()).toBeUndefined()
    expect(read(delta, item(0, says('Hi there')), completed()).reader.listItems()).toBeUndefined()
    const call = event('function_call_arguments.delta', { output_index: 1, delta: '{}' })
    const begun = item(1, { type: 'function_call', call_id: 'a', name: 'find' }, false)
    expect(read(begun, call, completed()).reader.listItems()).toBeUndefined()
  })

  it('has the id and the name of each call that the reply has given it, and a repeated call once', () => {
    const { call } = recordedCall()
    const tool_calls = [{ id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{}' } }]
    const tools = [{ type: 'function' as const, function: { name: 'find' } }]
    const messages = [{ role: 'assistant' as const, content: null, tool_calls }]
    const round = new RoundBuilder({ ...call, messages, tools })
    const reader = new ResponseReader(round, call)
    for (const one of [find('a', { name: 'functions.find' }), find('b'), find('c', { call_id: 'b' })])
      reader.read(item(one.call_id === 'a' ? 0 : 1, one))
    const items = reader.listItems()
    expect(items?.map(({ name }) => name)).toEqual(['find', 'find'])
    expect(items?.map(({ call_id }) => call_id)).toEqual(round.build(true).toolCalls.map(({ id }) => id))
    expect(items?.map(({ call_id }) => call_id)).toEqual([expect.stringMatching(/^call_.{36}$/), 'b'])
  })

  it('has no reasoning that the server would have to look up, and then no ids behind it', () => {
    const { reader } = read(
      item(0, reasoning('a', {})),
      item(1, reasoning('b', { encrypted_content: '', content: [] })),
      item(2, reasoning('c', { content: ['Hm'], status: 'completed', encrypted_content: null })),
      item(3, { type: 'reasoning', encrypted_content: 'x' }),
      item(4, find('d')),
      item(5, { type: 'image_generation_call', result: 'AA' }),
      item(6, { type: 'message', content: [] }),
      item(7, reasoning('e'), false),
      completed(),
    )
    expect(reader.listItems()).toEqual([
      { type: 'reasoning', id: 'c', summary: [], content: ['Hm'] },
      { type: 'reasoning', id: '', summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: 'd', name: 'find', arguments: '{ "n": 1 }' },
    ])
  })

  // https://github.com/BerriAI/litellm/pull/30072
  it('is one block if its id changes from event to event', () => {
    const summary = (item_id: string, delta: string) =>
      event('reasoning_summary_text.delta', { item_id, output_index: 0, summary_index: 0, delta })
    const { received } = read(item(0, reasoning('x1', {}), false), summary('x2', 'H'), summary('x3', 'm'))
    expect(received).toEqual([
      ['reasoning', 'H', 'x1:0'],
      ['reasoning', 'm', 'x1:0'],
    ])
  })

  it('is reported when it starts', () => {
    expect(read(item(0, reasoning('a', {}), false)).round.hasStarted).toBe(true)
  })
})

describe('a call is known by its id', () => {
  const called = (call_id: string | undefined, text: string, more: object = {}) => ({
    type: 'function_call',
    name: 'send',
    ...(call_id !== undefined && { call_id }),
    arguments: text,
    ...more,
  })
  const added = (item_: object, place: object = {}) => event('output_item.added', { item: item_, ...place })
  const done = (item_: object, place: object = {}) => event('output_item.done', { item: item_, ...place })
  const piece = (delta: string, names: object) => event('function_call_arguments.delta', { delta, ...names })
  const [one, two] = ['{"n":1}', '{"n":2}']

  // llama-server: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp
  // ids that change from event to event: https://github.com/BerriAI/litellm/pull/30072
  it.each<[string, object[], [id: string, args: string][]]>([
    [
      'no output_index, pieces named by the id of the call',
      [
        added(called('fc_1', '')),
        piece('{"n"', { item_id: 'fc_1' }),
        piece(':1}', { item_id: 'fc_1' }),
        done(called('fc_1', one)),
        completed({ output: [called('fc_1', one)] }),
      ],
      [['fc_1', one]],
    ],
    [
      'two calls without output_index whose pieces alternate',
      [
        added(called('fc_1', '')),
        added(called('fc_2', '')),
        piece('{"n"', { item_id: 'fc_1' }),
        piece('{"n"', { item_id: 'fc_2' }),
        piece(':2}', { item_id: 'fc_2' }),
        piece(':1}', { item_id: 'fc_1' }),
        completed({ output: [{ type: 'message' }, called('fc_1', one), called('fc_2', two)] }),
      ],
      [
        ['fc_1', one],
        ['fc_2', two],
      ],
    ],
    [
      'pieces without any name belong to the call before them',
      [added(called('fc_1', '')), piece(one, {}), completed({ output: [called('fc_1', one)] })],
      [['fc_1', one]],
    ],
    [
      'two calls at one place',
      [
        done(called('a', one), { output_index: 0 }),
        done(called('b', two), { output_index: 0 }),
        completed({ output: [called('a', one), called('b', two)] }),
      ],
      [
        ['a', one],
        ['b', two],
      ],
    ],
    [
      'ids of items that change from event to event',
      [
        added(called('a', '', { id: 'x1' }), { output_index: 0 }),
        piece(one, { item_id: 'x2', output_index: 0 }),
        done(called('a', one, { id: 'x3' }), { output_index: 0 }),
        completed({ output: [called('a', one, { id: 'x4' })] }),
      ],
      [['a', one]],
    ],
    [
      'the last event has other ids than those before',
      [done(called('a', one), { output_index: 0 }), completed({ output: [called('other', one)] })],
      [['a', one]],
    ],
    [
      'the last event has a call more',
      [done(called('a', one)), completed({ output: [called('a', one), called('b', two)] })],
      [
        ['a', one],
        ['b', two],
      ],
    ],
    [
      'the item of the call has an id of its own',
      [
        added(called('a', '', { id: 'item_1' })),
        piece(one, { item_id: 'item_1' }),
        done(called('a', one, { id: 'item_1' })),
        completed(),
      ],
      [['a', one]],
    ],
  ])('%s', (_, events, expected) => {
    const { toolCalls } = read(...events).round.build(false)
    expect(toolCalls.map(({ id, name, arguments: text }) => [id, name, text])).toEqual(
      expected.map(([id, text]) => [id, 'send', text]),
    )
  })
})

describe('the last event', () => {
  const output = [
    {
      type: 'message',
      content: [
        { text: 'Hi', annotations: [{ type: 'url_citation', url: 'https://example.org', title: 'A' }, null] },
        { refusal: ' no' },
        null,
      ],
    },
    { type: 'other', content: [{ text: 'never' }] },
    { type: 'message' },
    null,
    { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
  ]

  it('can have all content', () => {
    const { round, received } = read(completed({ output }))
    expect(round.build(false)).toMatchObject({ text: 'Hi no', toolCalls: [{ id: 'a' }], inputTokens: 0 })
    expect(received).toContainEqual(['source', { url: 'https://example.org', title: 'A' }])
  })

  it('does not repeat text that was sent before', () => {
    expect(read(event('output_text.delta', { delta: 'Hello' }), completed({ output })).round.text).toBe(
      'Hello',
    )
  })

  it.each([
    ['completed', {}, 'done'],
    ['completed', null, 'done'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'filtered'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['incomplete', null, 'length'],
    ['completed', { status: 'completed' }, 'done'],
    ['completed', { status: 'incomplete' }, 'length'],
    ['completed', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['completed', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filtered'],
    ['completed', { incomplete_details: null }, 'done'],
  ])('%s with %j ends the response as %s', (type, response, end) => {
    expect(read(event(type, { response })).round.end).toBe(end)
  })
})

it.each([
  [{ code: 'rate_limit_exceeded', message: 'slow' }, 'model_busy', 'rate_limit_exceeded'],
  [{ code: 7 }, 'model_broken', '7'],
  [null, 'model_broken', ''],
])('the failure %j is reported as %s', (error, code, rejectionCode) => {
  const readFailure = () => read(event('failed', { response: { error } }))
  expect(readFailure).toThrow(
    expect.objectContaining({
      code,
      rejection: expect.objectContaining({ code: rejectionCode, param: '' }),
    }) as Error,
  )
})

it.each([
  [event('output_text.delta', { delta: 3 })],
  [event('reasoning_text.delta', { item_id: 'r', content_index: 1, delta: 3 })],
  [event('function_call_arguments.delta', { output_index: 1, delta: 3 })],
  [item(0, { type: 'function_call', name: 3 })],
  [item(0, { type: 'function_call', arguments: 3 })],
  [item(0, { type: 'reasoning', id: 3 })],
  [completed({ output: [{ type: 'message', content: [{ text: 3 }] }] })],
])('a number in place of a text counts as missing: %j', (oddEvent) => {
  const { round } = read(oddEvent, event('output_text.delta', { delta: 'Hi' }), completed())
  expect(round.build(false)).toMatchObject({ text: 'Hi', toolCalls: [] })
})

it.each([
  [cite(null)],
  [cite({ type: 'file_citation', url: 'https://example.org' })],
  [cite({ type: 'url_citation' })],
  [cite({ type: 'url_citation', url: '' })],
  [item(0, null)],
])('%j is ignored', (ignoredEvent) => {
  expect(read(ignoredEvent).received).toEqual([])
})

it.each(['failed', 'cancelled'])('a response that is complete and %s is an error', (status) => {
  const error = { code: 'rate_limit_exceeded', message: 'slow' }
  expect(() => read(completed({ status, error }))).toThrow(
    expect.objectContaining({ code: 'model_busy' }) as Error,
  )
})

// cache_write_tokens: https://openrouter.ai/docs/guides/best-practices/prompt-caching
it.each([
  [
    {
      input_tokens: 9,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, cacheWriteTokens: 3, reasoningTokens: 2 },
  ],
  [{ input_tokens: 9 }, { inputTokens: 9, outputTokens: 0 }],
  [
    {
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
    { inputTokens: 0, outputTokens: 5 },
  ],
  [null, { inputTokens: 0, outputTokens: 0 }],
  ['many', { inputTokens: 0, outputTokens: 0 }],
])('tokens of %j are counted', (usage, counted) => {
  expect(read(completed({ usage })).round.usage).toStrictEqual(counted)
})

it('arguments that come whole count if none came in pieces', () => {
  const whole = (item_id: string, text: unknown) =>
    event('function_call_arguments.done', { item_id, arguments: text })
  const added = (id: string) =>
    event('output_item.added', { item: { type: 'function_call', id, call_id: id, name: 'find' } })
  const { round } = read(
    added('a'),
    whole('a', '{"n":1}'),
    added('b'),
    event('function_call_arguments.delta', { item_id: 'b', delta: '{}' }),
    whole('b', '{"never":1}'),
    added('c'),
    whole('c', { n: 3 }),
    completed(),
  )
  expect(round.build(false).toolCalls.map(({ id, arguments: text }) => [id, text])).toEqual([
    ['a', '{"n":1}'],
    ['b', '{}'],
    ['c', '{"n":3}'],
  ])
})
