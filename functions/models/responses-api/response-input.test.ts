import { expect, it } from 'vitest'
import type { ModelMessage } from '../model.ts'
import { toFunctionTool, toInput } from './response-input.ts'

const call = (id: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'find', arguments: '{"q":1}' },
})
const url = 'data:image/png;base64,AA=='
it('sends a conversation as items, in the order in which the model wrote them', () => {
  const messages: ModelMessage[] = [
    { role: 'system', content: 'You are Ada.' },
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url } },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [call('1'), call('2')],
      answer: { api: 'messages', model: 'm', items: [{ type: 'thinking' }] },
    },
    { role: 'tool', tool_call_id: '1', content: 'found' },
    { role: 'tool', tool_call_id: '2', content: 'drawn', images: [{ url }] },
    { role: 'assistant', content: '' },
    { role: 'system', content: 'Late.' },
    { role: 'user', content: 'Thanks' },
  ]
  expect(toInput(messages)).toEqual({
    instructions: 'You are Ada.\n\nBe brief.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', detail: 'auto', image_url: url },
        ],
      },
      { type: 'message', role: 'assistant', content: 'Let me see.' },
      { type: 'function_call', call_id: '1', name: 'find', arguments: '{"q":1}' },
      { type: 'function_call', call_id: '2', name: 'find', arguments: '{"q":1}' },
      { type: 'function_call_output', call_id: '1', output: 'found' },
      {
        type: 'function_call_output',
        call_id: '2',
        output: [
          { type: 'input_text', text: 'drawn' },
          { type: 'input_image', detail: 'auto', image_url: url },
        ],
      },
      { type: 'message', role: 'system', content: 'Late.' },
      { type: 'message', role: 'user', content: 'Thanks' },
    ],
  })
  expect(toInput([{ role: 'user', content: 'Hi' }]).instructions).toBeUndefined()
})

it('sends an answer of this API as its server gave it', () => {
  const items = [{ type: 'reasoning', id: 'r' }, { type: 'message', phase: 'commentary' }, { type: 'new' }]
  const answer = { api: 'responses' as const, model: 'm', items }
  expect(toInput([{ role: 'assistant', content: 'Hi', tool_calls: [call('1')], answer }]).input).toEqual(
    items,
  )
})

it('sends a tool without strict mode, and always with parameters', () => {
  const parameters = { type: 'object', properties: { q: { type: 'string' } } }
  expect(
    toFunctionTool({ type: 'function', function: { name: 'a', description: 'A', parameters } }),
  ).toStrictEqual({
    type: 'function',
    name: 'a',
    description: 'A',
    parameters,
    strict: false,
  })
  expect(toFunctionTool({ type: 'function', function: { name: 'a' } })).toStrictEqual({
    type: 'function',
    name: 'a',
    parameters: { type: 'object', properties: {} },
    strict: false,
  })
})
