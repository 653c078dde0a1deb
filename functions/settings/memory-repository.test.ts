import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { maxMemories, maxMemoryCharacters } from '#shared/limits.ts'
import { openTestTable } from '../../test/support/table.ts'
import { createMemoryId, memoryRepository, type MemoryRepository } from './memory-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
let memories: MemoryRepository
beforeAll(async () => {
  table = await openTestTable()
  memories = memoryRepository(table)
})
afterAll(() => table.close())
afterEach(() => vi.useRealTimers())

const newSub = () => crypto.randomUUID()
const add = (sub: string, text: string, id = createMemoryId()) => memories.add(sub, { id, text })
const listTexts = async (sub: string) => (await memories.list(sub)).map(({ text }) => text)

it('lists memories oldest first, each cleaned to one line', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T09:00:00Z') })
  const sub = newSub()
  expect(await memories.list(sub)).toEqual([])
  const first = await add(sub, '  Lives in\n Oslo \u202Egnp.exe ', '0000000f')
  expect(first).toEqual({
    id: '0000000f',
    text: 'Lives in Oslo gnp.exe',
    version: 1,
    created_at: '2026-11-20T09:00:00.000Z',
  })
  vi.setSystemTime(Date.parse('2026-11-20T09:00:01Z'))
  await add(sub, 'Has two cats 👩‍👩‍👧', '0000000a')
  expect(await listTexts(sub)).toEqual(['Lives in Oslo gnp.exe', 'Has two cats 👩‍👩‍👧'])
  expect(await memories.list(newSub())).toEqual([])
})

it('a repeated addition changes nothing, and an id cannot be reused for another text', async () => {
  const sub = newSub()
  const memory = await add(sub, 'Tea, not coffee', '00000001')
  expect(await add(sub, 'Tea, not coffee', '00000001')).toEqual(memory)
  await expect(add(sub, 'Coffee', '00000001')).rejects.toMatchObject({ code: 'memory_changed', status: 409 })
  await expect(add(sub, ' \u200B ')).rejects.toMatchObject({ code: 'bad_request' })
  expect(await listTexts(sub)).toEqual(['Tea, not coffee'])
})

it('concurrent additions are all stored, up to the limit', async () => {
  const sub = newSub()
  const entries = Array.from({ length: maxMemories - 2 }, (_, n) => [
    n.toString(16).padStart(8, '0'),
    { text: '語'.repeat(maxMemoryCharacters), version: 1, created_at: '2026-11-20T09:00:00Z' },
  ])
  await Promise.all([add(sub, 'a', 'aaaaaaaa'), add(sub, 'b', 'bbbbbbbb')])
  expect((await listTexts(sub)).toSorted()).toEqual(['a', 'b'])
  const Item = { PK: `U#${sub}`, SK: 'MEMORIES', memories: Object.fromEntries(entries) as object }
  await table.client.send(new PutCommand({ TableName: table.name, Item }))
  const results = await Promise.allSettled(['c', 'd', 'e', 'f'].map((text) => add(sub, text)))
  const refusals = results.filter(({ status }) => status === 'rejected')
  expect(refusals).toHaveLength(2)
  for (const one of refusals)
    expect((one as PromiseRejectedResult).reason).toMatchObject({ code: 'too_many_memories', status: 409 })
  expect(await memories.list(sub)).toHaveLength(maxMemories)
})

it('the second of two concurrent edits is refused, and other entries can still be edited', async () => {
  const sub = newSub()
  const { id } = await add(sub, 'Tea')
  const other = await add(sub, 'Oslo')
  const edited = await memories.update(sub, id, { text: 'Green tea', version: 1 })
  expect(edited).toMatchObject({ id, text: 'Green tea', version: 2 })
  // a request whose response was lost, sent again
  expect(await memories.update(sub, id, { text: 'Green tea', version: 1 })).toEqual(edited)
  await expect(memories.update(sub, id, { text: 'Black tea', version: 1 })).rejects.toMatchObject({
    code: 'memory_changed',
  })
  await memories.update(sub, other.id, { text: 'Bergen', version: 1 })
  expect((await listTexts(sub)).toSorted()).toEqual(['Bergen', 'Green tea'])
})

it('deletes one or all; a deleted memory cannot be edited, but can be added again under its id', async () => {
  const sub = newSub()
  const { id } = await add(sub, 'Tea')
  await add(sub, 'Oslo')
  await memories.remove(sub, id)
  await memories.remove(sub, id)
  await expect(memories.update(sub, id, { text: 'x', version: 1 })).rejects.toMatchObject({
    code: 'memory_not_found',
    status: 404,
  })
  expect(await listTexts(sub)).toEqual(['Oslo'])
  await add(sub, 'Tea', id)
  expect((await listTexts(sub)).toSorted()).toEqual(['Oslo', 'Tea'])
  await memories.clear(sub)
  await memories.clear(sub)
  await memories.remove(sub, id)
  expect(await memories.list(sub)).toEqual([])
})

it('DEC-186 a reply whose run is gone does not restore the row of an erased user', async () => {
  const sub = newSub()
  await add(sub, 'Lives in Oslo')
  const run = new AbortController()
  await memories.clear(sub)
  run.abort(new Error('the run is gone'))
  const lateAddition = memories.add(sub, { id: createMemoryId(), text: 'Has two cats' }, run.signal)
  await expect(lateAddition).rejects.toThrow('the run is gone')
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK: `U#${sub}`, SK: 'MEMORIES' }, ConsistentRead: true }),
  )
  expect(Item).toBeUndefined()
})
