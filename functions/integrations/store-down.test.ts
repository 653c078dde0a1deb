import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestSecrets } from '../../test/support/secrets.ts'
import { openTestTable } from '../../test/support/table.ts'
import { watchBackends } from '../../test/support/vault-backends.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { toBuiltInEntry } from '../registry/entry-view.ts'
import { connect } from './connect.ts'
import { saveCredentials } from './credentials/save.ts'
import { addCustomTool } from './custom-tools.ts'
import { removeCustomTool } from './remove-custom-tool.ts'
import { disconnect, deleteUserCredentials } from './disconnect.ts'
import { cleanUp, listConnections } from './list.ts'
import { type IntegrationDeps, openRepositories } from './deps.ts'
import { orderBackends, vault } from './vault/vault.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
let secrets: Awaited<ReturnType<typeof openTestSecrets>>
beforeAll(async () => {
  ;[table, secrets] = await Promise.all([openTestTable(), openTestSecrets()])
})
afterAll(() => Promise.all([table.close(), secrets.close()]))

const keySealer = sealer({ read: async () => 'key' }, 'name')
const entries = new Map(builtInProviders.map((provider) => [provider.id, toBuiltInEntry(provider)]))

describe.each(['secrets', 'table'] as const)('a failing vault in the %s', (kind) => {
  let vaultWatch: ReturnType<typeof watchBackends>
  let sub: string
  beforeEach(() => {
    vaultWatch = watchBackends(table, { sealer: keySealer, client: secrets.client })
    sub = randomUUID()
  })
  afterEach(() => {
    vaultWatch.faults.step = undefined
  })
  const listStored = () => vaultWatch.listStored(kind, sub)

  function stores(overrides: Partial<IntegrationDeps> = {}): IntegrationDeps {
    return {
      ...openRepositories(table),
      sealer: keySealer,
      vault: { ...vault(orderBackends(kind, vaultWatch.backends), 'vault'), sweep: vaultWatch.sweep },
      registry: {
        find: async (id) => entries.get(id),
        get: async (id) => entries.get(id) ?? Promise.reject(new Error(id)),
      },
      http: {
        request: async () => new Response('{}'),
        text: async () => ({ status: 200, headers: new Headers(), text: '{}' }),
        bytes: async () => ({ status: 200, headers: new Headers(), body: new TextEncoder().encode('{}') }),
        fetch: async () => new Response('{}'),
        check: () => undefined,
        close: async () => undefined,
      },
      ...overrides,
    }
  }

  const input = {
    mcpId: 'airtable',
    environment: 'production' as const,
    credentials: { accessToken: 'pat-secret' },
    parameters: {},
  }

  it('INT-46 DEC-055 leaves an integration that is listed as invalid', async () => {
    vaultWatch.faults.step = 'put'
    const { row, credential } = await connect(stores(), sub, input)
    expect(credential).toBeUndefined()
    expect(row).toMatchObject({ status: 'connected', token_status: 'invalid' })
    expect(await listConnections(stores(), sub)).toMatchObject([
      { mcp_id: 'airtable', token_status: 'invalid', credential: null, needsAttention: true },
    ])
    vaultWatch.faults.step = undefined
    expect((await connect(stores(), sub, input)).row.token_status).toBe('active')
    expect(await listConnections(stores(), sub)).toMatchObject([{ token_status: 'active' }])
  })

  it('INT-46 deletes a secret whose row could not be written', async () => {
    const { credentials } = stores()
    const failingCredentials = {
      ...credentials,
      replace: () => Promise.reject(new Error('the table is down')),
    }
    const { row } = await connect(stores({ credentials: failingCredentials }), sub, input)
    expect(row.token_status).toBe('invalid')
    expect(await listStored()).toEqual([])
  })

  it.each([
    ['the row may name', () => Promise.reject(new Error('no answer'))],
    ['the row names', undefined],
  ])('keeps a secret that %s when the write had no response', async (_, find) => {
    const { credentials, vault: ownVault } = stores()
    const noResponse = {
      ...credentials,
      replace: async (...input: Parameters<typeof credentials.replace>) => {
        await credentials.replace(...input)
        throw new Error('no answer')
      },
      ...(find && { find }),
    }
    const deps = stores({ credentials: noResponse })
    expect(await saveCredentials(deps, sub, { mcpId: 'airtable' }, input.credentials)).toBeUndefined()
    const { secret_name = '' } = (await credentials.find(sub, 'airtable')) ?? {}
    expect(await ownVault.read(sub, secret_name)).toEqual(input.credentials)
  })

  it('DEC-086 interrupts a disconnect, which the next one finishes', async () => {
    await connect(stores(), sub, input)
    vaultWatch.faults.step = 'remove'
    await expect(disconnect(stores(), sub, 'airtable')).rejects.toThrow('the store is down')
    expect(await listConnections(stores(), sub)).toMatchObject([{ status: 'disconnected' }])
    expect(await listStored()).toHaveLength(1)
    vaultWatch.faults.step = undefined
    expect(await disconnect(stores(), sub, 'airtable')).toEqual({ revoked: false })
    expect(await listStored()).toEqual([])
    expect(await stores().credentials.find(sub, 'airtable')).toBeUndefined()
  })

  it('DEC-086 leaves the remains of an interrupted disconnect or connection to the cleanup', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await connect(stores(), sub, input)
    await connect(stores(), sub, {
      ...input,
      mcpId: 'trello',
      credentials: { apiKey: 'k', apiToken: 't' },
    })
    const notion = { ...input, mcpId: 'notion', credentials: { apiKey: 'ntn-secret' } }
    await connect(stores(), sub, notion)
    await stores().integrations.remove(sub, 'notion')
    vaultWatch.faults.step = 'remove'
    await expect(disconnect(stores(), sub, 'airtable')).rejects.toThrow('the store is down')
    vaultWatch.faults.step = undefined
    // what may still be in progress is not deleted
    expect(await cleanUp(stores(), sub)).toEqual([])
    expect(await listStored()).toHaveLength(3)
    vi.setSystemTime(Date.now() + 600_001)
    expect(await cleanUp(stores(), sub)).toEqual([])
    expect([...(await stores().credentials.list(sub)).keys()]).toEqual(['trello'])
    expect(await listStored()).toEqual([{ apiKey: 'k', apiToken: 't' }])
    expect(await listConnections(stores(), sub)).toMatchObject([
      { mcp_id: 'airtable', status: 'disconnected' },
      { mcp_id: 'trello', status: 'connected' },
    ])
  })

  it('lets an erasure delete everything that integrations and tools store, also after a crash', async () => {
    await connect(stores(), sub, input)
    await connect(stores(), sub, { ...input, mcpId: 'notion', credentials: { apiKey: 'ntn-secret' } })
    await stores().integrations.remove(sub, 'notion')
    const config = { serverUrl: '', apiKey: 'tool-secret', customFields: {} }
    await addCustomTool(stores(), sub, { name: 'Mine', description: '', config })
    const { id } = await addCustomTool(stores(), sub, { name: 'Gone', description: '', config })
    vaultWatch.faults.step = 'remove'
    await expect(removeCustomTool(stores(), sub, id)).rejects.toThrow('the store is down')
    vaultWatch.faults.step = undefined
    expect(await listStored()).toHaveLength(4)
    expect(await deleteUserCredentials(stores(), sub, () => false)).toBe(true)
    expect(await listStored()).toEqual([])
  })

  it('lets an erasure stop between two grants, and continue at the next call', async () => {
    await connect(stores(), sub, input)
    await connect(stores(), sub, { ...input, mcpId: 'notion', credentials: { apiKey: 'ntn-secret' } })
    const listRemaining = async () => [...(await stores().credentials.list(sub)).keys()]
    const isOver = () => true
    expect([await deleteUserCredentials(stores(), sub, isOver), await listRemaining()]).toEqual([
      false,
      ['notion'],
    ])
    expect([await deleteUserCredentials(stores(), sub, isOver), await listRemaining()]).toEqual([false, []])
    expect(await deleteUserCredentials(stores(), sub, isOver)).toBe(true)
    expect(await listStored()).toEqual([])
  })

  it('reads values from the other backend, and removes them there', async () => {
    await connect(stores(), sub, input)
    const otherKind = kind === 'table' ? 'secrets' : 'table'
    const otherConfiguration = {
      ...stores(),
      vault: { ...vault(orderBackends(otherKind, vaultWatch.backends), 'vault'), sweep: vaultWatch.sweep },
    }
    const { secret_name = '' } = (await otherConfiguration.credentials.find(sub, 'airtable')) ?? {}
    expect(await otherConfiguration.vault.read(sub, secret_name)).toEqual(input.credentials)
    await connect(otherConfiguration, sub, { ...input, credentials: { accessToken: 'pat-second' } })
    expect(await listStored()).toEqual([])
    expect(await vaultWatch.listStored(otherKind, sub)).toEqual([{ accessToken: 'pat-second' }])
    await disconnect(otherConfiguration, sub, 'airtable')
    expect(await vaultWatch.listStored(otherKind, sub)).toEqual([])
  })
})

it('DEC-086 the cleanup deletes a value in the table that no row names, but not in its first minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const sub = randomUUID()
  const vaultWatch = watchBackends(table, { sealer: keySealer, client: secrets.client })
  const tableVault = vault(orderBackends('table', vaultWatch.backends), 'vault')
  const namedSecret = await tableVault.store(sub, 'notion', { apiKey: 'named' })
  await tableVault.store(sub, 'notion', { apiKey: 'left alone' })
  const getCutoff = () => new Date(Date.now() - 600_000)
  await vaultWatch.sweep(sub, [namedSecret], getCutoff())
  expect(await vaultWatch.listStored('table', sub)).toHaveLength(2)
  vi.setSystemTime(Date.now() + 600_001)
  await vaultWatch.sweep(randomUUID(), [], getCutoff())
  await vaultWatch.sweep(sub, [namedSecret], getCutoff())
  expect(await vaultWatch.listStored('table', sub)).toEqual([{ apiKey: 'named' }])
})
