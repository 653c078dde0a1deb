import { expect, it } from 'vitest'
import { buildParameters } from './schema.ts'

const schema = {
  type: 'object',
  $defs: { size: { type: 'integer' } },
  properties: {
    id: { type: 'string' },
    limit: { type: 'integer' },
    share: { type: 'number' },
    all: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'integer' } },
    filter: { type: 'object', properties: { max: { type: 'number' }, name: { type: 'string' } } },
    size: { $ref: '#/$defs/size' },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    either: { type: ['string', 'integer'] },
    any: {},
  },
  required: ['id'],
}

// danny-avila/LibreChat#11905, openclaw/openclaw#96716, NVIDIA/NeMo-Agent-Toolkit#1269, ZenRows/zenrows-mcp#23
it.each<[string, object, object]>([
  ['null for what is optional', { limit: null, tags: null, filter: { max: null } }, { filter: {} }],
  ['null where the schema has it', { maybe: null, any: null }, { maybe: null, any: null }],
  [
    'numbers as text',
    { limit: '5', share: '-1.5', size: ' 7 ', maybe: '3' },
    { limit: 5, share: -1.5, size: 7, maybe: 3 },
  ],
  ['truth as text', { all: 'true' }, { all: true }],
  [
    'lists and objects as text',
    { tags: '[1, "2"]', filter: '{"max": "5"}' },
    { tags: [1, 2], filter: { max: 5 } },
  ],
  ['a number where a text is wanted', { id: 12, filter: { name: 3 } }, { id: '12', filter: { name: '3' } }],
  ['a text that may be one', { either: '5' }, { either: '5' }],
])('arguments may have %s', (_, given, input) => {
  expect(buildParameters(schema).check({ id: 'a', ...given })).toEqual({ input: { id: 'a', ...input } })
})

it.each<[object]>([
  [{ id: null }],
  [{ limit: '5.5' }],
  [{ limit: 'five' }],
  [{ limit: '' }],
  [{ all: 'yes' }],
  [{ tags: '[1' }],
  [{ filter: [] }],
])('what is another thing stays one: %j', (given) => {
  expect(buildParameters(schema).check({ id: 'a', ...given })).toMatchObject({
    problem: expect.anything() as unknown,
  })
})

it('numbers that JavaScript cannot hold stay exact', () => {
  const checked = buildParameters(schema).check({ id: 'a', limit: '12345678901234567890' })
  expect(JSON.stringify(checked)).toBe('{"input":{"id":"a","limit":12345678901234567890}}')
})
