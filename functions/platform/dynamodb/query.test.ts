import { BatchWriteCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, it, vi } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { deleteRows } from './delete-rows.ts'
import { queryAll } from './query.ts'

vi.mock('../clock.ts', () => ({ wait: async () => undefined }))

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))
const table = { client, name: 'rows' }
const buildKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ PK: 'U#1', SK: `M#${index}` }))

it('continues after each page, even an empty one', async () => {
  const db = mockClient(client)
  db.on(QueryCommand)
    .resolvesOnce({ Items: [{ SK: 'a' }], LastEvaluatedKey: { PK: 'U#1', SK: 'a' } })
    .resolvesOnce({ Items: [], LastEvaluatedKey: { PK: 'U#1', SK: 'b' } })
    .resolvesOnce({ Items: [{ SK: 'c' }] })
  expect(await queryAll(table, { partition: 'U#1', prefix: 'S#' })).toEqual([{ SK: 'a' }, { SK: 'c' }])
  expect(db.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExclusiveStartKey)).toEqual([
    undefined,
    { PK: 'U#1', SK: 'a' },
    { PK: 'U#1', SK: 'b' },
  ])
})

it('deletes 25 rows at a time, and repeats unprocessed ones', async () => {
  const db = mockClient(client)
  const unprocessedRow = { DeleteRequest: { Key: { PK: 'U#1', SK: 'M#3' } } }
  db.on(BatchWriteCommand)
    .resolvesOnce({ UnprocessedItems: { rows: [unprocessedRow] } })
    .resolves({})
  await deleteRows(table, buildKeys(30))
  const batches = db.commandCalls(BatchWriteCommand).map(({ args }) => args[0].input.RequestItems?.['rows'])
  expect(batches.map((batch) => batch?.length)).toEqual([25, 1, 5])
  expect(batches[1]).toEqual([unprocessedRow])
})

it('gives up when the table processes nothing', async () => {
  const db = mockClient(client)
  db.on(BatchWriteCommand).callsFake(({ RequestItems }) => ({ UnprocessedItems: RequestItems }))
  await expect(deleteRows(table, buildKeys(2))).rejects.toThrow('did not accept 2 writes')
  expect(db.commandCalls(BatchWriteCommand)).toHaveLength(8)
})
