import { expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { formatKeptRounds, parseKeptRounds } from './kept-rounds.ts'
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
