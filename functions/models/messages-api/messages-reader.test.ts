import { expect, it } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import { RoundBuilder } from '../round-builder.ts'
import { MessagesReader } from './messages-reader.ts'

function readEvents(...events: object[]) {
  const { call, received } = recordedCall()
  const round = new RoundBuilder(call)
  const reader = new MessagesReader(round, call)
  for (const event of events) reader.read(event)
  return { round, reader, received }
}
const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const add = (index: number, type: string, more: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...more },
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const end = (stop_reason: unknown, usage?: object) => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
})

it('reads blocks in order: thinking, text, calls, sources', () => {
  const { round, reader, received } = readEvents(
    { type: 'message_start', message: { id: 'msg1' } },
    start(0, { type: 'thinking', thinking: 'H', signature: 's' }),
    add(0, 'thinking_delta', { thinking: 'm' }),
    add(0, 'signature_delta', { signature: 'ig' }),
    stop(0),
    start(1, { type: 'redacted_thinking', data: 'sealed' }),
    stop(1),
    start(2, { type: 'thinking' }),
    add(2, 'thinking_delta', { thinking: 'unsigned' }),
    stop(2),
    start(3, { type: 'text', text: 'Let ' }),
    add(3, 'text_delta', { text: 'me.' }),
    add(3, 'citations_delta', { citation: { url: 'https://example.org', title: 'A' } }),
    add(3, 'citations_delta', { citation: { url: 'https://example.org/b', title: 3 } }),
    add(3, 'citations_delta', { citation: { title: 'none' } }),
    stop(3),
    start(4, { type: 'tool_use', id: 'a', name: 'find' }),
    add(4, 'input_json_delta', { partial_json: '{"q":1}' }),
    stop(4),
    start(5, { type: 'tool_use', id: 'b', name: 'wait' }),
    stop(5),
    start(6, { type: 'server_tool_use', id: 'c', name: 'web_search' }),
    add(6, 'input_json_delta', { partial_json: '{"never":1}' }),
    stop(6),
    end('tool_use'),
    { type: 'unknown' },
    { type: 'message_stop' },
  )
  expect(reader.isDone).toBe(true)
  expect(round.build(true)).toEqual({
    text: 'Let me.',
    toolCalls: [
      { id: 'a', name: 'find', arguments: '{"q":1}' },
      { id: 'b', name: 'wait', arguments: '{}' },
    ],
    truncated: false,
    inputTokens: 0,
    outputTokens: 0,
    webSearches: 1,
  })
  expect(reader.listItems()).toEqual([
    { type: 'thinking', thinking: 'Hm', signature: 'sig' },
    { type: 'redacted_thinking', data: 'sealed' },
    {
      type: 'text',
      text: 'Let me.',
      citations: [
        { url: 'https://example.org', title: 'A' },
        { url: 'https://example.org/b', title: 3 },
        { title: 'none' },
      ],
    },
    { type: 'tool_use', id: 'a', name: 'find', input: { q: 1 } },
    { type: 'tool_use', id: 'b', name: 'wait', input: {} },
  ])
  expect(received).toEqual([
    ['reasoning', 'H', 'msg1-0'],
    ['reasoning', 'm', 'msg1-0'],
    ['reasoning', 'unsigned', 'msg1-2'],
    ['text', 'Let '],
    ['text', 'me.'],
    ['source', { url: 'https://example.org', title: 'A' }],
    ['source', { url: 'https://example.org/b' }],
    ['input', 'a', ''],
    ['input', 'a', '{"q":1}'],
    ['input', 'b', ''],
    ['input', 'b', '{}'],
    ['search'],
  ])
})

it.each([
  ['max_tokens', [], 'length'],
  ['max_tokens', [''], 'length'],
  ['max_tokens', ['{}'], undefined],
  ['tool_use', [''], undefined],
])('a call that ends with %s and the pieces %j is cut by: %s', (reason, pieces, cutBy) => {
  const { round } = readEvents(
    start(0, { type: 'tool_use', id: 'a', name: 'list', input: {} }),
    ...pieces.map((partial_json) => add(0, 'input_json_delta', { partial_json })),
    stop(0),
    end(reason),
    { type: 'message_stop' },
  )
  expect(round.build(true).toolCalls).toEqual([
    { id: 'a', name: 'list', arguments: '{}', ...(cutBy && { cutBy }) },
  ])
})

