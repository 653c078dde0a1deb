import { GetCommand, QueryCommand, UpdateCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

const issuer = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_test'
const db = mockClient(DynamoDBDocumentClient)
let key: CryptoKey
let server: Server
let handler: (event: APIGatewayProxyEvent, context: Context) => Promise<Answer>

interface Answer {
  statusCode: number
  headers: Record<string, string>
  body: string
}

function environment(jwksUri: string) {
  vi.stubEnv('TABLE_NAME', 'table')
  vi.stubEnv('TOKEN_ISSUER', issuer)
  vi.stubEnv('JWKS_URI', jwksUri)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('LOG_LEVEL', 'silent')
}

beforeAll(async () => {
  const pair = await generateKeyPair('RS256')
  key = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' }
  server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  environment(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  ;({ handler } = (await import('../sessions/handlers.ts')) as unknown as { handler: typeof handler })
})
afterAll(() => server.close())
beforeEach(() => {
  environment('http://127.0.0.1:9/')
  db.reset()
  db.on(GetCommand).resolves({})
  db.on(GetCommand, { Key: { PK: 'CONF', SK: 'SITE' } }).resolves({
    Item: { origin: 'https://juno.example', clientId: 'client' },
  })
  db.on(UpdateCommand).resolves({})
  db.on(QueryCommand).resolves({ Items: [] })
})

async function token() {
  const claims = { token_use: 'access', client_id: 'client', scope: 'aws.cognito.signin.user.admin' }
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).setSubject('ann')
  return jwt.setIssuer(issuer).setIssuedAt().setExpirationTime('5m').sign(key)
}

async function call(httpMethod: string, resource: string, changes: Partial<APIGatewayProxyEvent> = {}) {
  const event = {
    httpMethod,
    resource,
    headers: { Authorization: `Bearer ${await token()}` },
    queryStringParameters: null,
    pathParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' },
    ...changes,
  } as unknown as APIGatewayProxyEvent
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 } as Context)
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> }
}

it('INFRA-07 INFRA-15 answers a route with its JSON, stored by no cache', async () => {
  const { statusCode, headers, body } = await call('GET', '/api/sessions')
  expect([statusCode, body]).toEqual([200, { sessions: [] }])
  expect(headers['cache-control']).toBe('no-store')
})

it('DEC-100 asks the table for the rows of the token’s own user only', async () => {
  await call('GET', '/api/sessions')
  expect(db.commandCalls(QueryCommand)[0]?.args[0].input.ExpressionAttributeValues).toMatchObject({
    ':pk': 'U#ann',
  })
})

it('AUTH-22 refuses a visitor before anything is read', async () => {
  const { statusCode, body } = await call('GET', '/api/sessions', { headers: {} })
  expect([statusCode, body['code'], body['requestId']]).toEqual([401, 'not_signed_in', 'request-1'])
  expect(db.commandCalls(QueryCommand)).toHaveLength(0)
})

it('counts a change against the budget before it is made, and answers 429 over it', async () => {
  db.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: '', $metadata: {} }))
  const { statusCode, headers } = await call('DELETE', '/api/sessions/{sessionId}', {
    pathParameters: { sessionId: 'one' },
  })
  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(db.commandCalls(UpdateCommand)).toHaveLength(1)
})

it.each([
  ['a route of another function', 'POST', '/functions/v1/chat-openai', null],
  ['an id that can be none', 'GET', '/api/sessions/{sessionId}', { sessionId: 'a#b' }],
  ['an id of 2,000 characters', 'GET', '/api/sessions/{sessionId}', { sessionId: 'a'.repeat(2_000) }],
])('does not find %s', async (_, method, resource, pathParameters) => {
  expect((await call(method, resource, { pathParameters })).statusCode).toBe(404)
})

it('DEC-106 tells nothing of a fault of ours', async () => {
  db.on(QueryCommand).rejects(new Error('table arn:aws:secret is gone'))
  const { statusCode, body } = await call('GET', '/api/sessions')
  expect([statusCode, body['code']]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(body)).not.toContain('arn')
})
