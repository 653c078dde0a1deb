import { expect, it } from 'vitest'
import { formatArray, formatObject, peek } from './json-pieces.ts'

async function* each(...items: unknown[]) {
  yield* items
}

async function readAll<Item>(items: AsyncIterable<Item>) {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const join = async (pieces: AsyncIterable<string>) => (await readAll(pieces)).join('')
const format = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const item = { id: 1, text: 'two\nlines', empty: {}, list: [1, { deep: [] }], left: undefined }

it('pieces are the document that JSON.stringify writes', async () => {
  expect(await join(formatArray(each(item, 'x', null)))).toBe(format([item, 'x', null]))
  expect(await join(formatArray(each()))).toBe(format([]))
  expect(
    await join(formatObject({ a: item, b: '}' }, { calls: each(item, 2), none: each(), left: undefined })),
  ).toBe(format({ a: item, b: '}', calls: [item, 2], none: [] }))
  expect(await join(formatObject({}, { calls: each(1), more: each(2) }))).toBe(
    format({ calls: [1], more: [2] }),
  )
})

it('what has no elements is known before it is written', async () => {
  expect(await peek(each())).toBeUndefined()
  expect(await readAll((await peek(each(1, 2))) ?? each())).toEqual([1, 2])
})
