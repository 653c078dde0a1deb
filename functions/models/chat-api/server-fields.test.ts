import { expect, it } from 'vitest'
import { addFields, type ServerFields } from './server-fields.ts'

const add = (...chunks: ServerFields[]) => {
  const fields: ServerFields = {}
  for (const chunk of chunks) addFields(fields, chunk)
  return fields
}

it.each<[string, unknown, unknown, unknown]>([
  ['texts', 'H', 'm', 'Hm'],
  ['lists', [1], [2, 3], [1, 2, 3]],
  ['objects', { a: 1, b: 1 }, { b: 2, c: 2 }, { a: 1, b: 2, c: 2 }],
  ['a number after a text', 'H', 1, 1],
  ['a text after a number', 1, 'm', 'm'],
  ['an object after a text', 'H', { a: 1 }, { a: 1 }],
  ['a text after an object', { a: 1 }, 'm', 'm'],
  ['a list after an object', { a: 1 }, [2], [2]],
  ['an object after a list', [1], { a: 2 }, { a: 2 }],
  ['a list after a text', 'H', ['m'], ['m']],
  ['false after true', true, false, false],
])('of two chunks are put together: %s', (_, first, second, whole) => {
  expect(add({ one: first, other: 'x' }, { one: second })).toStrictEqual({ one: whole, other: 'x' })
})

// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning
it.each<[string, unknown, unknown, unknown[]]>([
  ...['text', 'summary', 'data', 'thinking', 'arguments'].map(
    (name): [string, unknown, unknown, unknown[]] => [
      `the ${name} of an entry goes on`,
      { index: 0, type: 't', [name]: 'a' },
      { index: 0, type: 't', [name]: 'b' },
      [{ index: 0, type: 't', [name]: 'ab' }],
    ],
  ),
  [
    'of other fields the last one counts',
    { index: 0, id: 'a', format: 'f' },
    { index: 0, id: 'b' },
    [{ index: 0, id: 'b', format: 'f' }],
  ],
  [
    'what is null or missing changes nothing',
    { index: 0, text: 'a', signature: 's', format: 'f' },
    { index: 0, text: null, signature: undefined, format: null },
    [{ index: 0, text: 'a', signature: 's', format: 'f' }],
  ],
  ['a text replaces a number', { index: 0, text: 1 }, { index: 0, text: 'b' }, [{ index: 0, text: 'b' }]],
  ['a number replaces a text', { index: 0, text: 'a' }, { index: 0, text: 1 }, [{ index: 0, text: 1 }]],
  ['a text begins later', { index: 0 }, { index: 0, text: 'b' }, [{ index: 0, text: 'b' }]],
  [
    'another place is another entry',
    { index: 0, text: 'a' },
    { index: 1, text: 'b' },
    [
      { index: 0, text: 'a' },
      { index: 1, text: 'b' },
    ],
  ],
  [
    'another type is another entry',
    { index: 0, type: 'x', text: 'a' },
    { index: 0, type: 'y', text: 'b' },
    [
      { index: 0, type: 'x', text: 'a' },
      { index: 0, type: 'y', text: 'b' },
    ],
  ],
  ['without a place each is an entry', { text: 'a' }, { text: 'b' }, [{ text: 'a' }, { text: 'b' }]],
  ['a text is an entry', { index: 0 }, 'b', [{ index: 0 }, 'b']],
  ['an entry follows a text', 'a', { index: 0 }, ['a', { index: 0 }]],
  ['an entry follows null', null, { index: 0 }, [null, { index: 0 }]],
])('in a list %s', (_, first, second, list) => {
  expect(add({ list: [first] }, { list: [second] })).toStrictEqual({ list })
  expect(add({ list: [first, second] })).toStrictEqual({ list })
})

// LiteLLM: BerriAI/litellm#29428, and #31022, since which a block comes whole
const thinks = (thinking: string, signature?: string | null) => ({ type: 'thinking', thinking, signature })
it.each<[string, object[], object[]]>([
  [
    'in pieces',
    [thinks('Step 1. ', ''), thinks('Step 2.', ''), thinks('', 'sig')],
    [thinks('Step 1. Step 2.', 'sig')],
  ],
  ['with null for what is missing', [thinks('Hm', null), thinks('', 'sig')], [thinks('Hm', 'sig')]],
  ['whole at the end', [thinks('H', ''), thinks('m', ''), thinks('Hm', 'sig')], [thinks('Hm', 'sig')]],
  ['without text', [thinks('', 'sig')], [thinks('', 'sig')]],
  [
    'twice, with one that is sealed between them',
    [
      thinks('a', ''),
      thinks('', 's1'),
      { type: 'redacted_thinking', data: 'x' },
      thinks('b', ''),
      thinks('', 's2'),
    ],
    [thinks('a', 's1'), { type: 'redacted_thinking', data: 'x' }, thinks('b', 's2')],
  ],
])('thinking that comes %s is put together with its signature', (_, pieces, blocks) => {
  const chunks = pieces.map((piece) => ({
    thinking_blocks: [piece],
    provider_specific_fields: { thinking_blocks: [piece] },
  }))
  expect(add(...chunks)).toEqual({
    thinking_blocks: blocks,
    provider_specific_fields: { thinking_blocks: blocks },
  })
})

it('a piece continues the last entry only', () => {
  const [zero, one] = [
    { index: 0, text: 'a' },
    { index: 1, text: 'b' },
  ]
  expect(add({ list: [zero, one] }, { list: [zero] })).toEqual({ list: [zero, one, zero] })
  expect(add({ list: [zero, one] }, { list: [one] })).toEqual({ list: [zero, { index: 1, text: 'bb' }] })
})

it('a chunk stays as the server sent it', () => {
  const chunk = { list: [{ index: 0, text: 'a' }], more: { a: 1 } }
  add(chunk, { list: [{ index: 0, text: 'b' }], more: { b: 1 } })
  expect(chunk).toEqual({ list: [{ index: 0, text: 'a' }], more: { a: 1 } })
})
