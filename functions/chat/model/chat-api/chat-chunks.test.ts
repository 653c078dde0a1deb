import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../../test/support/recorded-call.ts'
import { RoundBuilder } from '../round-builder.ts'
import { ChatChunks, ChatFailure } from './chat-chunks.ts'

/** A reader of one answer to a request that offers these tools. */
function open(...names: string[]) {
  const { call, received } = recordedCall()
  const tools = names.map((name) => ({ type: 'function' as const, function: { name } }))
  const round = new RoundBuilder({ ...call, tools })
  return { round, received, chunks: new ChatChunks(round, call) }
}

/** What the client library gets. */
const library = (delta: object) => ({ choices: [{ delta }] })
/** What a server sends. */
const sends = (delta: unknown, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })

describe('the client library gets', () => {
  it.each<[string, unknown, object]>([
    ['text', sends({ role: 'assistant', content: 'Hi' }), { content: 'Hi' }],
    ['a refusal behind the text', sends({ content: 'Hi', refusal: 'No.' }), { content: 'HiNo.' }],
    ['a part that is a text', sends({ content: ['a', { type: 'text', text: 'b' }] }), { content: 'ab' }],
    ['one part without a list', sends({ content: { type: 'text', text: 'a' } }), { content: 'a' }],
    ['a part that refuses', sends({ content: [{ type: 'refusal', refusal: 'No.' }] }), { content: 'No.' }],
    ['the text of a whole answer', { choices: [{ message: { content: 'Hi' } }] }, { content: 'Hi' }],
    ['a message beside a delta of null', sends(null, { message: { content: 'Hi' } }), { content: 'Hi' }],
    ['choices without a list', { choices: { delta: { content: 'Hi' } } }, { content: 'Hi' }],
    // https://platform.openai.com/docs/api-reference/completions
    ['the text of a legacy choice', { choices: [{ text: 'Hi' }] }, { content: 'Hi' }],
    [
      'the text of a choice in place of the content, beside the reasoning',
      sends({ content: 'x', reasoning: 'Hm' }, { text: 'Hi' }),
      { content: 'Hi', reasoning_content: 'Hm' },
    ],
    [
      'the first of several answers',
      { choices: [1, 0].map((index) => ({ index, delta: { content: `${index}` } })) },
      { content: '0' },
    ],
    [
      'the first choice that is an object, if none is counted',
      { choices: [null, 'x', { delta: { content: 'a' } }, { delta: { content: 'b' } }] },
      { content: 'a' },
    ],
    ['the first of a list', [sends({ content: 'a' }), sends({ content: 'b' })], { content: 'a' }],
    ['reasoning_content', sends({ reasoning_content: 'Hm' }), { reasoning_content: 'Hm' }],
    ['reasoning', sends({ reasoning: 'Hm' }), { reasoning_content: 'Hm' }],
    // https://github.com/anomalyco/opencode: GitHub Copilot's name
    ['reasoning_text', sends({ reasoning_text: 'Hm' }), { reasoning_content: 'Hm' }],
    [
      'reasoning once that has three names',
      sends({ reasoning_text: 'c', reasoning: 'b', reasoning_content: '' }),
      { reasoning_content: 'b' },
    ],
    [
      'reasoning by its name rather than its details',
      sends({ reasoning_text: 'a', reasoning_details: [{ text: 'b' }] }),
      { reasoning_content: 'a' },
    ],
    // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    [
      'details with a text, a summary and what is sealed',
      sends({ reasoning_details: [{ text: 'a', summary: 'x' }, { summary: 'b' }, { data: 'sealed' }, 3] }),
      { reasoning_content: 'ab' },
    ],
    [
      'one detail without a list',
      sends({ reasoning_details: { summary: ['a', { text: 'b' }] } }),
      { reasoning_content: 'ab' },
    ],
    // https://docs.mistral.ai/capabilities/reasoning
    [
      'thinking in parts of parts, behind other reasoning',
      sends({
        reasoning: '1',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '2' }, '3', { other: 'x' }] },
          { type: 'reasoning', reasoning: '4' },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: '5' }] },
          { type: 'text', text: 'Hi' },
        ],
      }),
      { content: 'Hi', reasoning_content: '12345' },
    ],
    [
      'all at once',
      sends({
        content: 'Hi',
        reasoning: 'Hm',
        tool_calls: [{ index: 0, id: 'a', function: { name: 'send', arguments: '{}' } }],
      }),
      {
        content: 'Hi',
        reasoning_content: 'Hm',
        tool_calls: [{ index: 0, id: 'a', function: { name: 'send', arguments: '{}' } }],
      },
    ],
  ])('%s', (_, value, delta) => {
    expect(open('send').chunks.read(value)).toEqual(library(delta))
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 3],
    ['a text', 'Hi'],
    ['an empty list', []],
    ['no choices', {}],
    ['empty choices', { choices: [] }],
    ['choices that are null', { choices: null }],
    ['a choice without a delta', { choices: [{ index: 0 }] }],
    ['a delta that is a text', sends('Hi')],
    ['an empty delta', sends({ role: 'assistant', content: '', refusal: null, tool_calls: null })],
    ['the end', sends({}, { finish_reason: 'stop' })],
    ['content that is a number', sends({ content: 3 })],
    ['parts without text', sends({ content: [{ type: 'new' }, { type: 'text', text: 3 }, 3] })],
    ['calls that are no objects', sends({ tool_calls: ['a', null, 3] })],
    ['a function_call that is a text', sends({ function_call: 'find' })],
  ])('nothing from %s', (_, value) => {
    expect(open().chunks.read(value)).toBeUndefined()
  })
})

