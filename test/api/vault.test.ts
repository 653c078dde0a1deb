/** @module-tag long */
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialVariables } from '../../infra/local/credentials.ts'
import { listen } from '../../infra/local/listen.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { findOccurrences } from '../support/every-store.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { decideConsent, buildExchange } from '../support/provider-consent.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

const root = join(import.meta.dirname, '../..')
const canaries = {
  key: 'ntn_canary_key_0123456789',
  second: 'ntn_canary_second_0123456789',
  clientSecret: 'canary-client-secret-0123456789',
  tool: 'canary-tool-key-0123456789',
}
type Kind = 'secrets' | 'table'
const otherKind = (kind: Kind): Kind => (kind === 'table' ? 'secrets' : 'table')

let stack: LocalStack
let currentKind: Kind = 'secrets'
let ann: StackUser
beforeAll(async () => {
  stack = await startStack({ env: { RATE_LIMIT_FACTOR: '100', VAULT: currentKind } })
  ann = await stack.newUser({ name: 'Ann' })
})
afterAll(() => stack.stop())

/** Restarts the product with this backend unless it already uses it. */
async function useVault(kind: Kind): Promise<void> {
  if (kind === currentKind) return
  await stack.restart({ VAULT: kind })
  currentKind = kind
}

/** Runs `npm run vault` on the running stack. @returns its output and exit code */
const runVault = (...args: string[]) => run(['--local', ...args], { LOCAL_DATA_DIR: stack.dataDir })

const run = (args: readonly string[], env: Record<string, string>) => runCommand('vault', args, env)

async function runCommand(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [`infra/operate/${name}.ts`, ...args], {
      cwd: root,
      // no file of this machine's user is read
      env: { ...childEnvironment, HOME: stack.dataDir, AWS_EC2_METADATA_DISABLED: 'true', ...env },
    })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

/** The part of CloudFormation that the command calls: the outputs of one stage's stacks. */
async function startCloudFormation(stage: string, outputs: Record<string, string>) {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  )
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const isKnown = new URLSearchParams(body).get('StackName')?.startsWith(`${stage}-`)
      response
        .writeHead(isKnown ? 200 : 400, { 'content-type': 'text/xml' })
        .end(
          isKnown
            ? `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>a</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`
            : '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack does not exist</Message></Error></ErrorResponse>',
        )
    })
  })
  return listen(server)
}

async function countSealedRows(): Promise<number> {
  const table = await openStackTable(stack)
  try {
    return (await table.readRows(ann.sub)).filter(({ SK }) => String(SK).startsWith('V#')).length
  } finally {
    table.close()
  }
}

const findUnsealed = (text: string) => findOccurrences(stack, text)

/** A reply that needs the submitted credential. */
async function searchNotion() {
  const { toolCalls } = await ann.call('chat.send', {
    body: {
      messages: [{ role: 'user', content: 'Search the Notion pages for "Packing"' }],
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
    },
  })
  return toolCalls
}

async function signInAtSlack() {
  const redirectUri = `${stack.origin}/oauth/callback`
  const { authUrl = '' } = await ann.call('oauth.handle', {
    body: {
      action: 'initiate',
      mcpId: 'slack',
      clientId: 'demo',
      clientSecret: canaries.clientSecret,
      environment: 'production',
      redirectUri,
    },
  })
  await ann.call('oauth.handle', { body: buildExchange(await decideConsent(authUrl, 'allow')) })
}

const connectNotion = (apiKey: string) =>
  ann.call('integrations.connect', {
    params: { mcpId: 'notion' },
    body: { credentials: { apiKey }, environment: 'production' },
  })

const addTool = (name: string) =>
  ann.call('customTools.add', {
    body: {
      name,
      description: '',
      config: { serverUrl: 'https://tools.example.org/mcp', apiKey: canaries.tool, customFields: {} },
    },
  })

const successfulSearch = [{ tool: 'notion_search_pages', result: { success: true } }]

