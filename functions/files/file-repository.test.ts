import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import { beforeEach, expect, it, vi } from 'vitest'
import { wait } from '../platform/clock.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { fileRepository } from './file-repository.ts'

vi.mock('../platform/clock.ts', () => ({ wait: vi.fn<() => Promise<void>>() }))
beforeEach(() => {
  vi.mocked(wait).mockClear()
})
const listPauses = () => vi.mocked(wait).mock.calls.map(([ms]) => ms)

const file = {
  name: 'a.txt',
  type: 'text/plain',
  size: 1,
  state: 'ready',
  created_at: '2026-03-01T10:00:00.000Z',
}

/** A table that returns only so many items per request. */
function openThrottledTable(itemsPerRequest: number) {
  const requestedCounts: number[] = []
  const send = async (command: unknown) => {
    if (!(command instanceof BatchGetCommand)) throw new Error('not expected')
    const { RequestItems = {} }: BatchGetCommandInput = command.input
    const keys = RequestItems['table']?.Keys ?? []
    requestedCounts.push(keys.length)
    const items = keys
      .slice(0, itemsPerRequest)
      .map((key) => ({ ...file, id: String(key['SK']).slice('A#'.length) }))
    const remainingKeys = keys.slice(itemsPerRequest)
    return {
      Responses: { table: items },
      UnprocessedKeys: remainingKeys.length > 0 ? { table: { Keys: remainingKeys } } : {},
    }
  }
  return { requestedCounts, table: { name: 'table', client: { send: send as Table['client']['send'] } } }
}

it('reads the files that a throttled table left out again, after a pause', async () => {
  const { requestedCounts, table } = openThrottledTable(2)
  const found = await fileRepository(table).findMany('ann', ['a', 'b', 'c', 'd', 'e'])
  expect([...found.keys()]).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(requestedCounts).toEqual([5, 3, 1])
  expect(listPauses()).toEqual([50, 100])
})

it('gives up when the table returns nothing', async () => {
  const { requestedCounts, table } = openThrottledTable(0)
  const found = fileRepository(table).findMany('ann', ['a'])
  await expect(found).rejects.toThrow('the table did not give 1 files')
  expect(requestedCounts).toHaveLength(7)
  expect(listPauses()).toEqual([50, 100, 200, 400, 800, 1_600])
})

it('reads more files than fit into one request without a pause', async () => {
  const { requestedCounts, table } = openThrottledTable(100)
  const ids = Array.from({ length: 250 }, (_, n) => `f${n}`)
  expect((await fileRepository(table).findMany('ann', [...ids, 'f0'])).size).toBe(250)
  expect(requestedCounts).toEqual([100, 100, 50])
  expect(listPauses()).toEqual([])
})