describe('the end of an answer', () => {
  it.each<(string | number | null | undefined)[]>([
    ...'stop tool_calls tool_call tool_use function_call end_turn eos eos_token stop_sequence complete completed'
      .split(' ')
      .map((reason) => [reason, 'done']),
    ...'length max_tokens max_length model_length max_output_tokens model_context_window_exceeded'
      .split(' ')
      .map((reason) => [reason, 'length']),
    ...'content_filter safety recitation blocklist prohibited_content spii refusal sensitive'
      .split(' ')
      .map((reason) => [reason, 'filtered']),
    ['STOP', 'done'],
    ['network_error', 'broken'],
    ['', undefined],
    [null, undefined],
    [1, undefined],
  ])('%j means %s', (reason, end) => {
    const { chunks, round } = open()
    chunks.read(sends({}, { finish_reason: reason }))
    expect(round.end).toBe(end)
    expect(chunks.isDone).toBe(false)
  })

  it('stays when more chunks follow', () => {
    const { chunks, round } = open()
    chunks.read(sends({}, { finish_reason: 'length' }))
    chunks.read({ choices: [], usage: null })
    expect(round.end).toBe('length')
  })
})

describe('an error', () => {
  /** What is thrown for a value, or undefined. */
  function fail(value: unknown, eventName?: string) {
    const { chunks, round } = open()
    try {
      chunks.read(value, eventName)
      return undefined
    } catch (error) {
      if (!(error instanceof ChatFailure)) throw error
      return { body: error.body, chunk: error.chunk, end: round.end }
    }
  }

  it.each<[string, unknown]>([
    ['with an object', { error: { message: 'x' } }],
    ['with words', { error: 'out of memory' }],
    ['as vLLM writes it', { object: 'error', message: 'x' }],
    ['as vLLM writes it, beside choices', { object: 'error', choices: [] }],
    ['as Anthropic writes it', { type: 'error', message: 'x' }],
    ['as FastAPI writes it', { detail: 'x' }],
    ['as FastAPI writes it, as a list', { detail: [] }],
    ['by the reason of the end', sends({}, { finish_reason: 'error' })],
    ['by the reason in capitals', sends({}, { finish_reason: 'ERROR' })],
  ])('is known: %s', (_, body) => {
    expect(fail(body)).toEqual({ body, chunk: undefined, end: undefined })
  })

  it('is known within a choice', () => {
    const choice = { delta: {}, error: { message: 'x' }, finish_reason: 'stop' }
    expect(fail({ choices: [choice] })).toEqual({ body: choice, chunk: undefined, end: undefined })
  })

  it('is known in a list', () => {
    expect(fail([{ error: 'x' }, {}])?.body).toEqual({ error: 'x' })
  })

  it.each(['overloaded', { message: 'x' }, null])('is any event of this name: %j', (body) => {
    expect(fail(body, 'error')).toEqual({ body, chunk: undefined, end: undefined })
  })

  it.each([
    { error: null },
    { error: {} },
    { error: '' },
    { error: 3 },
    { error: ['x'] },
    { object: 'chat.completion.chunk' },
    { type: 'chunk' },
    { detail: null },
    { type: 'error', choices: [] },
    { detail: 'x', choices: [] },
    sends({ content: 'error' }),
  ])('is none of %j', (value) => {
    expect(fail(value)).toBeUndefined()
    expect(fail(value, 'message')).toBeUndefined()
  })

  it.each([{ ...sends({ content: '!' }), error: 'x' }, sends({ content: '!' }, { finish_reason: 'error' })])(
    'leaves the text that comes with it: %j',
    (value) => {
      expect(fail(value)?.chunk).toEqual(library({ content: '!' }))
    },
  )
})

