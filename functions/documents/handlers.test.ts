import { InvokeCommand, LambdaClient, type InvokeCommandOutput } from '@aws-sdk/client-lambda'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { setUpHandlerTests } from '../../test/support/handler-tests.ts'
import { invokeAs } from '../../test/support/invoke.ts'
import { mockClient } from '../../test/support/mock-client.ts'

const issuer = setUpHandlerTests({
  UPLOADS_BUCKET: 'uploads',
    DOCUMENT_READER_FUNCTION: 'reader',
  DOCUMENT_PARSER_FUNCTION: 'parser',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
})
const { db } = issuer
const lambda = mockClient(LambdaClient)
let handler: typeof import('./handlers.ts').handler
beforeAll(async () => {
  ;({ handler } = await import('./handlers.ts'))
})
beforeEach(() => void lambda.reset())

const body = { file: { id: 'f', name: 'a.pdf' }, analysisType: 'analyze' }

it('has a document read by the parser, counts it, and stores how far it was read', async () => {
  const file = { id: 'f', name: 'a.pdf', type: 'application/pdf', size: 1, state: 'ready' }
  db.on(GetCommand, { Key: { PK: 'U#ann', SK: 'A#f' } }).resolves({
    Item: { ...file, created_at: '2026-03-01T12:00:00.000Z' },
  })
  const Payload = Buffer.from(JSON.stringify({ problem: 'tooSlow' }))
  lambda.on(InvokeCommand).resolves({
    Payload: Object.assign(Payload, { transformToString: () => Payload.toString() }),
  } as unknown as InvokeCommandOutput)
  const response = await invokeAs(issuer, handler, 'documents.analyze', { body })
  expect([response.statusCode, response.body['code']]).toEqual([200, 'too_slow'])
  const [call] = lambda.commandCalls(InvokeCommand)
  expect(call?.args[0].input.FunctionName).toBe('parser')
  expect(JSON.parse(call?.args[0].input.Payload as unknown as string)).toEqual({
    kind: 'pdf',
    url: expect.stringMatching(/^https:\/\/uploads\.s3\.[^/]+\/users\/ann\/f\/original\?/) as string,
  })
  const keys = db.commandCalls(UpdateCommand).map(({ args }) => args[0].input.Key)
  expect(keys).toContainEqual({
    PK: 'RATE#ann',
    SK: expect.stringMatching(/^analyses#/) as string,
  })
  expect(keys).toContainEqual({ PK: 'U#ann', SK: 'A#f' })
})

it('does not read what is no file of the caller', async () => {
  const response = await invokeAs(issuer, handler, 'documents.analyze', { body })
  expect([response.statusCode, response.body['code']]).toEqual([404, 'file_inaccessible'])
  const other = await invokeAs(issuer, handler, 'documents.analyze', { body: { ...body, userId: 'bob' } })
  expect([other.statusCode, other.body['code'], other.body['error']]).toEqual([
    403,
    'other_user',
    'You can only analyse your own files.',
  ])
  expect(lambda.commandCalls(InvokeCommand)).toEqual([])
})
