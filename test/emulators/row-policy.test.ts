import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FunctionName, tableAccess } from '../../infra/aws/table-access.ts'
import { runAs } from '../../infra/local/caller.ts'
import { allowsRows } from '../../infra/local/emulators/row-policy.ts'
import { openTestTable } from '../support/table.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
  await put('CONF', 'SITE')
  await put('U#ann', 'PROFILE')
})
afterAll(() => table.close())

const put = (PK: string, SK: string) =>
  table.client.send(new PutCommand({ TableName: 'test', Item: { PK, SK, origin: 'x' } }))
const get = (PK: string, SK = 'SITE') =>
  table.client.send(new GetCommand({ TableName: 'test', Key: { PK, SK } }))
const batchGet = (...keys: string[]) =>
  table.client.send(
    new BatchGetCommand({ RequestItems: { test: { Keys: keys.map((PK) => ({ PK, SK: 'S' })) } } }),
  )
const batchPut = (...keys: string[]) =>
  table.client.send(
    new BatchWriteCommand({
      RequestItems: { test: keys.map((PK) => ({ PutRequest: { Item: { PK, SK: 'S' } } })) },
    }),
  )
const query = (PK: string, name = 'PK') =>
  table.client.send(
    new QueryCommand({
      TableName: 'test',
      KeyConditionExpression: `${name} = :pk AND begins_with(SK, :prefix)`,
      ExpressionAttributeValues: { ':pk': PK, ':prefix': 'P' },
      ...(name.startsWith('#') && { ExpressionAttributeNames: { [name]: 'PK' } }),
    }),
  )
const accessDenied = { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }
const names = Object.keys(tableAccess) as FunctionName[]

it('no function writes the site configuration, with any action (M7)', async () => {
  for (const name of names) {
    await expect(runAs(name, () => put('CONF', 'SITE'))).rejects.toMatchObject(accessDenied)
    await expect(runAs(name, () => batchPut('CONF'))).rejects.toMatchObject(accessDenied)
    const update = { TableName: 'test', Key: { PK: 'CONF', SK: 'SITE' } }
    await expect(runAs(name, () => table.client.send(new UpdateCommand(update)))).rejects.toMatchObject(
      accessDenied,
    )
  }
  expect((await get('CONF')).Item).toMatchObject({ origin: 'x' })
})

it('the document parser reads no row (M7)', async () => {
  for (const PK of ['CONF', 'U#ann', 'RATE#ann', 'OUT#ann', 'E#ann', 'SYNC'])
    await expect(runAs('documentParser', () => get(PK))).rejects.toMatchObject(accessDenied)
})

it('the documents function changes a user’s rows one by one, and reads neither factors by address nor lists (M7)', async () => {
  expect((await runAs('documents', () => get('U#ann', 'PROFILE'))).Item).toBeDefined()
  for (const act of [
    () => get('E#mail', 'OWNER'),
    () => get('REG#1', '0'),
    () => put('U#ann', 'MFA'),
    () => put('OUT#ann', 'OUT'),
    () => query('U#ann'),
  ])
    await expect(runAs('documents', act)).rejects.toMatchObject(accessDenied)
})

it('a request after the handler has ended is still attributed to it', async () => {
  const lateRequest = runAs('documentParser', async () => {
    await new Promise(setImmediate)
    return get('CONF')
  })
  await expect(lateRequest).rejects.toMatchObject(accessDenied)
})

it('a query has the key that it names, a batch all of its keys', async () => {
  await runAs('sessions', () => query('U#ann'))
  await runAs('sessions', () => query('U#ann', '#key'))
  await expect(runAs('sessions', () => query('RATE#ann'))).rejects.toMatchObject(accessDenied)
  await runAs('sessions', () => batchGet('U#ann', 'U#bob'))
  await expect(runAs('sessions', () => batchGet('U#ann', 'CONF'))).rejects.toMatchObject(accessDenied)
  // one statement of chat's role allows all three
  await runAs('chat', () => batchGet('U#ann', 'RATE#ann', 'OUT#ann'))
  // each key may be read by a separate statement, and both together by none
  await expect(runAs('chat', () => batchGet('U#ann', 'REG#1'))).rejects.toMatchObject(accessDenied)
})

it('a scan names no keys, and no function may scan', async () => {
  const scan = () => table.client.send(new ScanCommand({ TableName: 'test' }))
  for (const name of names) await expect(runAs(name, scan)).rejects.toMatchObject(accessDenied)
  expect((await scan()).Count).toBeGreaterThan(0)
})

it('a refusal names the action and the kind of row, but no user', async () => {
  const message = await runAs('registry', () => put('U#ann-secret', 'S')).catch(String)
  expect(message).toContain('assumed-role/registry is not authorized to perform: dynamodb:PutItem')
  expect(message).toContain('U#…')
  expect(message).not.toContain('ann-secret')
})

it('patterns match like IAM’s: a star matches any characters, and nothing else is special', () => {
  const statements = [{ actions: ['GetItem'], partitions: ['U#*', 'CONF'] }] as const
  expect(allowsRows(statements, 'GetItem', ['U#'])).toBe(true)
  expect(allowsRows(statements, 'GetItem', ['U#a\nb'])).toBe(true)
  for (const key of ['CONFX', 'XCONF', 'conf', 'u#a', 'XU#a', 'U'])
    expect(allowsRows(statements, 'GetItem', [key])).toBe(false)
  expect(allowsRows(statements, 'GetItem', [])).toBe(false)
  expect(allowsRows(statements, 'PutItem', ['U#a'])).toBe(false)
})
