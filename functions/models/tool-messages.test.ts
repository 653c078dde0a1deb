import { describe, expect, it } from 'vitest'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { ModelMessage } from './model.ts'
import {
  buildToolMessages,
  formatResultData,
  hasLongIds,
  withoutToolMessages,
  withShortIds,
} from './tool-messages.ts'

const aCall = (
  result: ToolCall['result'],
  parameters: Record<string, unknown> = {},
  tool = 'find',
): ToolCall => ({
  tool,
  action: tool,
  parameters,
  result,
})
const build = (calls: ToolCall[], maxCharacters = 24_000) =>
  buildToolMessages(calls, { key: 'z', maxCharacters })
const listResults = ({ messages }: { messages: ModelMessage[] }) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))

it('calls precede their results, with ids of nine characters', () => {
  const calls = [
    aCall({ success: true, data: { hits: 2 } }, { q: 'eggs' }, 'my mail/find'),
    aCall({ success: true, data: 'sent' }, {}, ''),
  ]
  expect(build(calls)).toEqual({
    characters: 28,
    messages: [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: '00000z000',
            type: 'function',
            function: { name: 'my_mail_find', arguments: '{"q":"eggs"}' },
          },
          { id: '00000z001', type: 'function', function: { name: 'unknown', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: '00000z000', content: '{"hits":2}' },
      { role: 'tool', tool_call_id: '00000z001', content: 'sent' },
    ],
  })
  const [{ tool_calls: [namedCalls] = [] } = {}] = build([aCall({ success: true }, {}, 'x'.repeat(70))])
    .messages as { tool_calls?: { function: { name: string } }[] }[]
  expect(namedCalls?.function.name).toBe('x'.repeat(64))
  expect(build([])).toEqual({ messages: [], characters: 0 })
})

it.each([
  [{ success: true }, 'null'],
  [{ success: true, data: null }, 'null'],
  [{ success: false, error: 'No.' }, 'Error: No.'],
  [{ success: false }, 'Error: The call failed.'],
])('the result %j is sent as %s', (result, text) => {
  expect(listResults(build([aCall(result)]))).toEqual([text])
})

it('a long call gets at most 3,000 characters, and at least 300 when there are many', () => {
  const longCall = aCall({ success: true, data: 'y'.repeat(5_000) }, { text: 'x'.repeat(5_000) })
  const [message] = build([longCall]).messages as { tool_calls: { function: { arguments: string } }[] }[]
  const { shortened } = JSON.parse(message?.tool_calls[0]?.function.arguments ?? '') as { shortened: string }
  expect(shortened).toBe(`{"text":"${'x'.repeat(991)}…\n[shortened, 5011 characters in all]`)
  expect(listResults(build([longCall]))).toEqual([
    `${'y'.repeat(1_500)}…\n[shortened, 5000 characters in all]`,
  ])
  const fittingCall = aCall({ success: true, data: 'y'.repeat(1_500) }, { text: 'x'.repeat(989) })
  expect(build([fittingCall]).characters).toBe(2_500)
  // four calls share the limit
  const sharedResults = listResults(build([longCall, longCall, longCall, longCall], 4_000))
  expect(sharedResults).toEqual(
    Array.from({ length: 4 }, () => `${'y'.repeat(500)}…\n[shortened, 5000 characters in all]`),
  )
})

it('the oldest calls are left out when there are too many', () => {
  const calls = Array.from({ length: 30 }, (_, index) =>
    aCall({ success: true, data: `${index}`.padEnd(150) }),
  )
  const results = listResults(build(calls, 1_000))
  expect(results.map((text) => text.trim())).toEqual(['24', '25', '26', '27', '28', '29'])
  const call = aCall({ success: true, data: 'x'.repeat(98) })
  expect(build([call], 100).characters).toBe(100)
  expect(build([call], 99)).toEqual({ messages: [], characters: 0 })
})

