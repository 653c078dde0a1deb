import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTestTable } from '../../test/support/table.ts'
import { putRow } from './dynamodb/rows.ts'
import { lastActivity } from './last-activity.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())
const at = (time: string) => Date.parse(time)

it('is the newest hour that any function has noted, and one write an hour', async () => {
  const [one, other] = [lastActivity(table), lastActivity(table)]
  expect(await one.find('ann')).toBeUndefined()
  await one.note('ann', at('2026-11-28T10:59:00Z'))
  await other.note('ann', at('2026-11-28T09:10:00Z'))
  expect(await other.find('ann')).toBe('2026-11-28T10:00:00.000Z')
  const writes = mockClient(DynamoDBDocumentClient)
  writes.on(UpdateCommand).resolves({})
  for (const minute of ['00', '30', '59']) await one.note('ann', at(`2026-11-28T10:${minute}:00Z`))
  expect(writes.commandCalls(UpdateCommand)).toEqual([])
  await one.note('ann', at('2026-11-28T11:00:00Z'))
  expect(writes.commandCalls(UpdateCommand)).toHaveLength(1)
  writes.restore()
})

it.each([undefined, 'noon', Infinity, 1e300])('is not known where the row says %j', async (hour) => {
  await putRow(table, { PK: 'RATE#bo', SK: 'seen', ...(hour !== undefined && { hour: String(hour) }) })
  expect(await lastActivity(table).find('bo')).toBeUndefined()
})

it('keeps nobody out where the table cannot be reached, and tries again', async () => {
  const writes = mockClient(DynamoDBDocumentClient)
  writes.on(UpdateCommand).rejects(new Error('down'))
  writes.on(QueryCommand).rejects(new Error('down'))
  const activity = lastActivity(table)
  for (const _ of [1, 2]) await activity.note('cleo', Date.now())
  expect(writes.commandCalls(UpdateCommand)).toHaveLength(2)
  expect(await activity.find('cleo')).toBeUndefined()
  writes.restore()
})