describe('tokens', () => {
  // https://platform.openai.com/docs/api-reference/chat/object, https://openrouter.ai/docs/guides/guides/usage-accounting,
  // https://api-docs.deepseek.com/api/create-chat-completion
  it.each<[object, object]>([
    [
      {
        prompt_tokens: 9,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
        prompt_cache_hit_tokens: 8,
      },
      { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, cacheWriteTokens: 3, reasoningTokens: 2 },
    ],
    [
      { prompt_tokens: 9, prompt_cache_hit_tokens: 8 },
      { inputTokens: 9, outputTokens: 0, cachedInputTokens: 8 },
    ],
    [
      {
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { inputTokens: 0, outputTokens: 1 },
    ],
    [
      { prompt_tokens: '9', completion_tokens: -1, prompt_tokens_details: null },
      { inputTokens: 0, outputTokens: 0 },
    ],
  ])('of %j are counted', (usage, counted) => {
    const { chunks, round } = open()
    chunks.read({ choices: [], usage })
    expect(round.usage).toStrictEqual(counted)
  })

  it.each<[string, object]>([
    ['the chunk', { usage: { prompt_tokens: 1 }, choices: [{ usage: { prompt_tokens: 2 } }] }],
    // https://platform.moonshot.ai/docs/api/chat
    ['the choice', { choices: [{ usage: { prompt_tokens: 1 } }], x_groq: { usage: { prompt_tokens: 2 } } }],
    // https://console.groq.com/docs/api-reference#chat-create
    ['x_groq', { usage: null, x_groq: { usage: { prompt_tokens: 1 } } }],
  ])('are read from %s', (_, value) => {
    const { chunks, round } = open()
    chunks.read(value)
    expect(round.usage.inputTokens).toBe(1)
  })

  it.each([null, undefined, 'many', []])('stay counted when %j follows', (usage) => {
    const { chunks, round } = open()
    chunks.read({ usage: { prompt_tokens: 1 } })
    chunks.read({ choices: [], usage })
    expect(round.usage).toEqual({ inputTokens: 1, outputTokens: 0 })
  })
})

const page = 'https://example.org'

it.each<[string, unknown, object[]]>([
  ['a citation of OpenAI', { url_citation: { url: page, title: 'E' } }, [{ url: page, title: 'E' }]],
  ['a page of Perplexity', { url: page, title: 'E' }, [{ url: page, title: 'E' }]],
  ['an address', page, [{ url: page }]],
  ['an empty title', { url: page, title: '' }, [{ url: page }]],
  ['a title that is a number', { url: page, title: 3 }, [{ url: page }]],
  ['no address', { title: 'E' }, []],
  ['an empty text', '', []],
  ['a number', 3, []],
])('%s is a source, wherever it stands', (_, source, sources) => {
  for (const value of [
    { search_results: [source] },
    { citations: [source] },
    { citations: source },
    sends({ annotations: [source] }),
    sends({ citations: [source] }),
    sends({ annotations: source }),
  ]) {
    const { chunks, received } = open()
    expect(chunks.read(value)).toBeUndefined()
    const search = sources.length > 0 ? [['search']] : []
    expect(received).toStrictEqual([...search, ...sources.map((one) => ['source', one])])
  }
})

it('results of a search count rather than citations of the same, and both lists of a delta', () => {
  const { chunks, received } = open()
  chunks.read({ search_results: [{ url: 'a', title: 'A' }], citations: ['a'] })
  chunks.read(sends({ annotations: [{ url: 'b' }], citations: ['c'] }))
  expect(received).toEqual([
    ['search'],
    ['source', { url: 'a', title: 'A' }],
    ['source', { url: 'b' }],
    ['source', { url: 'c' }],
  ])
})

it.each<[string, unknown, string[]]>([
  ['bytes', { b64_json: 'AA==', url: page }, ['data:image/png;base64,AA==']],
  ['a nested address', { image_url: { url: 'a' }, url: 'b' }, ['a']],
  ['a nested text', { image_url: 'a', url: 'b' }, ['a']],
  ['an address of its own', { url: 'a' }, ['a']],
  ['nothing', {}, []],
  ['an address that is a number', { image_url: { url: 3 } }, []],
])('an image is shown: %s', (_, image, urls) => {
  for (const value of [
    sends({ images: [image] }),
    sends({ images: image }),
    ...['image_url', 'image', 'output_image'].map((type) => sends({ content: [{ type, ...Object(image) }] })),
  ]) {
    const { chunks, received } = open()
    expect(chunks.read(value)).toBeUndefined()
    expect(received).toEqual(urls.map((url) => ['image', url]))
  }
})

it('an image that is an address alone is shown', () => {
  const { chunks, received } = open()
  chunks.read(sends({ images: ['a'] }))
  expect(received).toEqual([['image', 'a']])
})

it('nobody needs to listen for sources and images', () => {
  const { signal, messages, tools, onText, onOmit } = recordedCall().call
  const call = { signal, messages, tools, onText, onOmit }
  const chunks = new ChatChunks(new RoundBuilder(call), call)
  const value = sends({ content: 'Hi', images: ['a'], citations: ['b'] })
  expect(chunks.read(value)).toEqual(library({ content: 'Hi' }))
})

describe('what the server wants back with the message', () => {
  it('is each field that is not known, put together', () => {
    const { chunks } = open()
    chunks.read(sends({ reasoning_content: 'H', flag: false, count: 0, none: null, empty: '' }))
    chunks.read(sends({ reasoning_content: 'm', extra: { a: 1 } }))
    expect(chunks.fields).toStrictEqual({
      reasoning_content: 'Hm',
      flag: false,
      count: 0,
      extra: { a: 1 },
    })
  })

  it.each(
    'role content refusal tool_calls function_call images annotations citations audio index name logprobs token_ids'.split(
      ' ',
    ),
  )('is not %s', (name) => {
    const { chunks } = open()
    chunks.read(sends({ [name]: 'x' }))
    expect(chunks.fields).toEqual({})
  })

  // https://docs.mistral.ai/capabilities/reasoning
  it('is thinking as a part of the content', () => {
    const { chunks } = open()
    chunks.read(sends({ content: [{ type: 'thinking', thinking: 'H' }], other: 1 }))
    chunks.read(sends({ content: [{ type: 'reasoning', text: 'm' }] }))
    expect(chunks.fields).toStrictEqual({
      other: 1,
      content_parts: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }],
    })
  })
})

