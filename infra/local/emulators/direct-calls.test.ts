import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createServer } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { testCredentials } from '../../../test/support/credentials.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { runAs } from '../caller.ts'
import { listen } from '../listen.ts'

// tests `test/support/direct-calls.ts`, a set-up file of this project; tests in test/support belong to the browser project
const table = await openTestTable()
const { url, name: TableName } = table
afterAll(() => table.close())

const key = { PK: 'U#1', SK: 'PROFILE' }
const put = (item: object) => new PutCommand({ TableName, Item: { ...key, ...item } })
const get = new GetCommand({ TableName, Key: key })

const connect = (options: object = {}) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: url,
      region: 'eu-central-1',
      credentials: testCredentials,
      maxAttempts: 1,
      ...options,
    }),
  )

const countSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

it('a call reaches the emulator of this process without a socket', async () => {
  const before = countSockets()
  const client = connect()
  await client.send(put({ text: 'ä 🙂' }))
  expect((await client.send(get)).Item).toEqual({ ...key, text: 'ä 🙂' })
  expect(countSockets()).toBe(before)
})

it('returns a wrong signature and a refused write like over a socket', async () => {
  const clientWithOtherKey = connect({ credentials: { ...testCredentials, secretAccessKey: 'another' } })
  await expect(clientWithOtherKey.send(get)).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  const conditionalPut = new PutCommand({
    ...put({}).input,
    ConditionExpression: 'attribute_not_exists(PK)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  await connect().send(put({ text: 'first' }))
  await expect(connect().send(conditionalPut)).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    $metadata: { httpStatusCode: 400 },
    Item: { text: { S: 'first' } },
  })
})

it('the emulator knows the calling function', async () => {
  const forbiddenWrite = runAs('customMessage', () => connect().send(put({})))
  await expect(forbiddenWrite).rejects.toMatchObject({ name: 'AccessDeniedException' })
})

it('a call fails at its time limit, when it is aborted, and when the emulator is closed', async () => {
  const silentServer = await listen(createServer(() => undefined))
  const client = connect({
    endpoint: silentServer.url,
    requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true },
  })
  await expect(client.send(get)).rejects.toMatchObject({ name: 'TimeoutError' })
  const clientWithoutTimeout = connect({ endpoint: silentServer.url })
  await expect(clientWithoutTimeout.send(get, { abortSignal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  const controller = new AbortController()
  const pendingGet = clientWithoutTimeout.send(get, { abortSignal: controller.signal })
  controller.abort()
  await expect(pendingGet).rejects.toMatchObject({ name: 'AbortError' })
  await silentServer.close()
  await expect(clientWithoutTimeout.send(get)).rejects.toThrow('ECONNREFUSED')
})
