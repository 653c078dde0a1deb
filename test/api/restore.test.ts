/** @module-tag long */
import {
  CreateTableCommand,
  DynamoDBClient,
  paginateScan,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const run = promisify(execFile)
const liveTable = 'juno-local'
const restoredTable = 'juno-local-restored'
const region = 'us-east-1'

let stack: LocalStack
let client: DynamoDBClient
let pool: string
beforeAll(async () => {
  stack = await startStack()
  const { dynamodb, credentials } = await stack.endpoints()
  client = new DynamoDBClient({
    endpoint: dynamodb,
    region,
    credentials,
  })
  const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as { userPoolId: string }
  pool = config.userPoolId
})
afterAll(async () => {
  client.destroy()
  await stack.stop()
})

/** Like a restore to this moment: a second table with the current rows. */
async function restoreToNow(): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: restoredTable,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.01 }, { TableName: restoredTable })
  for await (const { Items = [] } of paginateScan({ client }, { TableName: liveTable }))
    for (const Item of Items) await client.send(new PutItemCommand({ TableName: restoredTable, Item }))
}

async function restore(...selection: string[]) {
  const { dynamodb, cognito, credentials } = await stack.endpoints()
  const aws = {
    AWS_REGION: region,
    ...credentialVariables(credentials),
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognito,
  }
  const tables = ['--from', restoredTable, '--to', liveTable, '--pool', pool]
  const { stdout } = await run(process.execPath, ['infra/operate/restore.ts', ...tables, ...selection], {
    env: { ...childEnvironment, ...aws },
  })
  return stdout
}

async function sendMessage(user: StackUser, content: string): Promise<string> {
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', { body: { messages: [{ role: 'user', content }], sessionId } })
  return sessionId
}

const listTitles = async (user: StackUser) =>
  (await user.call('sessions.list')).sessions.map(({ title }) => title).toSorted()

describe('npm run restore', () => {
  it('restores what one user deleted, nothing that was erased, and nobody else’s data', async () => {
    const [ann, ben, eve] = await Promise.all([stack.newUser(), stack.newUser(), stack.newUser()])
    const [rome, oslo] = [await sendMessage(ann, 'Rome'), await sendMessage(ben, 'Oslo')]
    await Promise.all([sendMessage(ann, 'Kyoto'), sendMessage(eve, 'A canary')])
    await restoreToNow()
    await ann.call('sessions.delete', { params: { sessionId: rome } })
    await ben.call('sessions.delete', { params: { sessionId: oslo } })
    await eve.call('account.erase', { body: { confirm: 'DELETE' } })
    await sendMessage(ann, 'Later')

    expect(await restore('--email', ann.email.toUpperCase())).toMatch(/^People: 1\. Rows written: [3-9]\./)
    expect(await listTitles(ann)).toEqual(['Kyoto', 'Later', 'Rome'])
    const { messages } = await ann.call('sessions.read', { params: { sessionId: rome } })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(await listTitles(ben)).toEqual([])

    expect(await restore('--everybody')).toMatch(/^People: 2\./)
    expect(await listTitles(ben)).toEqual(['Oslo'])
    const { Items = [] } = (await paginateScan({ client }, { TableName: liveTable }).next()).value ?? {}
    expect(JSON.stringify(Items)).not.toContain('A canary')
  })

  it('does not undo disconnecting and revoking without --overwrite', async () => {
    const ann = await stack.newUser()
    const PK = { S: `U#${ann.sub}` }
    for (const SK of ['ALLOW#a', 'C#gmail', 'LEDGER#1', 'SHARE#a'])
      await client.send(new PutItemCommand({ TableName: restoredTable, Item: { PK, SK: { S: SK } } }))
    const past = { N: '1' }
    await client.send(
      new PutItemCommand({ TableName: restoredTable, Item: { PK, SK: { S: 'MFA#NEW' }, ttl: past } }),
    )
    expect(await restore('--email', ann.email)).toMatch(/^People: 1\. Rows written: 1\. .* are: 0\.\n$/)
    expect(await restore('--email', ann.email, '--overwrite')).toMatch(/^People: 1\. Rows written: 3\./)
  })

  it.each([
    ['a call that names nobody', [], 'Say whose rows: --email for each person, or --everybody.'],
    ['an unknown address', ['--email', 'no@example.com'], 'has the address no@example.com.'],
    ['both options at once', ['--email', 'a@example.com', '--everybody'], 'Say whose rows'],
  ])('refuses %s', async (_, selection, message) => {
    await expect(restore(...selection)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
  })
})

it('a copy of the data folder has all conversations, files and accounts', { tags: 'trial' }, async () => {
  const ann = await stack.newUser()
  const sessionId = await sendMessage(ann, 'Plan a week in Rome')
  await stack.kill('SIGTERM')
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-copy-'))
  await cp(stack.dataDir, dataDir, { recursive: true })
  const copy = await startStack({ dataDir })
  try {
    const response = await fetch(`${copy.origin}/api/sessions/${sessionId}`, {
      headers: { authorization: `Bearer ${ann.accessToken}` },
    })
    expect(response.status).toBe(200)
    expect(JSON.stringify(await response.json())).toContain('Plan a week in Rome')
  } finally {
    await copy.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
