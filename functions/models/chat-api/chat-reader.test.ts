import { describe, expect, it } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import { RoundBuilder } from '../round-builder.ts'
import { ChatReader } from './chat-reader.ts'

/** A reader of one answer to a request that offers these tools. */
function open(...names: string[]) {
  const { call, received } = recordedCall()
  const tools = names.map((name) => ({ type: 'function' as const, function: { name } }))
  const round = new RoundBuilder({ ...call, tools })
  return { round, received, reader: new ChatReader(round, call) }
}

/** What has arrived of a kind, as one text. */
const join = (received: readonly unknown[], kind: string) =>
  (received as [string, string][]).flatMap(([name, text]) => (name === kind ? [text] : [])).join('')

/** What a server sends. */
const sends = (delta: unknown, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })

describe('a chunk has', () => {
  it.each<[string, unknown, object]>([
    ['text', sends({ role: 'assistant', content: 'Hi' }), { text: 'Hi' }],
    ['a refusal behind the text', sends({ content: 'Hi', refusal: 'No.' }), { text: 'HiNo.' }],
    ['a part that is a text', sends({ content: ['a', { type: 'text', text: 'b' }] }), { text: 'ab' }],
    ['one part without a list', sends({ content: { type: 'text', text: 'a' } }), { text: 'a' }],
    ['a part that refuses', sends({ content: [{ type: 'refusal', refusal: 'No.' }] }), { text: 'No.' }],
    ['the text of a whole answer', { choices: [{ message: { content: 'Hi' } }] }, { text: 'Hi' }],
    ['a message beside a delta of null', sends(null, { message: { content: 'Hi' } }), { text: 'Hi' }],
    ['choices without a list', { choices: { delta: { content: 'Hi' } } }, { text: 'Hi' }],
    // https://platform.openai.com/docs/api-reference/completions
    ['the text of a legacy choice', { choices: [{ text: 'Hi' }] }, { text: 'Hi' }],
    [
      'the text of a choice in place of the content, beside the reasoning',
      sends({ content: 'x', reasoning: 'Hm' }, { text: 'Hi' }),
      { text: 'Hi', reasoning: 'Hm' },
    ],
    [
      'the first of several answers',
      { choices: [1, 0].map((index) => ({ index, delta: { content: `${index}` } })) },
      { text: '0' },
    ],
    [
      'the first choice that is an object, if none is counted',
      { choices: [null, 'x', { delta: { content: 'a' } }, { delta: { content: 'b' } }] },
      { text: 'a' },
    ],
    ['the first of a list', [sends({ content: 'a' }), sends({ content: 'b' })], { text: 'a' }],
    ['reasoning_content', sends({ reasoning_content: 'Hm' }), { reasoning: 'Hm' }],
    ['reasoning', sends({ reasoning: 'Hm' }), { reasoning: 'Hm' }],
    // https://github.com/anomalyco/opencode: GitHub Copilot's name
    ['reasoning_text', sends({ reasoning_text: 'Hm' }), { reasoning: 'Hm' }],
    [
      'reasoning once that has three names',
      sends({ reasoning_text: 'c', reasoning: 'b', reasoning_content: '' }),
      { reasoning: 'b' },
    ],
    [
      'reasoning by its name rather than its details',
      sends({ reasoning_text: 'a', reasoning_details: [{ text: 'b' }] }),
      { reasoning: 'a' },
    ],
    // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    [
      'details with a text, a summary and what is sealed',
      sends({ reasoning_details: [{ text: 'a', summary: 'x' }, { summary: 'b' }, { data: 'sealed' }, 3] }),
      { reasoning: 'ab' },
    ],
    [
      'one detail without a list',
      sends({ reasoning_details: { summary: ['a', { text: 'b' }] } }),
      { reasoning: 'ab' },
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
      { text: 'Hi', reasoning: '12345' },
    ],
  ])('%s', (_, value, expected) => {
    const { reader, round, received } = open()
    reader.read(value)
    const reasoning = join(received, 'reasoning')
    expect({
      ...(round.text !== '' && { text: round.text }),
      ...(reasoning !== '' && { reasoning }),
    }).toEqual(expected)
  })

  it('reasoning, text and calls at once', () => {
    const { reader, received } = open('send')
    const call = { index: 0, id: 'a', function: { name: 'send', arguments: '{}' } }
    reader.read(sends({ content: 'Hi', reasoning: 'Hm', tool_calls: [call] }))
    expect(received).toEqual([
      ['reasoning', 'Hm', 'reasoning'],
      ['text', 'Hi'],
      ['input', 'a', ''],
      ['input', 'a', '{}'],
    ])
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
  ])('nothing if it is %s', (_, value) => {
    const { reader, round, received } = open()
    reader.read(value)
    reader.end()
    expect([received, round.text, round.hasStarted]).toEqual([[], '', false])
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
    const { reader, round } = open()
    reader.read(sends({}, { finish_reason: reason }))
    expect(round.end).toBe(end)
  })

  it('stays when more reader follow', () => {
    const { reader, round } = open()
    reader.read(sends({}, { finish_reason: 'length' }))
    reader.read({ choices: [], usage: null })
    expect(round.end).toBe('length')
  })
})