/** From Secrets Manager, the default, to the table and back. */
describe.each(['secrets', 'table'] as const)('INFRA-06 with the vault in %s', (kind) => {
  const to = otherKind(kind)
  /** one user's values: two connections and a tool */
  const valueCount = 3

  beforeAll(() => useVault(kind))

  it('a submitted credential is stored there only, never shown, and used', async () => {
    await connectNotion(canaries.key)
    await signInAtSlack()
    await addTool(kind)
    const rows = await countSealedRows()
    expect(rows).toBe(kind === 'table' ? valueCount : 0)
    for (const canary of [canaries.key, canaries.clientSecret, canaries.tool])
      expect(await findUnsealed(canary)).toEqual(kind === 'secrets' ? ['secrets.json'] : [])
    expect(
      await ann.call('credentials.manage', { body: { action: 'retrieve', mcpId: 'notion' } }),
    ).toMatchObject({ credentials: { apiKey: '••••6789' } })
    expect(await searchNotion()).toMatchObject(successfulSearch)
  })

  it('another value replaces the first, which is deleted', async () => {
    await ann.call('credentials.manage', {
      body: { action: 'update', mcpId: 'notion', credentials: { apiKey: canaries.second } },
    })
    expect(await findUnsealed(canaries.key)).toEqual([])
    expect(await findUnsealed(canaries.second)).toEqual(kind === 'secrets' ? ['secrets.json'] : [])
    expect(await countSealedRows()).toBe(kind === 'table' ? valueCount : 0)
  })

  it('nothing is moved before the product stores there itself', async () => {
    const result = await runVault('--to', to)
    expect(result).toMatchObject({ code: 2 })
    expect(result.output).toContain(`First deploy it with -c vault=${to}`)
    expect(await countSealedRows()).toBe(kind === 'table' ? valueCount : 0)
  })

  it('after the switch the old values still work, a dry run counts them, and the move transfers all', async () => {
    await useVault(to)
    expect(await searchNotion()).toMatchObject(successfulSearch)
    const counts = kind === 'secrets' ? 'In secrets: 3. In the table: 0.' : 'In secrets: 0. In the table: 3.'
    expect((await runVault('--to', to, '--dry-run')).output).toBe(
      `${counts} In both: 0. Lost: 0. Not readable: 0.\n`,
    )
    expect(await runVault('--to', to)).toEqual({ code: 0, output: `3 moved to ${to}, 0 left.\n` })
    expect(await runVault('--to', to)).toEqual({ code: 0, output: `0 moved to ${to}, 0 left.\n` })
    expect(await countSealedRows()).toBe(to === 'table' ? valueCount : 0)
    for (const canary of [canaries.second, canaries.clientSecret, canaries.tool])
      expect(await findUnsealed(canary)).toEqual(to === 'secrets' ? ['secrets.json'] : [])
    expect(await searchNotion()).toMatchObject(successfulSearch)
  })

  it('a moved value is deleted for good when its connection ends', async () => {
    await ann.call('integrations.disconnect', { params: { mcpId: 'notion' }, body: {} })
    await ann.call('integrations.disconnect', { params: { mcpId: 'slack' }, body: {} })
    const { tools } = await ann.call('customTools.list')
    for (const { id } of tools) await ann.call('customTools.remove', { params: { toolId: id } })
    for (const canary of [canaries.second, canaries.clientSecret, canaries.tool])
      expect(await findUnsealed(canary)).toEqual([])
    expect(await countSealedRows()).toBe(0)
    expect(await runVault('--sweep')).toEqual({ code: 0, output: '0 removed, 0 left.\n' })
  })
})

it('INFRA-06 after a new line of the sealing key everything is sealed again, and opens without the old line', async () => {
  await useVault('table')
  await connectNotion(canaries.key)
  await signInAtSlack()
  const endpoints = await stack.endpoints()
  const secrets = new SecretsManagerClient({
    endpoint: endpoints.secrets,
    region: 'us-east-1',
    credentials: endpoints.credentials,
  })
  const SecretId = 'juno/local/sealing-key'
  const { SecretString: oldKey = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }))
  const newKey = 'another sealing key for tests, at least 48 characters long'
  const storeKeyLines = (lines: string) =>
    secrets.send(new PutSecretValueCommand({ SecretId, SecretString: lines }))
  await storeKeyLines(`${newKey}\n${oldKey}`)
  // two submitted credentials, and the tokens of the sign-in
  expect(await runVault('--reseal')).toEqual({ code: 0, output: '3 sealed again, 0 left.\n' })
  expect(await runVault('--reseal')).toEqual({ code: 0, output: '0 sealed again, 0 left.\n' })
  await storeKeyLines(newKey)
  secrets.destroy()
  await stack.restart({ VAULT: 'table' })
  expect(await searchNotion()).toMatchObject(successfulSearch)
  const refreshed = await ann.call('oauth.handle', { body: { action: 'refresh', mcpId: 'slack' } })
  expect(refreshed).toMatchObject({ success: true })
})