describe('calls', () => {
  /** The pieces that the client library gets of each chunk, and at the end of the answer. */
  function read(...parts: object[][]) {
    const { chunks } = open('find', 'find_all', 'send', 'gogo')
    const list = (chunk: ReturnType<ChatChunks['end']>) => chunk?.choices[0].delta.tool_calls
    return [...parts.map((calls) => list(chunks.read(sends({ tool_calls: calls })))), list(chunks.end())]
  }
  const part = (index: unknown, name: unknown, args: unknown, more: object = {}) => ({
    index,
    function: { name, arguments: args },
    ...more,
  })
  const piece = (index: number | undefined, name: string | undefined, args: string, more: object = {}) => ({
    ...(index !== undefined && { index }),
    ...more,
    function: { ...(name !== undefined && { name }), arguments: args },
  })
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  const signed = (fields: object) => ({
    extra_content: { google: { thought_signature: JSON.stringify(fields) } },
  })

  it.each<[string, object[][], unknown[]]>([
    ['a name alone', [[part(0, 'send', '', a)]], [[piece(0, 'send', '', a)], undefined]],
    [
      'arguments behind the name',
      [[part(0, 'send', '', a)], [part(0, undefined, '{')], [part(0, '', '}', { id: '' })]],
      [[piece(0, 'send', '', a)], [piece(0, undefined, '{')], [piece(0, undefined, '}')], undefined],
    ],
    [
      'a name repeated behind the first arguments',
      [[part(0, 'find', '{', a)], [part(0, 'find', '', a)], [part(0, 'find', '}', a)]],
      [[piece(0, 'find', '{', a)], [piece(0, 'find', '', a)], [piece(0, 'find', '}', a)], undefined],
    ],
    [
      'arguments before the name',
      [[part(0, null, '{', a)], [part(0, undefined, '"n"')], [part(0, 'find', ':1}')]],
      [undefined, undefined, [piece(0, 'find', '{"n":1}', a)], undefined],
    ],
    [
      'an id with the name',
      [[part(0, '', '{}')], [part(0, 'find', '', a)]],
      [undefined, [piece(0, 'find', '{}', a)], undefined],
    ],
    [
      'an id behind the name',
      [[part(0, 'find', '')], [part(0, '', '{}', a)]],
      [undefined, [piece(0, 'find', '{}', a)], undefined],
    ],
    [
      'a name that the request does not offer, behind the arguments',
      [[part(0, '', '{}', a)], [part(0, 'other', '')]],
      [undefined, [piece(0, 'other', '{}', a)], undefined],
    ],
    [
      'a waiting call before the next one, both without an id',
      [[part(0, 'find', '')], [part(1, 'send', '{}')]],
      [undefined, [piece(0, 'find', ''), piece(1, 'send', '{}')], undefined],
    ],
    [
      'the first id',
      [[part(0, 'fin', '', a)], [part(0, 'd', '{}')]],
      [undefined, [piece(0, 'find', '{}', a)], undefined],
    ],
    ['a call without a name', [[part(0, '', '{}', a)]], [undefined, undefined]],
    ['a name that goes on', [[part(0, 'find', '', a)]], [undefined, [piece(0, 'find', '', a)]]],
    [
      'a name in pieces',
      [[part(0, 'fi', '', a)], [part(0, 'nd_', '')], [part(0, 'all', '')]],
      [undefined, undefined, [piece(0, 'find_all', '', a)], undefined],
    ],
    [
      'a name that is repeated',
      [[part(0, 'find', '', a)], [part(0, 'find', '{}', a)]],
      [undefined, [piece(0, 'find', '{}', a)], undefined],
    ],
    [
      'a name of two equal pieces',
      [[part(0, 'go', '', a)], [part(0, 'go', '', a)]],
      [undefined, [piece(0, 'gogo', '', a)], undefined],
    ],
    [
      'a waiting call before the next one',
      [[part(0, 'find', '', a)], [part(1, 'send', '{}', b)]],
      [undefined, [piece(0, 'find', '', a), piece(1, 'send', '{}', b)], undefined],
    ],
    [
      'a waiting call before one that waits itself',
      [[part(0, 'find', '', a)], [part(1, 'find', '', b)]],
      [undefined, [piece(0, 'find', '', a)], [piece(1, 'find', '', b)]],
    ],
    [
      'no nameless call with the next one',
      [[part(0, '', '{}', a)], [part(1, 'send', '{}', b)], [part(0, 'find', '')]],
      [undefined, [piece(1, 'send', '{}', b)], [piece(0, 'find', '{}', a)], undefined],
    ],
    [
      'two calls at one place',
      [[part(0, 'find', '', a)], [part(0, 'send', '{}', b)]],
      [undefined, [piece(0, 'find', '', a), piece(0, 'send', '{}', b)], undefined],
    ],
    [
      'no place',
      [
        [part(undefined, 'send', '{', a), part(undefined, '', '}')],
        [{ function: { arguments: '' } }],
        [part(null, 'find', '', b)],
      ],
      [
        [piece(undefined, 'send', '{', a), piece(undefined, undefined, '}')],
        [piece(undefined, undefined, '')],
        [piece(undefined, 'find', '', b)],
        undefined,
      ],
    ],
    ['neither place nor name', [[part(undefined, '', '{}', a)]], [undefined, undefined]],
    [
      'neither place nor name, behind a call with a place',
      [[part(0, 'send', '{', a)], [part(undefined, '', '}')]],
      [[piece(0, 'send', '{', a)], [piece(undefined, undefined, '}')], undefined],
    ],
    ['a place that is a text', [[part('1', 'send', '{}', a)]], [[piece(1, 'send', '{}', a)], undefined]],
    [
      'a place that is no number',
      [[part('x', 'send', '{}', a)], [part(1.5, 'send', '[]', b)]],
      [[piece(undefined, 'send', '{}', a)], [piece(undefined, 'send', '[]', b)], undefined],
    ],
    [
      'a number as id',
      [[part(0, 'send', '{}', { id: 7 })]],
      [[piece(0, 'send', '{}', { id: '7' })], undefined],
    ],
    [
      'blanks around the id and the name',
      [[part(0, ' send\n', '{}', { id: ' a ' })], [part(1, 'send', '[]', { id: ' ' })]],
      [[piece(0, 'send', '{}', a)], [piece(1, 'send', '[]')], undefined],
    ],
    [
      'an object as arguments',
      [[part(0, 'send', { n: 1 }, a)]],
      [[piece(0, 'send', '{"n":1}', a)], undefined],
    ],
    [
      'a name and arguments of the call itself',
      [[{ index: 0, id: 'a', name: 'send', arguments: '{}' }]],
      [[piece(0, 'send', '{}', a)], undefined],
    ],
    [
      'the name of the function rather than the call',
      [[part(0, 'send', '{}', { ...a, name: 'x', arguments: 'y' })]],
      [[piece(0, 'send', '{}', a)], undefined],
    ],
    // https://ai.google.dev/gemini-api/docs/thought-signatures
    [
      'what the server wants back with a call',
      [
        [
          part(0, 'send', '{}', {
            ...a,
            type: 'function',
            extra_content: { google: 's' },
            empty: '',
            none: null,
          }),
        ],
      ],
      [[piece(0, 'send', '{}', { ...a, ...signed({ extra_content: { google: 's' } }) })], undefined],
    ],
    [
      'what the server wants back with a call, from all its pieces',
      [[part(0, 'find', '', { ...a, x: 1, y: 1 })], [part(0, '', '{}', { y: 2, z: 3 })]],
      [undefined, [piece(0, 'find', '{}', { ...a, ...signed({ x: 1, y: 2, z: 3 }) })], undefined],
    ],
    // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp
    [
      'once a call that comes again at another place',
      [[part(0, 'send', '{}', a)], [part(1, 'send', '{}', a)]],
      [[piece(0, 'send', '{}', a)], undefined, undefined],
    ],
    [
      'once a call that came in pieces, and comes again whole',
      [[part(0, 'send', '{', a)], [part(0, '', '}', a)], [part(undefined, 'send', '{}', a)]],
      [[piece(0, 'send', '{', a)], [piece(0, undefined, '}', a)], undefined, undefined],
    ],
    [
      'two calls of one id with other arguments, or another name',
      [[part(0, 'send', '{}', a)], [part(1, 'send', '[]', a)], [part(2, 'find', '{}', a)]],
      [[piece(0, 'send', '{}', a)], [piece(1, 'send', '[]', a)], [piece(2, 'find', '{}', a)], undefined],
    ],
    [
      'two calls of one id without arguments',
      [[part(0, 'send', '', a)], [part(1, 'send', '', a)]],
      [[piece(0, 'send', '', a)], [piece(1, 'send', '', a)], undefined],
    ],
    [
      'two calls alike without an id',
      [[part(0, 'send', '{}')], [part(1, 'send', '{}')]],
      [[piece(0, 'send', '{}')], [piece(1, 'send', '{}')], undefined],
    ],
  ])('the library gets %s', (_, parts, pieces) => {
    expect(read(...parts)).toStrictEqual(pieces)
  })

  it.each(['index', 'id', 'type', 'function', 'name', 'arguments'])(
    'the server gets no %s back beside its own fields',
    (field) => {
      const { chunks } = open()
      const call = { index: 0, id: 'a', function: { name: 'x', arguments: '{}' }, [field]: { odd: 1 } }
      const delta = chunks.read(sends({ tool_calls: [call, part(undefined, 'y', '', b)] }))?.choices[0].delta
      expect(delta?.tool_calls?.length).toBeGreaterThan(0)
      expect(delta?.tool_calls?.filter((one) => one.extra_content)).toEqual([])
    },
  )

  it('one call need not be in a list', () => {
    const { chunks } = open()
    expect(chunks.read(sends({ tool_calls: part(0, 'x', '{}', a) }))).toEqual(
      library({ tool_calls: [piece(0, 'x', '{}', a)] }),
    )
  })

  // https://platform.openai.com/docs/api-reference/chat/streaming#function_call
  it('the older function_call is the first call', () => {
    const { chunks } = open()
    expect(chunks.read(sends({ function_call: { name: 'x', arguments: '{' } }))).toEqual(
      library({ tool_calls: [piece(0, 'x', '{')] }),
    )
    expect(chunks.read(sends({ function_call: { arguments: '}' } }))).toEqual(
      library({ tool_calls: [piece(0, undefined, '}')] }),
    )
  })

  it('a waiting call comes with the reason of the end, and once', () => {
    const { chunks } = open('find', 'find_all')
    expect(chunks.read(sends({ tool_calls: [part(0, 'find', '', a)] }))).toBeUndefined()
    expect(chunks.read(sends({ content: '' }, { finish_reason: '' }))).toBeUndefined()
    expect(chunks.read(sends({}, { finish_reason: 'tool_calls' }))).toEqual(
      library({ tool_calls: [piece(0, 'find', '', a)] }),
    )
    expect(chunks.end()).toBeUndefined()
  })
})

