import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { setUpHandlerTests } from '../../test/support/handler-tests.ts'
import { invokeAs } from '../../test/support/invoke.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { anUnreadableDocument } from '../../test/support/read-documents.ts'

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

it('has a document read in the background, and answers from its row', async () => {
  const read = anUnreadableDocument('f', 'It is locked.')
  db.on(GetCommand, { Key: { PK: 'U#ann', SK: 'A#f' } })
    .resolvesOnce({ Item: { ...read, reader_version: 0 } })
    .resolves({ Item: read })
  lambda.on(InvokeCommand).resolves({ StatusCode: 202 })
  const body = { file: { id: 'f', name: 'a.pdf' }, analysisType: 'analyze' }
  const response = await invokeAs(issuer, handler, 'documents.analyze', { body })
  expect([response.statusCode, response.body['error']]).toEqual([200, 'It is locked.'])
  expect(lambda.commandCalls(InvokeCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { FunctionName: 'reader', InvocationType: 'Event', Payload: JSON.stringify({ sub: 'ann', id: 'f' }) },
  ])
})
