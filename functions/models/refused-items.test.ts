import { expect, it } from 'vitest'
import { recordedCall } from '../../test/support/recorded-call.ts'
import { ModelError, modelErrors } from './model-errors.ts'
import type { Answer, ModelApi, ModelMessage } from './model.ts'
import { openModel } from './open-model.ts'
import { findRefusedItems } from './refused-items.ts'

type Item = Answer['items'][number]

const calls = (id: string) => [{ id, type: 'function' as const, function: { name: 'find', arguments: '{}' } }]
const answer = (api: ModelApi, items: Item[], id = 'c1'): ModelMessage => ({
  role: 'assistant',
  content: 'Let me see.',
  tool_calls: calls(id),
  answer: { api, model: 'm', items },
})
const result = (id = 'c1'): ModelMessage => ({ role: 'tool', tool_call_id: id, content: 'found' })

const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: `sealed-${id}` })
const text = (id: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Let me see.' }],
})
const called = (id: string, callId: string) => ({
  type: 'function_call',
  id,
  call_id: callId,
  name: 'find',
  arguments: '{}',
})
const responses = [
  answer('responses', [reasoning('rs_first_1'), text('msg_first_1'), called('fc_first_1', 'c1')]),
  result(),
  answer('responses', [reasoning('rs_other_1'), called('fc_other_1', 'c2')], 'c2'),
  result('c2'),
]
const thinking = { type: 'thinking', thinking: 'Hm', signature: 's1' }
const blocks = [
  thinking,
  { type: 'text', text: 'Let me see.' },
  { type: 'tool_use', id: 'c1', name: 'find', input: {} },
]

/** Asks a server that refuses requests with these words as long as they have this text. @returns what it was sent each time */
async function ask(
  api: ModelApi,
  messages: ModelMessage[],
  refusal: (body: Record<string, unknown[]>) => string | undefined,
) {
  const sent: Record<string, unknown[]>[] = []
  const model = openModel({
    api,
    baseUrl: 'http://m/v1',
    model: 'm',
    readKey: async () => '',
    fetch: async (_, init) => {
      const body = JSON.parse(init?.body as string) as Record<string, unknown[]>
      sent.push(body)
      const message = refusal(body)
      if (message !== undefined) return Response.json({ error: { message } }, { status: 400 })
      return Response.json({
        choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
        content: [{ type: 'text', text: 'Hi' }],
      })
    },
  })
  const complete = () => model.complete({ ...recordedCall().call, messages })
  expect((await complete()).text).toBe('Hi')
  return { sent, complete }
}
const has = (body: unknown, words: string) => JSON.stringify(body).includes(words)
const types = (items: unknown[] = []) => (items as Item[]).map(({ type, id }) => [type, id].join(' ').trim())

it.each([
  ['by its path', 'input[0]: the encrypted content could not be verified'],
  ['by its id', "The encrypted content for item 'rs_first_1' could not be verified."],
])(
  'reasoning that a server refuses and names %s goes alone, also from the next requests',
  async (_, words) => {
    const { sent, complete } = await ask('responses', responses, (body) =>
      has(body, 'sealed-rs_first_1') ? words : undefined,
    )
    await complete()
    expect(sent.map(({ input }) => types(input))).toEqual([
      [
        'reasoning rs_first_1',
        'message msg_first_1',
        'function_call fc_first_1',
        'function_call_output',
        'reasoning rs_other_1',
        'function_call fc_other_1',
        'function_call_output',
      ],
      ...[1, 2].map(() => [
        // with their ids they would want it back
        'message',
        'function_call',
        'function_call_output',
        'reasoning rs_other_1',
        'function_call fc_other_1',
        'function_call_output',
      ]),
    ])
  },
)

it('an answer whose call is refused goes as text and call, the others as they came', async () => {
  const { sent } = await ask('responses', responses, (body) =>
    has(body, 'fc_first_1') ? "Item 'fc_first_1' was provided without its required item." : undefined,
  )
  expect(types(sent.at(-1)?.['input'])).toEqual([
    'message',
    'function_call',
    'function_call_output',
    'reasoning rs_other_1',
    'function_call fc_other_1',
    'function_call_output',
  ])
})

it('a second item of an answer is found, too', async () => {
  const found = { type: 'web_search_call', id: 'ws_first_1' }
  const messages = [
    answer('responses', [reasoning('rs_first_1'), found, called('fc_first_1', 'c1')]),
    result(),
  ]
  const { sent } = await ask('responses', messages, (body) => {
    if (has(body, 'sealed-')) return 'input[0].encrypted_content is invalid'
    return has(body, 'web_search_call') ? 'input[0].type is not supported' : undefined
  })
  expect(sent.map(({ input }) => types(input))).toEqual([
    [
      'reasoning rs_first_1',
      'web_search_call ws_first_1',
      'function_call fc_first_1',
      'function_call_output',
    ],
    ['web_search_call', 'function_call', 'function_call_output'],
    ['function_call', 'function_call_output'],
  ])
})

it('a block of thinking goes alone', async () => {
  const { sent } = await ask('messages', [answer('messages', blocks), result()], (body) =>
    has(body, 's1') ? 'messages.1.content.0: Invalid `signature` in `thinking` block' : undefined,
  )
  expect(sent).toHaveLength(2)
  const [, message] = (sent[1]?.['messages'] ?? []) as { content: unknown[] }[]
  expect(message?.content).toEqual(blocks.slice(1))
})

it('a message of Chat Completions goes without the fields of its server, and no other', async () => {
  const item = (more: object) => ({
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: calls('c1'),
    ...more,
  })
  const messages = [
    answer('chat', [item({ reasoning: 'one' })]),
    result(),
    answer('chat', [{ ...item({ reasoning: 'two' }), tool_calls: calls('c2') }], 'c2'),
    result('c2'),
  ]
  const { sent } = await ask('chat', messages, (body) =>
    has(body, '"one"') ? 'messages[0].reasoning: not allowed' : undefined,
  )
  expect(sent).toHaveLength(2)
  expect([has(sent[1], '"one"'), has(sent[1], '"two"')]).toEqual([false, true])
})

it('a server that refuses more than four gets text and calls in place of all', async () => {
  const messages = Array.from({ length: 8 }, (_, index) => [
    answer(
      'responses',
      [reasoning(`rs_item_${index}`), called(`fc_item_${index}`, `c${index}`)],
      `c${index}`,
    ),
    result(`c${index}`),
  ]).flat()
  const { sent } = await ask('responses', messages, ({ input = [] }) => {
    const at = (input as Item[]).findIndex(({ type }) => type === 'reasoning')
    return at === -1 ? undefined : `input[${at}].encrypted_content could not be verified`
  })
  expect(sent).toHaveLength(6)
  expect(types(sent.at(-1)?.['input'])).not.toContain('reasoning rs_item_7')
})

it.each<[string, unknown]>([
  ['another kind of error', new ModelError(modelErrors.busy, 'x')],
  ['what is no error of a model', new Error('x')],
  ['an error that names none', new ModelError(modelErrors.refused, 'x')],
])('none is refused by %s', (_, error) => {
  expect(findRefusedItems(error, responses)).toEqual([])
})
