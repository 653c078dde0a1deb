import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { batchedReads } from './batched-reads.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
  for (const SK of ['1', '2'])
    await table.client.send(new PutCommand({ TableName: table.name, Item: { PK: 'a', SK, is: `row ${SK}` } }))
})
afterAll(() => table.close())

/** Opens the table, recording its requests; `responders` make its first responses. */
function openRecordingTable(...responders: (() => Promise<unknown>)[]) {
  const requests: [string, unknown][] = []
  const send = (command: { constructor: { name: string }; input: unknown }) => {
    requests.push([command.constructor.name, command.input])
    const respond = responders.shift()
    return respond ? respond() : table.client.send(command as unknown as GetCommand)
  }
  const { client } = batchedReads({ client: { send: send as typeof table.client.send }, name: table.name })
  const get = (SK: string, more: object = { ConsistentRead: true }) =>
    client.send(new GetCommand({ TableName: table.name, Key: { PK: 'a', SK }, ...more }))
  return { get, listNames: () => requests.map(([name]) => name), requests }
}

it('combines simultaneous reads into one request, and returns each its own row', async () => {
  const { get, requests } = openRecordingTable()
  const rows = await Promise.all([get('2'), get('none'), get('1'), get('2')])
  expect(rows.map(({ Item }) => Item?.['is'])).toEqual(['row 2', undefined, 'row 1', 'row 2'])
  expect(requests).toEqual([
    [
      'BatchGetCommand',
      {
        RequestItems: {
          [table.name]: {
            Keys: ['2', 'none', '1'].map((SK) => ({ PK: 'a', SK })),
            ConsistentRead: true,
          },
        },
      },
    ],
  ])
})

it('leaves single reads and reads with other options unchanged', async () => {
  const { get, listNames } = openRecordingTable()
  expect((await get('1')).Item).toMatchObject({ is: 'row 1' })
  await Promise.all([get('1'), get('2', {}), get('2', { ConsistentRead: true, ProjectionExpression: 'PK' })])
  expect(listNames()).toEqual(['GetCommand', 'GetCommand', 'GetCommand', 'GetCommand'])
})

it('splits more reads than fit into one request', async () => {
  const { get, listNames } = openRecordingTable()
  const rows = await Promise.all(Array.from({ length: 150 }, (_, index) => get(String(index))))
  expect(rows.filter(({ Item }) => Item)).toHaveLength(2)
  expect(listNames()).toEqual(['BatchGetCommand', 'BatchGetCommand'])
})

it('reads again, one by one, what a throttled table left out', async () => {
  const { get, listNames } = openRecordingTable(async () => ({
    Responses: { [table.name]: [{ PK: 'a', SK: '1', is: 'row 1' }] },
    UnprocessedKeys: { [table.name]: { Keys: [{ PK: 'a', SK: '2' }] } },
  }))
  const rows = await Promise.all([get('1'), get('2')])
  expect(rows.map(({ Item }) => Item?.['is'])).toEqual(['row 1', 'row 2'])
  expect(listNames()).toEqual(['BatchGetCommand', 'GetCommand'])
})

it('reports a failure to every caller, and works again afterwards', async () => {
  const { get } = openRecordingTable(() => Promise.reject(new Error('gone')))
  const [one, other] = await Promise.allSettled([get('1'), get('2')])
  expect([one.status, other.status]).toEqual(['rejected', 'rejected'])
  expect((await get('1')).Item).toMatchObject({ is: 'row 1' })
})
