import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import type { Table } from '../platform/dynamodb/table.ts'
import { conversationFiles } from './conversation-files.ts'

const file = {
  name: 'a.txt',
  type: 'text/plain',
  size: 1,
  state: 'ready',
  created_at: '2026-03-01T10:00:00.000Z',
}

/** A table that gives so many of the keys that one request names. */
function throttled(most: number) {
  const asked: number[] = []
  const send = async (command: unknown) => {
    if (!(command instanceof BatchGetCommand)) throw new Error('not expected')
    const { RequestItems = {} }: BatchGetCommandInput = command.input
    const keys = RequestItems['table']?.Keys ?? []
    asked.push(keys.length)
    const items = keys.slice(0, most).map((key) => ({ ...file, id: String(key['SK']).slice('A#'.length) }))
    const left = keys.slice(most)
    return { Responses: { table: items }, UnprocessedKeys: left.length > 0 ? { table: { Keys: left } } : {} }
  }
  return { asked, table: { name: 'table', client: { send: send as Table['client']['send'] } } }
}

it('asks again, after a pause, for the files that a throttled table left out', async () => {
  const { asked, table } = throttled(2)
  const started = performance.now()
  const found = await conversationFiles(table).findMany('ann', ['a', 'b', 'c', 'd', 'e'])
  expect([...found.keys()]).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(asked).toEqual([5, 3, 1])
  expect(performance.now() - started).toBeGreaterThanOrEqual(140)
})

it('gives up on a table that gives nothing', async () => {
  const { asked, table } = throttled(0)
  const found = conversationFiles(table).findMany('ann', ['a'])
  await expect(found).rejects.toThrow('the table did not give 1 files')
  expect(asked).toHaveLength(7)
}, 20_000)

it('reads more than a request takes without a pause', async () => {
  const { asked, table } = throttled(100)
  const ids = Array.from({ length: 250 }, (_, n) => `f${n}`)
  expect((await conversationFiles(table).findMany('ann', [...ids, 'f0'])).size).toBe(250)
  expect(asked).toEqual([100, 100, 50])
})
