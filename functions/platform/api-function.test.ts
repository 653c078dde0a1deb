import { chatContracts } from '#shared/contracts/routes/chat.ts'
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { proxyEventOf, startTestIssuer, testContext } from '../../test/support/invoke.ts'
import type { ApiHandlers } from './api-function.ts'

let issuer: Awaited<ReturnType<typeof startTestIssuer>>
beforeAll(async () => {
  issuer = await startTestIssuer()
})
afterAll(() => issuer.close())

it('INFRA-08 a streaming function lives until its work is over, although its reader has left', async () => {
  for (const [name, value] of Object.entries({
    ...issuer.environment,
    TABLE_NAME: 'table',
    AWS_REGION: 'eu-central-1',
    LOG_LEVEL: 'silent',
  }))
    vi.stubEnv(name, value)
  const db = mockClient(DynamoDBDocumentClient)
  db.on(GetCommand).resolves({})
  db.on(GetCommand, { Key: { PK: 'CONF', SK: 'SITE' } }).resolves({
    Item: { origin: 'https://juno.example', clientId: issuer.clientId },
  })
  db.on(UpdateCommand).resolves({})
  vi.stubGlobal('awslambda', {
    streamifyResponse: <Handler>(streaming: Handler) => streaming,
    HttpResponseStream: { from: <Stream>(stream: Stream) => stream },
  })
  const { apiFunction, StreamedAnswer } = await import('./api-function.ts')
  const work = Promise.withResolvers<void>()
  async function* chunks() {
    for (;;) {
      yield 'more'
      await new Promise(setImmediate)
    }
  }
  const answer = async () => new StreamedAnswer({ headers: {}, chunks: chunks(), finished: work.promise })
  const streaming = apiFunction('chat', chatContracts, {
    'runs.events': answer,
  } as unknown as ApiHandlers<'chat'>) as unknown as (...parameters: unknown[]) => Promise<void>
  const left = new Writable({
    write(chunk: Buffer, _, done) {
      done(chunk.length > 0 ? new Error('the reader has left') : null)
    },
  })
  left.on('error', () => undefined)
  const headers = { Authorization: `Bearer ${await issuer.token('ann')}` }
  const event = proxyEventOf('runs.events', { params: { sessionId: 'one' }, headers })
  let ended = false
  const invocation = streaming(event, left, testContext).then(
    () => (ended = true),
    () => (ended = true),
  )
  await vi.waitUntil(() => left.destroyed)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
  expect(ended).toBe(false)
  work.resolve()
  await invocation
})
