import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestSecrets } from '../../test/support/secrets.ts'
import { openTestTable } from '../../test/support/table.ts'
import { watchBackends } from '../../test/support/vault-backends.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { toEntryView } from '../registry/entry-view.ts'
import { cleanUp, listConnections } from './list.ts'
import { type IntegrationDeps, openRepositories } from './deps.ts'
import { orderBackends, vault } from './vault/vault.ts'
import { saveCredentials } from './credentials/save.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
let secrets: Awaited<ReturnType<typeof openTestSecrets>>
beforeAll(async () => {
  ;[table, secrets] = await Promise.all([openTestTable(), openTestSecrets()])
})
afterAll(() => Promise.all([table.close(), secrets.close()]))

it('DEC-151 INT-63 a local server from an earlier version is not listed, and the cleanup removes it with its key', async () => {
  const sub = randomUUID()
  const mcpId = 'github-mcp-memory'
  const keySealer = sealer({ read: async () => 'key' }, 'name')
  const vaultWatch = watchBackends(table, { sealer: keySealer, client: secrets.client })
  const entry = toEntryView({
    id: mcpId,
    name: 'Memory',
    description: '',
    provider: 'Model Context Protocol',
    auth_type: 'api_key',
    config: { features: [], popularity: 50, source: 'github' },
    updated_at: '2026-11-20T00:00:00.000Z',
  })
  const stores: IntegrationDeps = {
    ...openRepositories(table),
    sealer: keySealer,
    vault: { ...vault(orderBackends('secrets', vaultWatch.backends), 'vault'), sweep: vaultWatch.sweep },
    registry: { find: async (id) => (id === mcpId ? entry : undefined), get: async () => entry },
    http: {
      request: async () => new Response('{}'),
      text: async () => ({ status: 200, headers: new Headers(), text: '{}' }),
      bytes: async () => ({ status: 200, headers: new Headers(), body: new TextEncoder().encode('{}') }),
      fetch: async () => new Response('{}'),
      check: () => undefined,
      close: async () => undefined,
    },
  }
  // as earlier versions did
  await saveCredentials(stores, sub, { mcpId }, { apiKey: 'k-123' })
  await stores.integrations.connect(
    sub,
    mcpId,
    {
      mcp_name: 'Memory',
      token_status: 'active',
      environment: 'production',
      auth_type: 'api_key',
      provider: 'Model Context Protocol',
      open_url: null,
      parameters: {},
    },
    '2026-11-20T00:00:00.000Z',
  )
  expect(await vaultWatch.listStored('secrets', sub)).toHaveLength(1)

  expect(await listConnections(stores, sub)).toEqual([])
  expect(await cleanUp(stores, sub)).toEqual([mcpId])
  expect(await stores.integrations.list(sub)).toEqual([])
  expect((await stores.credentials.list(sub)).size).toBe(0)
  expect(await vaultWatch.listStored('secrets', sub)).toHaveLength(0)
})
