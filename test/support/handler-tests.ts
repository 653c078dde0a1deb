import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { startTestIssuer } from './invoke.ts'
import { mockClient } from './mock-client.ts'

/**
 * Sets up the tests of a file about handlers: tokens of the test issuer are accepted, and the table, a mock, has no row but the site's.
 * @param variables of the function, besides those that all have
 * @returns `siteRow`: the row that handlers read before they accept a token
 */
export function setUpHandlerTests(variables: Record<string, string> = {}) {
  const db = mockClient(DynamoDBDocumentClient)
  let issuer: Awaited<ReturnType<typeof startTestIssuer>>
  const stubEnvironment = () => {
    const all = {
      ...issuer.environment,
      TABLE_NAME: 'table',
      AWS_REGION: 'eu-central-1',
      LOG_LEVEL: 'silent',
    }
    for (const [name, value] of Object.entries({ ...all, ...variables })) vi.stubEnv(name, value)
  }
  const siteRow = () => ({ Item: { origin: 'https://juno.example', clientId: issuer.clientId } })
  beforeAll(async () => {
    issuer = await startTestIssuer()
    // handlers read it when they load
    stubEnvironment()
  })
  afterAll(() => issuer.close())
  beforeEach(() => {
    stubEnvironment()
    db.reset()
    db.on(GetCommand).resolves({})
    db.on(GetCommand, { Key: { PK: 'CONF', SK: 'SITE' } }).resolves(siteRow())
    db.on(UpdateCommand).resolves({})
  })
  const token: typeof issuer.token = (...input) => issuer.token(...input)
  return { db, siteRow, token }
}
