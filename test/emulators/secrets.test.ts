import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startSecretsEmulator } from '../../infra/local/emulators/secrets.ts'
import type { LocalServer } from '../../infra/local/listen.ts'
import { testCredentials } from '../support/credentials.ts'

let dataDir: string
let emulator: LocalServer
let client: SecretsManagerClient

async function start() {
  emulator = await startSecretsEmulator({ dataDir, region: 'us-east-1', credentials: testCredentials })
  client = new SecretsManagerClient({
    endpoint: emulator.url,
    region: 'us-east-1',
    credentials: testCredentials,
  })
}

async function stop() {
  client.destroy()
  await emulator.close()
}

const create = (Name: string, SecretString = 'one') =>
  client.send(new CreateSecretCommand({ Name, SecretString }))
const read = (SecretId: string, VersionStage?: string) =>
  client.send(new GetSecretValueCommand({ SecretId, ...(VersionStage ? { VersionStage } : {}) }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juno-secrets-'))
  await start()
})

afterEach(async () => {
  vi.useRealTimers()
  await stop()
  await rm(dataDir, { recursive: true })
})

it('stores a secret and reads it by name and by ARN', async () => {
  const { ARN } = await create('juno/model-key', 'sk-1')
  expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:\d{12}:secret:juno\/model-key-\w{6}$/)
  expect(await read('juno/model-key')).toMatchObject({
    Name: 'juno/model-key',
    SecretString: 'sk-1',
    VersionStages: ['AWSCURRENT'],
  })
  expect((await read(ARN ?? '')).SecretString).toBe('sk-1')
  const { CreatedDate } = await client.send(new DescribeSecretCommand({ SecretId: 'juno/model-key' }))
  expect(CreatedDate).toBeInstanceOf(Date)
})

it('keeps the current and the previous value', async () => {
  await create('a', 'one')
  for (const SecretString of ['two', 'three'])
    await client.send(new PutSecretValueCommand({ SecretId: 'a', SecretString }))
  expect((await read('a')).SecretString).toBe('three')
  expect((await read('a', 'AWSPREVIOUS')).SecretString).toBe('two')
})

it('accepts a repeated put with the same token once and refuses another value for it', async () => {
  await create('a', 'one')
  const ClientRequestToken = 'b3f0c2de-0000-4000-8000-000000000001'
  const put = (SecretString: string) =>
    client.send(new PutSecretValueCommand({ SecretId: 'a', SecretString, ClientRequestToken }))
  expect((await put('two')).VersionId).toBe(ClientRequestToken)
  await put('two')
  expect((await read('a', 'AWSPREVIOUS')).SecretString).toBe('one')
  await expect(put('other')).rejects.toMatchObject({ name: 'ResourceExistsException' })
})

it('refuses missing, existing and invalid names with the service’s errors', async () => {
  await expect(read('nothing')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: "Secrets Manager can't find the specified secret.",
  })
  await create('a')
  await expect(create('a')).rejects.toMatchObject({
    name: 'ResourceExistsException',
    message: 'The operation failed because the secret a already exists.',
  })
  await expect(create('bad name')).rejects.toMatchObject({ name: 'ValidationException' })
  await expect(read('__proto__')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

it('marks a secret for deletion and refuses it from then on', async () => {
  await create('a')
  await client.send(new DeleteSecretCommand({ SecretId: 'a' }))
  await expect(read('a')).rejects.toMatchObject({
    name: 'InvalidRequestException',
    message: expect.stringContaining('marked for deletion') as string,
  })
  await expect(create('a')).rejects.toMatchObject({ name: 'InvalidRequestException' })
  const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId: 'a' }))
  expect(DeletedDate).toBeInstanceOf(Date)
})

/** Stops the clock, that many seconds from now. */
const advanceClock = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })

it('deletes a secret when its recovery window is over', async () => {
  await create('a')
  await client.send(new DeleteSecretCommand({ SecretId: 'a', RecoveryWindowInDays: 7 }))
  advanceClock(7 * 86_400 - 60)
  await expect(create('a')).rejects.toMatchObject({ name: 'InvalidRequestException' })
  advanceClock(120)
  await expect(read('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  await create('a')
})

it('deletes by force: the value at once, the name a little later, which then has another ARN', async () => {
  advanceClock(0)
  const first = await create('a')
  const forcedDeletion = new DeleteSecretCommand({ SecretId: 'a', ForceDeleteWithoutRecovery: true })
  await client.send(forcedDeletion)
  await client.send(forcedDeletion)
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('"value"')
  await expect(read('a')).rejects.toMatchObject({ name: 'InvalidRequestException' })
  await expect(create('a')).rejects.toMatchObject({
    name: 'InvalidRequestException',
    message: expect.stringContaining('already scheduled for deletion') as string,
  })
  advanceClock(5)
  await expect(read('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  const second = await create('a')
  expect(second.ARN).not.toBe(first.ARN)
})

it('accepts a forced deletion of a missing secret', async () => {
  const forcedDeletion = new DeleteSecretCommand({ SecretId: 'never', ForceDeleteWithoutRecovery: true })
  expect(await client.send(forcedDeletion)).toMatchObject({ Name: 'never' })
})

it('keeps values across a restart in a file that only its owner may read', async () => {
  await create('a', 'kept')
  await stop()
  await start()
  expect((await read('a')).SecretString).toBe('kept')
  const files = await readdir(dataDir)
  expect(files).toEqual(['secrets.json'])
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

it('keeps every value of parallel writes', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `many/${n}`)
  await Promise.all(names.map((name) => create(name, name)))
  await stop()
  await start()
  const values = await Promise.all(names.map(async (name) => (await read(name)).SecretString))
  expect(values).toEqual(names)
})

it('lists secrets by the prefix of their names, page by page, without values', async () => {
  for (const name of ['stage/vault/a', 'stage/vault/b', 'stage/vault/c', 'stage/other', 'x/stage/vault/d'])
    await create(name)
  await client.send(new DeleteSecretCommand({ SecretId: 'stage/vault/b', ForceDeleteWithoutRecovery: true }))
  const page = (NextToken?: string) =>
    client.send(
      new ListSecretsCommand({
        Filters: [{ Key: 'name', Values: ['stage/vault/'] }],
        MaxResults: 1,
        ...(NextToken && { NextToken }),
      }),
    )
  const first = await page()
  expect(first.SecretList).toMatchObject([{ Name: 'stage/vault/a' }])
  expect(first.SecretList?.[0]?.CreatedDate).toBeInstanceOf(Date)
  const second = await page(first.NextToken)
  expect(second.SecretList).toMatchObject([{ Name: 'stage/vault/c' }])
  expect(second.NextToken).toBeUndefined()
  expect(JSON.stringify([first.SecretList, second.SecretList])).not.toContain('one')
  await expect(
    client.send(new ListSecretsCommand({ Filters: [{ Key: 'tag-key', Values: ['a'] }] })),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
})