describe('searches of the web', () => {
  const build = (...values: unknown[]) => {
    const { round, received, chunks } = open()
    for (const value of values) chunks.read(value)
    const { webSearches } = round.build(true)
    return { webSearches, searches: JSON.stringify(received).split('["search"]').length - 1 }
  }
  const text = sends({ content: 'Hi' }, { finish_reason: 'stop' })

  it.each([
    // https://openrouter.ai/docs, https://docs.litellm.ai/docs/completion/web_search
    [{ server_tool_use: { web_search_requests: 2 } }, 2],
    [{ prompt_tokens_details: { web_search_requests: 3 } }, 3],
    // https://docs.perplexity.ai/api-reference/chat-completions-post
    [{ num_search_queries: 18 }, 18],
    // https://docs.x.ai: pages that a live search read, or calls of its tools
    [{ num_sources_used: 7 }, 7],
    [{ num_sources_used: 0, server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 4 } }, 4],
    [{ num_sources_used: 0 }, undefined],
    [{ num_search_queries: '18' }, undefined],
    [{ num_search_queries: -1 }, undefined],
    [{ num_search_queries: 1_001 }, undefined],
    [{ server_tool_use: null, prompt_tokens_details: null }, undefined],
  ])('of %j are counted', (usage, webSearches) => {
    expect(build(text, { choices: [], usage }, { choices: [], usage: {} })).toMatchObject({ webSearches })
  })

  it('are one if pages are cited and the server counts none', () => {
    const cited = sends({ annotations: [{ url: 'a' }, { url: 'b' }] })
    expect(build(text, cited, { citations: ['c'] })).toEqual({ webSearches: 1, searches: 1 })
    expect(build(text, cited, { usage: { num_search_queries: 5 } })).toEqual({ webSearches: 5, searches: 1 })
  })
})