it.each([
  ['no text', null],
  ['a text of line breaks', '\n\n'],
  ['a text', 'Let me see.'],
])('thinking goes back, signed, before a call with %s between them', (_, text) => {
  const { round, reader } = readEvents(
    // signed thinking that is not shown has no text: https://github.com/strands-agents/harness-sdk/pull/2704
    start(0, { type: 'thinking', thinking: null }),
    add(0, 'signature_delta', { signature: 'sig' }),
    stop(0),
    ...(text === null ? [] : [start(1, { type: 'text', text: '' }), add(1, 'text_delta', { text }), stop(1)]),
    start(2, { type: 'tool_use', id: 'a', name: 'find', input: {} }),
    add(2, 'input_json_delta', { partial_json: '{"q":1}' }),
    stop(2),
    end('tool_use'),
    { type: 'message_stop' },
  )
  round.build(true)
  expect(reader.listItems()).toEqual([
    { type: 'thinking', thinking: '', signature: 'sig' },
    ...(text?.trim() ? [{ type: 'text', text }] : []),
    { type: 'tool_use', id: 'a', name: 'find', input: { q: 1 } },
  ])
})

it.each([
  [{ web_search_requests: 0 }, undefined],
  [{ web_search_requests: 3 }, 3],
  [{ web_search_requests: -3 }, 1],
  [{ web_search_requests: '3' }, 1],
  [{}, 1],
  [null, 1],
])('searches are counted as the server counts them, or by its calls: %j', (server_tool_use, expected) => {
  const search = start(0, { type: 'server_tool_use', id: 'c', name: 'web_search' })
  const other = start(1, { type: 'server_tool_use', id: 'd', name: 'code_execution' })
  const { round, received } = readEvents(search, other, end('end_turn', { server_tool_use }))
  expect([round.build(true).webSearches, received]).toEqual([expected, [['search']]])
})

it('passes on images with their bytes or address, and a reason stays that a later event does not name', () => {
  const image = (source: unknown) => start(0, { type: 'image', source })
  const { round, reader, received } = readEvents(
    image({ type: 'base64', media_type: 'image/webp', data: 'aGk=' }),
    image({ type: 'url', url: 'https://example.org/a.png' }),
    image({ type: 'url', url: null }),
    end('max_tokens'),
    end(''),
    { type: 'ping' },
  )
  expect(reader.isDone).toBe(false)
  expect(received).toEqual([
    ['image', 'data:image/webp;base64,aGk='],
    ['image', 'https://example.org/a.png'],
  ])
  expect(round.end).toBe('length')
})

it.each([
  ['end_turn', 'done'],
  ['tool_use', 'done'],
  ['stop_sequence', 'done'],
  ['pause_turn', 'paused'],
  ['', undefined],
  [3, undefined],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filtered'],
  [null, undefined],
])('the reason %s ends a response as %s', (reason, expected) => {
  const { round, reader } = readEvents(end(reason))
  expect(round.end).toBe(expected)
  expect(reader.isDone).toBe(false)
})

it('uses the last count of each kind of token', () => {
  const firstUsage = {
    input_tokens: 5,
    output_tokens: 1,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  }
  const { round } = readEvents(
    { type: 'message_start', message: { usage: firstUsage } },
    end(null, { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 }, input_tokens: null }),
  )
  expect(round.usage).toEqual({
    inputTokens: 10,
    outputTokens: 9,
    cachedInputTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 4,
  })
  expect(readEvents({ type: 'message_start', message: {} }).round.usage).toEqual({
    inputTokens: 0,
    outputTokens: 0,
  })
})

it.each([
  ['id', { type: 'message_start', message: { id: 3 } }],
  ['text', start(0, { type: 'text', text: 3 })],
  ['name', start(0, { type: 'tool_use', name: 3 })],
  ['thinking', start(0, { type: 'thinking', thinking: 3 })],
  ['signature', start(0, { type: 'thinking', signature: 3 })],
  ['data', start(0, { type: 'redacted_thinking', data: 3 })],
  ['text', add(0, 'text_delta', { text: 3 })],
  ['input', add(1, 'input_json_delta', { partial_json: 3 })],
  ['thinking', add(2, 'thinking_delta', { thinking: 3 })],
  ['signature', add(2, 'signature_delta', { signature: 3 })],
])('a %s that is no text counts as missing: %j', (_, event) => {
  const startEvents = [start(1, { type: 'tool_use', name: 'find' }), start(2, { type: 'thinking' })]
  expect(readEvents(...startEvents, event).round.text).toBe('')
})

