import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider'
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalCredentials } from '../../infra/local/credentials.ts'
import { startDynamoDbEmulator } from '../../infra/local/emulators/dynamodb.ts'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import { testCredentials as credentials } from '../support/credentials.ts'
import { startTestPool, type TestPool } from '../support/cognito-pool.ts'

/*
 * How services with the JSON protocol refuse a signature. Sources: dynalite's index.js, which records DynamoDB's responses, and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */

const region = 'eu-central-1'
let dataDir: string
let pool: TestPool
let closeServices: (() => Promise<void>)[]
/** one harmless call of each service that requires a signature */
let services: Record<string, { url: string; target: string; call(options: CallOptions): Promise<unknown> }>

interface CallOptions {
  credentials?: LocalCredentials
  region?: string
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-signatures-'))
  const dynamodb = await startDynamoDbEmulator({ dataDir, tableName: 'test', credentials, region })
  const secrets = await startSecretsEmulator({ dataDir, region, credentials })
  pool = await startTestPool()
  closeServices = [() => dynamodb.close(), () => secrets.close(), () => pool.remove()]
  const client = (endpoint: string, options: CallOptions) => ({
    endpoint,
    region,
    credentials,
    maxAttempts: 1,
    ...options,
  })
  services = {
    dynamodb: {
      url: dynamodb.url,
      target: 'DynamoDB_20120810.ListTables',
      call: (options) => new DynamoDBClient(client(dynamodb.url, options)).send(new ListTablesCommand({})),
    },
    secrets: {
      url: secrets.url,
      target: 'secretsmanager.ListSecrets',
      call: (options) =>
        new SecretsManagerClient(client(secrets.url, options)).send(new ListSecretsCommand({})),
    },
    cognito: {
      url: pool.url,
      target: 'AWSCognitoIdentityProviderService.ListUsers',
      call: (options) =>
        new CognitoIdentityProviderClient(client(pool.url, options)).send(
          new ListUsersCommand({ UserPoolId: pool.userPoolId }),
        ),
    },
  }
})
afterAll(async () => {
  for (const close of closeServices) await close()
  await rm(dataDir, { recursive: true, force: true })
})

const names = ['dynamodb', 'secrets', 'cognito'] as const
const service = (name: string) => {
  const found = services[name]
  if (!found) throw new Error(name)
  return found
}

it.each(names)('%s accepts requests signed with its credentials', async (name) => {
  await expect(service(name).call({})).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } })
})

it.each(
  names.flatMap(
    (name) =>
      [
        [name, 'a key that is unknown', { accessKeyId: 'ASIASOMEBODYELSE' }, 'UnrecognizedClientException'],
        [name, 'another token', { sessionToken: 'other' }, 'UnrecognizedClientException'],
        [name, 'another secret', { secretAccessKey: 'other' }, 'InvalidSignatureException'],
      ] as const,
  ),
)('%s refuses %s', async (name, _, other, error) => {
  const call = service(name).call({ credentials: { ...credentials, ...other } })
  await expect(call).rejects.toMatchObject({ name: error, $metadata: { httpStatusCode: 400 } })
})

it.each(names)('%s refuses a signature for another region', async (name) => {
  await expect(service(name).call({ region: 'us-west-2' })).rejects.toMatchObject({
    name: 'InvalidSignatureException',
  })
})

const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
const scope = (service: string) =>
  `${credentials.accessKeyId}/${now.slice(0, 8)}/${region}/${service}/aws4_request`

it.each(
  names.flatMap(
    (name) =>
      [
        [name, 'nothing signed', {}, 'MissingAuthenticationTokenException'],
        [name, 'a bearer token', { authorization: 'Bearer x' }, 'MissingAuthenticationTokenException'],
        [
          name,
          'a forged AWS4-HMAC-SHA256 header (M6)',
          { authorization: 'AWS4-HMAC-SHA256 anything' },
          'IncompleteSignatureException',
        ],
        [
          name,
          'a made-up signature of the right key (M6)',
          {
            authorization: `AWS4-HMAC-SHA256 Credential=${scope({ dynamodb: 'dynamodb', secrets: 'secretsmanager', cognito: 'cognito-idp' }[name])}, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
            'x-amz-date': now,
            'x-amz-security-token': credentials.sessionToken,
          },
          'InvalidSignatureException',
        ],
      ] as const,
  ),
)('%s refuses %s', async (name, _, headers, type) => {
  const { url, target } = service(name)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target, ...headers },
    body: '{}',
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    __type: expect.stringMatching(new RegExp(`(^|#)${type}$`)) as string,
  })
})
