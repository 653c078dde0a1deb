import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { sealer } from '../platform/seal.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { builtInEntry } from '../registry/entry-view.ts'
import { connect } from './connect.ts'
import { credentialRepository } from './credential-repository.ts'
import { customToolRepository } from './custom-tool-repository.ts'
import { addTool, removeTool } from './custom-tools.ts'
import { disconnect } from './disconnect.ts'
import { forgetUser } from './forget-user.ts'
import { integrationRepository } from './integration-repository.ts'
import { cleanUp, listIntegrations } from './list.ts'
import { oauthStateRepository } from './oauth-state-repository.ts'
import { registeredClientRepository } from './registered-client-repository.ts'
import type { Stores } from './stores.ts'
import { vault } from './vault.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

/** Secrets in memory; the calls that a test names fail. */
const secrets = { held: new Map<string, string>(), failing: '' }
beforeEach(() => {
  secrets.held.clear()
  secrets.failing = ''
})
const client = {
  send: async ({ constructor: { name }, input }: { constructor: { name: string }; input: never }) => {
    if (name.startsWith(secrets.failing) && secrets.failing !== '') throw new Error('the store is down')
    const { Name, SecretId, SecretString } = input as Record<string, string | undefined>
    if (name === 'CreateSecretCommand') secrets.held.set(Name ?? '', SecretString ?? '')
    else if (name === 'DeleteSecretCommand') secrets.held.delete(SecretId ?? '')
    return { SecretString: secrets.held.get(SecretId ?? '') }
  },
} as unknown as SecretsManagerClient

const entries = new Map(builtInProviders.map((provider) => [provider.id, builtInEntry(provider)]))

function stores(over: Partial<Stores> = {}): Stores {
  return {
    integrations: integrationRepository(table),
    credentials: credentialRepository(table),
    tools: customToolRepository(table),
    states: oauthStateRepository(table),
    clients: registeredClientRepository(table),
    sealer: sealer({ read: async () => 'key' }, 'name'),
    vault: vault(client, 'vault'),
    registry: {
      find: async (id) => entries.get(id),
      one: async (id) => entries.get(id) ?? Promise.reject(new Error(id)),
    },
    http: {
      request: async () => new Response('{}'),
      text: async () => ({ status: 200, headers: new Headers(), text: '{}' }),
      fetch: async () => new Response('{}'),
      check: () => undefined,
      close: async () => undefined,
    },
    ...over,
  }
}

const wish = {
  mcpId: 'airtable',
  environment: 'production' as const,
  credentials: { accessToken: 'pat-secret' },
  parameters: {},
}

it('INT-46 DEC-055 a vault that fails leaves an integration that stays listed, and is invalid', async () => {
  secrets.failing = 'Create'
  const { row, credential } = await connect(stores(), 'ann', wish)
  expect(credential).toBeUndefined()
  expect(row).toMatchObject({ status: 'connected', token_status: 'invalid' })
  expect(await listIntegrations(stores(), 'ann')).toMatchObject([
    { mcp_id: 'airtable', token_status: 'invalid', credential: null, needsAttention: true },
  ])
  secrets.failing = ''
  expect((await connect(stores(), 'ann', wish)).row.token_status).toBe('active')
  expect(await listIntegrations(stores(), 'ann')).toMatchObject([{ token_status: 'active' }])
})

it('INT-46 a secret whose row could not be written is deleted again', async () => {
  const { credentials } = stores()
  const failing = { ...credentials, replace: () => Promise.reject(new Error('the table is down')) }
  expect((await connect(stores({ credentials: failing }), 'bob', wish)).row.token_status).toBe('invalid')
  expect(secrets.held.size).toBe(0)
})

it('DEC-086 a disconnect that broke off is finished by the next one; nothing is used meanwhile', async () => {
  await connect(stores(), 'cleo', wish)
  secrets.failing = 'Delete'
  await expect(disconnect(stores(), 'cleo', 'airtable')).rejects.toThrow('the store is down')
  expect(await listIntegrations(stores(), 'cleo')).toMatchObject([{ status: 'disconnected' }])
  expect(secrets.held.size).toBe(1)
  secrets.failing = ''
  expect(await disconnect(stores(), 'cleo', 'airtable')).toEqual({ revoked: false })
  expect(secrets.held.size).toBe(0)
  expect(await stores().credentials.find('cleo', 'airtable')).toBeUndefined()
})

it('DEC-086 the cleanup takes what a disconnect, or a connection, that broke off left behind', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await connect(stores(), 'emil', wish)
  await connect(stores(), 'emil', { ...wish, mcpId: 'trello', credentials: { apiKey: 'k', apiToken: 't' } })
  const notion = { ...wish, mcpId: 'notion', credentials: { apiKey: 'ntn-secret' } }
  await connect(stores(), 'emil', notion)
  await stores().integrations.remove('emil', 'notion')
  secrets.failing = 'Delete'
  await expect(disconnect(stores(), 'emil', 'airtable')).rejects.toThrow('the store is down')
  secrets.failing = ''
  // what is just being made is left alone
  expect(await cleanUp(stores(), 'emil')).toEqual([])
  expect(secrets.held.size).toBe(3)
  vi.setSystemTime(Date.now() + 600_000)
  expect(await cleanUp(stores(), 'emil')).toEqual([])
  expect([...(await stores().credentials.list('emil')).keys()]).toEqual(['trello'])
  expect([...secrets.held.values()]).toEqual(['{"apiKey":"k","apiToken":"t"}'])
  expect(await listIntegrations(stores(), 'emil')).toMatchObject([
    { mcp_id: 'airtable', status: 'disconnected' },
    { mcp_id: 'trello', status: 'connected' },
  ])
})

it('an erasure takes the secrets of integrations and tools along, also those that a crash left alone', async () => {
  await connect(stores(), 'dora', wish)
  await connect(stores(), 'dora', { ...wish, mcpId: 'notion', credentials: { apiKey: 'ntn-secret' } })
  await stores().integrations.remove('dora', 'notion')
  const config = { serverUrl: '', apiKey: 'tool-secret', customFields: {} }
  await addTool(stores(), 'dora', { name: 'Mine', description: '', config })
  const { id } = await addTool(stores(), 'dora', { name: 'Gone', description: '', config })
  secrets.failing = 'Delete'
  await expect(removeTool(stores(), 'dora', id)).rejects.toThrow('the store is down')
  secrets.failing = ''
  expect(secrets.held.size).toBe(4)
  await forgetUser(stores(), 'dora')
  expect(secrets.held.size).toBe(0)
})
