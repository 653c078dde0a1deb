import { expect, it } from 'vitest'
import * as z from 'zod'
import { parseWithoutBadRows } from './bad-rows.ts'
import { capability } from './capability.ts'
import { ProviderError } from './provider-error.ts'

const schema = z.object({
  items: z.array(z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })).default([]) })),
})

it.each([
  ['a row that is fine', [{ id: 'a' }], [{ id: 'a', tags: [] }], 0],
  [
    'a row without its id',
    [{ id: 'a' }, {}, { id: 'c' }],
    [
      { id: 'a', tags: [] },
      { id: 'c', tags: [] },
    ],
    1,
  ],
  ['a part of a row', [{ id: 'a', tags: [{}, { name: 'x' }] }], [{ id: 'a', tags: [{ name: 'x' }] }], 1],
  ['a row and a part of it', [{ tags: [{}] }, { id: 'b' }], [{ id: 'b', tags: [] }], 2],
])('%s', (_, items, read, badRows) => {
  expect(parseWithoutBadRows(schema, { items })).toEqual({ value: { items: read }, badRows })
})

it.each([
  ['something beside the rows', { items: 'none' }],
  ['a row that is none', { items: [null] }],
  ['each row', { items: [{}, {}] }],
  ['no answer', undefined],
])('%s does not fit', (_, body) => {
  expect(() => parseWithoutBadRows(schema, body)).toThrow(z.ZodError)
})

it('cells of a table keep their columns', () => {
  const table = z.object({ values: z.array(z.array(z.string())) })
  expect(() => parseWithoutBadRows(table, { values: [['a', null, 'c']] })).toThrow(z.ZodError)
})

const declare = (writes: boolean) =>
  capability({
    id: 'list',
    name: 'List',
    description: 'Lists.',
    parameters: z.object({}),
    examples: [],
    writes,
    run: async (api) => ({ found: (await api.get(schema, '/items')).items.map(({ id }) => id) }),
  })
const api = { call: async () => ({ items: [{ id: 'a' }, {}] }) }
const { signal } = new AbortController()

it('a result says that rows are missing', async () => {
  expect(await declare(false).run(api, {}, signal)).toEqual({
    found: ['a'],
    leftOut: '1 of what the service sent could not be read',
  })
})

it('a write needs all rows: it may choose the only one', async () => {
  await expect(declare(true).run(api, {}, signal)).rejects.toThrow(ProviderError)
})