describe('an error', () => {
  it.each<[string, object, string]>([
    ['by the reason of the end', sends({ content: '!' }, { finish_reason: 'error' }), 'model_cut'],
    ['by the reason in capitals', sends({ content: '!' }, { finish_reason: 'ERROR' }), 'model_cut'],
    ['in the choice', sends({}, { error: { message: 'Overloaded' }, finish_reason: 'stop' }), 'model_busy'],
  ])('is known %s, behind the text that comes with it', (_, value, code) => {
    const { reader, round } = open()
    expect(() => reader.read(value)).toThrow(expect.objectContaining({ code }))
    expect([round.text, round.end]).toEqual([code === 'model_cut' ? '!' : '', undefined])
  })

  it('of the chunk is no end', () => {
    const { reader, round } = open()
    reader.read({ ...sends({}, { finish_reason: 'stop' }), error: 'x' })
    expect(round.end).toBeUndefined()
  })
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
    const { reader, round } = open()
    reader.read({ choices: [], usage })
    expect(round.usage).toStrictEqual(counted)
  })

  it.each<[string, object]>([
    ['the chunk', { usage: { prompt_tokens: 1 }, choices: [{ usage: { prompt_tokens: 2 } }] }],
    // https://platform.moonshot.ai/docs/api/chat
    ['the choice', { choices: [{ usage: { prompt_tokens: 1 } }], x_groq: { usage: { prompt_tokens: 2 } } }],
    // https://console.groq.com/docs/api-reference#chat-create
    ['x_groq', { usage: null, x_groq: { usage: { prompt_tokens: 1 } } }],
  ])('are read from %s', (_, value) => {
    const { reader, round } = open()
    reader.read(value)
    expect(round.usage.inputTokens).toBe(1)
  })

  it.each([null, undefined, 'many', []])('stay counted when %j follows', (usage) => {
    const { reader, round } = open()
    reader.read({ usage: { prompt_tokens: 1 } })
    reader.read({ choices: [], usage })
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
    const { reader, received } = open()
    reader.read(value)
    const search = sources.length > 0 ? [['search']] : []
    expect(received).toStrictEqual([...search, ...sources.map((one) => ['source', one])])
  }
})

it('results of a search count rather than citations of the same, and both lists of a delta', () => {
  const { reader, received } = open()
  reader.read({ search_results: [{ url: 'a', title: 'A' }], citations: ['a'] })
  reader.read(sends({ annotations: [{ url: 'b' }], citations: ['c'] }))
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
    const { reader, received } = open()
    reader.read(value)
    expect(received).toEqual(urls.map((url) => ['image', url]))
  }
})

it('an image that is an address alone is shown', () => {
  const { reader, received } = open()
  reader.read(sends({ images: ['a'] }))
  expect(received).toEqual([['image', 'a']])
})

it('nobody needs to listen for sources and images', () => {
  const { signal, messages, tools, onText, onOmit } = recordedCall().call
  const call = { signal, messages, tools, onText, onOmit }
  const round = new RoundBuilder(call)
  new ChatReader(round, call).read(sends({ content: 'Hi', images: ['a'], citations: ['b'] }))
  expect(round.text).toBe('Hi')
})

describe('what the server wants back', () => {
  const list = (...deltas: object[]) => {
    const { reader } = open('send')
    for (const delta of deltas) reader.read(sends(delta))
    reader.end()
    return reader.listItems()
  }
  const base = { role: 'assistant', content: '' }

  it('is each field of the message that is not known, put together', () => {
    expect(
      list(
        { reasoning_content: 'H', flag: false, count: 0, none: null, empty: '', content: 'Hi' },
        { reasoning_content: 'm', extra: { a: 1 } },
      ),
    ).toStrictEqual([
      { reasoning_content: 'Hm', flag: false, count: 0, extra: { a: 1 }, role: 'assistant', content: 'Hi' },
    ])
  })

  it.each(
    'role content refusal tool_calls function_call images annotations citations audio index name logprobs token_ids'.split(
      ' ',
    ),
  )('is not %s', (name) => {
    expect(list({ [name]: 'x' })).toBeUndefined()
  })

  // https://docs.mistral.ai/capabilities/reasoning
  it('is thinking as a part of the content', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }
    const thoughts = [
      { content: [{ type: 'thinking', thinking: 'H' }], other: 1 },
      { content: [{ type: 'reasoning', text: 'm' }] },
    ]
    expect(list(...thoughts)).toStrictEqual([{ other: 1, role: 'assistant', content: [thinking] }])
    expect(list(...thoughts, { content: 'Hi' })).toMatchObject([
      { content: [thinking, { type: 'text', text: 'Hi' }] },
    ])
  })

  const piece = (more: object) => ({ tool_calls: [{ index: 0, ...more }] })
  const sent = { type: 'function', function: { name: 'send', arguments: '{}' } }

  // https://ai.google.dev/gemini-api/docs/thought-signatures
  it('is what each piece of a call has', () => {
    expect(
      list(
        piece({ id: 'a', ...sent, x: 1, y: 1, extra_content: { google: 's' }, empty: '', none: null }),
        piece({ y: 2, z: 3 }),
      ),
    ).toStrictEqual([
      { ...base, tool_calls: [{ x: 1, y: 2, extra_content: { google: 's' }, z: 3, id: 'a', ...sent }] },
    ])
  })

  it.each(['index', 'id', 'type', 'function', 'name', 'arguments'])('is no %s of a call', (field) => {
    expect(list(piece({ id: 'a', ...sent, [field]: { odd: 1 } }))).toBeUndefined()
  })
})

describe('searches of the web', () => {
  const build = (...values: unknown[]) => {
    const { round, received, reader } = open()
    for (const value of values) reader.read(value)
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