it('a model without tools gets the calls as text, and roles alternate', () => {
  const call = (id: string, name: string) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: '{}' },
  })
  const messages: ModelMessage[] = [
    { role: 'system', content: 'You are Ada.' },
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Let me see.', tool_calls: [call('1', 'find'), call('2', 'gone')] },
    { role: 'tool', tool_call_id: '1', content: 'found' },
    { role: 'assistant', content: null, tool_calls: [call('3', 'send')] },
    { role: 'tool', tool_call_id: '3', content: 'sent' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks' },
    { role: 'assistant', content: 'You are welcome.' },
  ]
  expect(withoutToolMessages(messages)).toEqual([
    messages[0],
    messages[1],
    {
      role: 'assistant',
      content: [
        'Let me see.',
        '[A tool was called here: find with {}. It answered: found]',
        '[A tool was called here: gone with {}. It answered: ]\n',
        '[A tool was called here: send with {}. It answered: sent]\n',
        'Done.',
      ].join('\n'),
    },
    messages[7],
    messages[8],
  ])
})

it.each([
  ['sent', 'sent'],
  [' \n', '[The call was answered. The answer has no content.]'],
  ['', '[The call was answered. The answer has no content.]'],
  [undefined, 'null'],
  [{ hits: 2 }, '{"hits":2}'],
  [[], '[]'],
  [0, '0'],
])('the data %j is sent as %s', (data, text) => {
  expect(formatResultData(data)).toBe(text)
})

it('the text of an error is shortened, too', () => {
  expect(listResults(build([aCall({ success: false, error: 'x'.repeat(5_000) })]))).toEqual([
    `Error: ${'x'.repeat(1_493)}…\n[shortened, 5007 characters in all]`,
  ])
})

describe('a model that takes some calls only', () => {
  const call = (id: string, signed = false): ModelMessage => ({
    role: 'assistant',
    content: `call ${id}`,
    tool_calls: [{ id, type: 'function', function: { name: 'find', arguments: '{}' } }],
    ...(signed && { answer: { api: 'chat', model: 'm', items: [] } }),
  })
  const result = (id: string): ModelMessage => ({ role: 'tool', tool_call_id: id, content: `result ${id}` })
  const describeUnsigned = (...messages: ModelMessage[]) =>
    withoutToolMessages(messages, ({ answer }) => answer === undefined)

  it('gets these with their results, and the others as text', () => {
    const kept = [call('1', true), result('1')]
    expect(
      describeUnsigned(...kept, call('2'), result('2'), { role: 'assistant', content: 'Done.' }),
    ).toEqual([
      ...kept,
      {
        role: 'assistant',
        content: 'call 2\n[A tool was called here: find with {}. It answered: result 2]\n\nDone.',
      },
    ])
  })

  it('gets a text after its calls as a message of its own', () => {
    const messages: ModelMessage[] = [call('1', true), { role: 'assistant', content: 'Done.' }]
    expect(describeUnsigned(...messages)).toEqual(messages)
    const signed: ModelMessage[] = [{ role: 'assistant', content: 'Hi' }, call('1', true)]
    expect(describeUnsigned(...signed)).toEqual(signed)
  })

  it('gets an answer without text and calls as an empty one', () => {
    expect(describeUnsigned({ role: 'assistant', content: null, tool_calls: [] })).toEqual([
      { role: 'assistant', content: '' },
    ])
  })
})

it('ids of calls that a server does not take become short ones, the same in a call, its result and its answer', () => {
  const call = {
    id: 'call_1',
    type: 'function' as const,
    function: { name: 'find', arguments: '{"id":"call_1"}' },
  }
  const items = [{ id: 'fc_1', call_id: 'call_1' }, { tool_calls: [{ id: 'call_1' }] }]
  const sent = [
    { role: 'assistant', content: 'call_1', tool_calls: [call], answer: { api: 'chat', model: 'm', items } },
    { role: 'tool', tool_call_id: 'call_1', content: 'call_1' },
    { role: 'tool', tool_call_id: 'aB3456789', content: '' },
    { role: 'user', content: 'call_1' },
  ] satisfies ModelMessage[]
  const id = '74196fe72'
  expect(sent.map(hasLongIds)).toEqual([true, true, false, false])
  expect(sent.map(withShortIds)).toEqual([
    {
      ...sent[0],
      tool_calls: [{ ...call, id }],
      answer: { api: 'chat', model: 'm', items: [{ id: 'fc_1', call_id: id }, { tool_calls: [{ id }] }] },
    },
    { ...sent[1], tool_call_id: id },
    ...sent.slice(2),
  ])
})
