import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { setUpHandlerTests } from '../../test/support/handler-tests.ts'
import { invoke, invokeAs } from '../../test/support/invoke.ts'

const issuer = setUpHandlerTests({
  UPLOADS_BUCKET: 'uploads',
  USER_POOL_ID: 'eu-central-1_test',
  DOCUMENT_READER_FUNCTION: 'reader',
  PRODUCT_VERSION: '1.0.0',
})
const { db } = issuer
let handler: typeof import('./handlers.ts').handler
beforeAll(async () => {
  ;({ handler } = await import('./handlers.ts'))
})
beforeEach(() => void db.on(QueryCommand).resolves({ Items: [] }))

it('INFRA-07 INFRA-15 responds with JSON that no cache may store', async () => {
  const { statusCode, headers, body } = await invokeAs(issuer, handler, 'sessions.list')
  expect([statusCode, body]).toEqual([200, { sessions: [] }])
  expect(headers['cache-control']).toBe('no-store')
})

it('DATA-39 DEC-100 asks the table for the rows of the token’s own user only', async () => {
  await invokeAs(issuer, handler, 'sessions.list')
  const [query, ...others] = db.commandCalls(QueryCommand)
  expect(others).toEqual([])
  expect(query?.args[0].input.ExpressionAttributeValues).toMatchObject({ ':pk': 'U#ann' })
})

it('refuses a request without a token before anything is read', async () => {
  const { statusCode, body } = await invoke(handler, 'sessions.list')
  expect([statusCode, body['code'], body['requestId']]).toEqual([401, 'not_signed_in', 'request-1'])
  expect(db.commandCalls(QueryCommand)).toHaveLength(0)
})

it('counts a change against the budget before making it, and responds with 429 over the budget', async () => {
  db.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: '', $metadata: {} }))
  const params = { sessionId: 'one' }
  const { statusCode, headers } = await invokeAs(issuer, handler, 'sessions.delete', { params })
  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(db.commandCalls(UpdateCommand)).toHaveLength(1)
})

it('does not find a route of another function', async () => {
  expect((await invokeAs(issuer, handler, 'chat.send')).statusCode).toBe(404)
})

it.each(['a#b', 'a'.repeat(2_000)])('does not find an invalid id: %.10s', async (sessionId) => {
  expect((await invokeAs(issuer, handler, 'sessions.read', { params: { sessionId } })).statusCode).toBe(404)
})

it('DEC-106 does not reveal internal errors', async () => {
  db.on(QueryCommand).rejects(new Error('table arn:aws:secret is gone'))
  const { statusCode, body } = await invokeAs(issuer, handler, 'sessions.list')
  expect([statusCode, body['code']]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(body)).not.toContain('arn')
})
