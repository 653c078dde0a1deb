import { expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { formatKeptRounds, parseKeptRounds, restoreItems } from './kept-rounds.ts'
import type { ModelMessage, ReasoningItem } from './model.ts'
import { buildToolMessages } from './tool-messages.ts'

const item = (fields: object, more: Partial<ReasoningItem> = {}): ReasoningItem => ({
  api: 'chat',
  model: 'm',
  item: { ...fields },
  ...more,
})
const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'find', arguments: '{}' } })
const round = (ids: readonly string[], reasoning: ReasoningItem[]): ModelMessage[] => [
  { role: 'assistant', content: 'Let me see.', tool_calls: ids.map(call), reasoning },
  ...ids.map((id) => ({ role: 'tool' as const, tool_call_id: id, content: 'found' })),
]
const aCall = (q: number): ToolCall => ({
  tool: 'find',
  action: 'Find',
  parameters: { q },
  result: { success: true, data: `found ${q}` },
})

/** Two rounds with one and two calls, each with what the server wants back. */
const rounds = [
  ...round(['c1'], [item({ reasoning_content: 'First.' })]),
  ...round(
    ['c2', 'c3'],
    [
      item({ reasoning_content: 'Then.' }),
      item({ extra_content: 'signed' }, { ofCall: 'c3' }),
      item({ type: 'reasoning' }, { beforeCall: 'c2' }),
    ],
  ),
]

it('what a server wants back is sent again with the calls of a later turn, round by round', () => {
  const kept = formatKeptRounds(rounds, [item({ reasoning_content: 'Done.' })])
  const { messages, last } = buildToolMessages([1, 2, 3].map(aCall), {
    key: 'z',
    maxCharacters: 10_000,
    kept,
  })
  expect(messages).toMatchObject([
    { tool_calls: [{ id: '00000z000' }], reasoning: [item({ reasoning_content: 'First.' })] },
    { role: 'tool', tool_call_id: '00000z000', content: 'found 1' },
    {
      tool_calls: [{ id: '00000z001' }, { id: '00000z002' }],
      reasoning: [
        item({ reasoning_content: 'Then.' }),
        item({ extra_content: 'signed' }, { ofCall: '00000z002' }),
        item({ type: 'reasoning' }, { beforeCall: '00000z001' }),
      ],
    },
    { role: 'tool', content: 'found 2' },
    { role: 'tool', content: 'found 3' },
  ])
  expect(last).toEqual([item({ reasoning_content: 'Done.' })])
})

it('calls that are left out, or were made before, change nothing about the others', () => {
  const kept = formatKeptRounds(rounds)
  const build = (calls: readonly ToolCall[], maxCharacters: number) =>
    buildToolMessages(calls, { key: 'z', maxCharacters, kept }).messages.flatMap((message) =>
      message.role === 'assistant' ? [[message.tool_calls?.length, message.reasoning?.length ?? 0]] : [],
    )
  expect(build([0, 1, 2, 3].map(aCall), 10_000)).toEqual([
    [1, 0],
    [1, 1],
    [2, 3],
  ])
  // a round that is not whole has nothing of its own
  expect(build([2].map(aCall), 10_000)).toEqual([[1, 0]])
})

it('is bounded: the oldest goes', () => {
  const long = (text: string) => [item({ reasoning_content: text.repeat(100_000) })]
  const kept = parseKeptRounds(formatKeptRounds([...round(['a'], long('x')), ...round(['b'], long('y'))]))
  expect(kept.map(({ calls, items }) => [calls, items.length])).toEqual([
    [1, 0],
    [1, 1],
    [0, 0],
  ])
})

it('is nothing if no server wants anything back, or if it cannot be read', () => {
  expect(formatKeptRounds(round(['a'], []))).toBeUndefined()
  expect(['{', '{}', '[{"calls":1}]', undefined].map(parseKeptRounds)).toEqual([[], [], [], []])
})

it('is stored with the places of its calls, of which only those with results count', () => {
  const items = [
    item({ a: 1 }),
    item({ b: 1 }, { ofCall: 'c2', beforeCall: 'c1' }),
    item({ c: 1 }, { ofCall: 'gone', beforeCall: 'gone' }),
    item({ e: 1 }, { ofCall: 'c1' }),
  ]
  const [asked, ...results] = round(['c1', 'c2'], items)
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'no calls', reasoning: [item({ never: 1 })] },
    ...(asked ? [asked] : []),
    ...results.slice(1),
    { role: 'tool', tool_call_id: 'other', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [call('d')] },
  ]
  const kept = [
    item({ a: 1 }),
    { ...item({ b: 1 }), beforeCall: 0, ofCall: 1 },
    item({ c: 1 }),
    { ...item({ e: 1 }), ofCall: 0 },
  ]
  expect(JSON.parse(formatKeptRounds(messages, [item({ d: 1 }, { ofCall: 'c1' })]) ?? '')).toEqual([
    { calls: 1, items: kept },
    { calls: 0, items: [] },
    { calls: 0, items: [item({ d: 1 })] },
  ])
})

it('is sent again with the calls that are, at the same places', () => {
  const stored = { api: 'chat', model: 'm', item: { a: 1 } } as const
  const restore = (places: { beforeCall?: number; ofCall?: number }, callIds: string[]) =>
    restoreItems({ calls: 2, items: [{ ...stored, ...places }] }, callIds)
  expect(restore({}, [])).toStrictEqual([item({ a: 1 })])
  expect(restore({ beforeCall: 0, ofCall: 1 }, ['x', 'y'])).toStrictEqual([
    item({ a: 1 }, { beforeCall: 'x', ofCall: 'y' }),
  ])
  // a field of a call that is gone is nothing; an item before it stays
  expect(restore({ ofCall: 1 }, ['x'])).toEqual([])
  expect(restore({ beforeCall: 1 }, ['x'])).toStrictEqual([item({ a: 1 })])
})

it.each([
  [150_000, 1],
  [150_001, 0],
])('has at most 150,000 characters: of %i, %i items are stored', (length, count) => {
  const empty = JSON.stringify([item({ text: '' })]).length + '[]'.length
  const items = [item({ text: 'x'.repeat(length - empty) })]
  const kept = parseKeptRounds(formatKeptRounds([...round(['a'], [item({})]), ...round(['b'], items)]))
  // the last text has an empty list; a round that is too long, and all before it, lose theirs
  expect(kept.map((one) => one.items.length)).toEqual(count === 1 ? [0, 1, 0] : [])
})

it('is well-formed text, whatever a server has sent', () => {
  const kept = formatKeptRounds([], [item({ text: 'a\ud800' })])
  expect(kept?.isWellFormed()).toBe(true)
})

it.each<[string, object]>([
  ['calls', { calls: -1, items: [] }],
  ['calls', { calls: 1.5, items: [] }],
  ['an API', { calls: 1, items: [{ api: 'x', model: 'm', item: {} }] }],
  ['a model', { calls: 1, items: [{ api: 'chat', item: {} }] }],
  ['an item', { calls: 1, items: [{ api: 'chat', model: 'm', item: [] }] }],
  ['a place', { calls: 1, items: [{ api: 'chat', model: 'm', item: {}, ofCall: 'x' }] }],
  ['a place', { calls: 1, items: [{ api: 'chat', model: 'm', item: {}, beforeCall: 0.5 }] }],
])('counts as nothing with %s that is none: %j', (_, stored) => {
  expect(parseKeptRounds(JSON.stringify([stored]))).toEqual([])
})