it.each([
  [{}],
  [{ type: 'message_start', message: null }],
  [{ type: 'content_block_start', content_block: null }],
])('%j is ignored', (event) => {
  expect(readEvents(event).received).toEqual([])
})

it('reads blocks of servers that count none', () => {
  const { round, reader, received } = readEvents(
    { type: 'message_start', message: { id: 'msg1' } },
    { type: 'content_block_start', content_block: { type: 'thinking' } },
    { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'a' } },
    { type: 'content_block_delta', delta: { type: 'signature_delta', signature: 's' } },
    { type: 'content_block_start', content_block: { type: 'thinking' } },
    { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'b' } },
    { type: 'content_block_stop' },
    { type: 'content_block_start', content_block: { type: 'tool_use', id: 'c', name: 'find' } },
    { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{"q":1}' } },
    end('tool_use'),
    { type: 'message_stop' },
  )
  expect(received).toEqual([
    ['reasoning', 'a', 'msg1-block-0'],
    ['reasoning', 'b', 'msg1-block-1'],
    ['input', 'c', ''],
    ['input', 'c', '{"q":1}'],
  ])
  expect(round.build(true)).toMatchObject({
    toolCalls: [{ id: 'c', name: 'find', arguments: '{"q":1}' }],
  })
  expect(reader.listItems()).toEqual([
    { type: 'thinking', thinking: 'a', signature: 's' },
    { type: 'tool_use', id: 'c', name: 'find', input: { q: 1 } },
  ])
})

it('keeps what is open when the message stops', () => {
  const { round, reader } = readEvents(
    start(0, { type: 'thinking', thinking: 'a', signature: 's' }),
    start(1, { type: 'tool_use', id: 'c', name: 'find', input: { q: 1 } }),
    start(2, { type: 'tool_use', id: 'd', name: 'find', input: [] }),
    { type: 'message_stop' },
  )
  expect(round.build(true)).toMatchObject({
    toolCalls: [
      { id: 'c', arguments: '{"q":1}' },
      { id: 'd', arguments: '{}' },
    ],
  })
  expect(reader.listItems()?.[0]).toEqual({ type: 'thinking', thinking: 'a', signature: 's' })
})

it('blocks go back in their order, with searches and their results', () => {
  const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: 'x' }] }
  const { reader } = readEvents(
    start(0, { type: 'text', text: 'One. ', citations: null }),
    start(1, { type: 'thinking', thinking: 'a', signature: 's' }),
    start(2, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
    add(2, 'input_json_delta', { partial_json: '{"query":"q"}' }),
    start(3, result),
    start(4, { type: 'text', text: 'Two.' }),
    start(5, { type: 'tool_use', id: 'functions.find:0', name: 'find', input: { n: 1 } }),
    { type: 'message_stop' },
  )
  expect(reader.listItems()).toEqual([
    { type: 'text', text: 'One. ' },
    { type: 'thinking', thinking: 'a', signature: 's' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
    result,
    { type: 'text', text: 'Two.' },
    { type: 'tool_use', id: 'functions_find_0', name: 'find', input: { n: 1 } },
  ])
})

it.each([
  ['a text', [{ type: 'text', text: 'Hi' }]],
  [
    'a text before a call',
    [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'find' },
    ],
  ],
  [
    'thinking without a signature',
    [
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'Hi' },
    ],
  ],
])('%s has nothing more to go back', (_, blocks) => {
  const events = blocks.map((block, index) => start(index, block))
  expect(readEvents(...events, { type: 'message_stop' }).reader.listItems()).toBeUndefined()
})

it('a piece of a block that is not known belongs to none', () => {
  const { round, received } = readEvents(
    start(0, { type: 'tool_use', id: 'c', name: 'find' }),
    add(1, 'input_json_delta', { partial_json: '{"never":1}' }),
    add(1, 'thinking_delta', { thinking: 'never' }),
    add(1, 'signature_delta', { signature: 'never' }),
    stop(1),
    add(0, 'input_json_delta', { partial_json: '{}' }),
    stop(0),
  )
  expect(round.build(true).toolCalls).toEqual([{ id: 'c', name: 'find', arguments: '{}' }])
  expect(received).toEqual([
    ['input', 'c', ''],
    ['input', 'c', '{}'],
  ])
})