it(
  'works on a deployed stage by the outputs of its stacks, and says what is missing',
  { tags: 'trial' },
  async () => {
    const { dynamodb, secrets, credentials } = await stack.endpoints()
    const cloudFormation = await startCloudFormation('ada-live', {
      TableName: 'juno-local',
      SealingKeySecret: 'juno/local/sealing-key',
      VaultPrefix: 'juno/local/vault',
      Vault: 'table',
    })
    const withoutRegion = {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    }
    const withoutCredentials = { ...withoutRegion, AWS_REGION: 'us-east-1' }
    const env = { ...withoutCredentials, ...credentialVariables(credentials) }
    try {
      const stageOptions = ['-c', 'assistantName=Ada', '-c', 'stage=live']
      expect(await run(['--to', 'table', ...stageOptions], env)).toEqual({
        code: 0,
        output: '0 moved to table, 0 left.\n',
      })
      expect((await run(['--to', 'secrets', ...stageOptions], env)).output).toContain('with -c vault=secrets')
      expect(await run(['--sweep', ...stageOptions], env)).toMatchObject({ code: 0 })
      expect((await run(['--sweep'], env)).output).toContain(
        'There is no stack juno-dev-data in this account',
      )
      expect((await run(['--sweep', '-c', 'stage=Live'], env)).output).toContain('Context stage must be')
      expect((await run(['--sweep', ...stageOptions], withoutRegion)).output).toContain('Set AWS_REGION')
      expect((await run(['--sweep', ...stageOptions], withoutCredentials)).output).toContain(
        'CredentialsProviderError',
      )
    } finally {
      await cloudFormation.close()
    }
  },
)

it('npm run secret stores, shows and rotates the secrets of a stage, and vault --clear deletes its credentials', async () => {
  const { secrets, credentials } = await stack.endpoints()
  const cloudFormation = await startCloudFormation('ada-live', {
    ModelKeySecret: 'test/model-key',
    SealingKeySecret: 'test/sealing-key',
  })
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    ...credentialVariables(credentials),
  }
  const stage = ['-c', 'assistantName=Ada', '-c', 'stage=live']
  const secret = (...args: string[]) => runCommand('secret', [...args, ...stage], env)
  const file = join(stack.dataDir, 'value.txt')
  const set = async (name: string, value: string) => {
    await writeFile(file, value)
    return secret('set', name, '--file', file)
  }
  try {
    // a secret of the stack is there already; one that only the configuration names is made
    expect(await set('model-key', 'sk-1')).toMatchObject({ code: 2 })
    expect((await set('test/model-key', 'sk-1\n')).output).toContain(
      'Stored as the new secret test/model-key',
    )
    expect((await set('model-key', 'sk-2')).output).toContain('within five minutes')
    expect((await secret('show', 'model-key')).output).toBe('sk-2\n')
    expect((await set('model-key', ' \n')).output).toContain('There is no value')
    // what the functions would refuse is not stored
    for (const [name, value] of [
      ['model-key', 'two\nlines'],
      ['team/apps', '{"gmail": {"clientId": "a"'],
      ['team/apps', '{"gmail": {"clientId": ""}}'],
      ['team/apps', '["gmail"]'],
    ] as const) {
      expect(await set(name, value)).toMatchObject({ code: 2 })
      expect((await set(name, value)).output).toContain('Nothing was stored.')
    }
    expect((await secret('show', 'model-key')).output).toBe('sk-2\n')
    await set('test/sealing-key', 'first')
    expect((await set('sealing-key', 'second')).output).toContain('Use rotate')
    expect(await secret('rotate', 'sealing-key')).toMatchObject({ code: 0 })
    expect((await secret('show', 'sealing-key')).output).toMatch(/^[\w+/=]{64}\nfirst\n$/)
    for (const wrong of [[], ['set'], ['rotate', 'model-key'], ['show', 'model-key', 'more']])
      expect((await secret(...wrong)).output).toContain('npm run secret -- set model-key|<name>')

    await set('ada-live/vault/a/b/c', 'a-key-of-a-user')
    expect((await run(['--clear', ...stage], env)).output).toContain('1 credentials of ada-live would be')
    expect((await run(['--clear', '--yes', ...stage], env)).output).toBe('1 deleted.\n')
    expect(await secret('show', 'ada-live/vault/a/b/c')).toMatchObject({ code: 2 })
  } finally {
    await cloudFormation.close()
  }
})

it.each([
  [[], 'npm run vault -- --to table|secrets'],
  [['--to', 'table', '--sweep'], 'npm run vault -- --to table|secrets'],
  [['--to', 'drawer'], '--to drawer must be table or secrets.'],
  [['--reseal', '--dry-run'], '--reseal has no --dry-run'],
  [['--tp', 'table'], "Unknown option '--tp'"],
])('says what is wrong with %j', async (args, message) => {
  const { code, output } = await runVault(...args)
  expect(code).toBe(2)
  expect(output).toContain(message)
  expect(output).not.toContain(' at ')
})
