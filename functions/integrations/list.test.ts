import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type IntegrationFunctions,
  type IntegrationUser,
  registryEntry,
  startIntegrationFunctions,
} from '../../test/support/integration-functions.ts'
import { buildListVersion } from '../mcp/tool-list-repository.ts'
import { listConnections } from './list.ts'
import { getConnectionVersion } from './store/connection.ts'

let harness: IntegrationFunctions
let user: IntegrationUser
beforeAll(async () => {
  harness = await startIntegrationFunctions({
    registryEntries: ({ url }) => [
      registryEntry('keyed', {
        auth_type: 'api_key',
        config: { remote_url: `${url}/keyed/mcp`, required_credentials: ['X-Api-Key', 'X-Team'] },
      }),
      registryEntry('fake-data', {
        name: 'Fake data',
        auth_type: 'none',
        config: { remote_url: `${url}/fake-data/mcp` },
      }),
    ],
  })
})
afterAll(() => harness.close())

beforeEach(() => {
  user = harness.newUser()
  harness.providers.script('GET /notion/api/users/me', { body: {} })
  harness.providers.script('GET /trello/api/members/me', { body: {} })
  harness.providers.script('GET /stripe/api/customers', { body: {} })
})

const connect = (mcpId: string, credentials: Record<string, string>) =>
  user.call('integrations.connect', { params: { mcpId }, body: { credentials } })
const connectNotion = () => connect('notion', { apiKey: 'ntn_0123456789abcdef' })
const list = async () =>
  (await user.call('integrations.list')).body['integrations'] as Record<string, unknown>[]

describe('the list', () => {
  /** A valid row. */
  const buildRow = (more: object = {}) => ({
    mcp_name: 'Paper',
    status: 'connected',
    token_status: 'active',
    connected_at: '2026-01-01T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    environment: 'production',
    auth_type: 'none',
    provider: 'Paper Inc.',
    open_url: null,
    parameters: {},
    ...more,
  })
  const listIds = async () => (await list()).map(({ mcp_id }) => mcp_id)

  it('is read once when nothing has to be refreshed', async () => {
    await connectNotion()
    const { integrations } = harness.stores
    const listRows = vi.fn<typeof integrations.list>((sub) => integrations.list(sub))
    const deps = { ...harness.stores, integrations: { ...integrations, list: listRows } }
    expect(await listConnections(deps, user.sub)).toHaveLength(1)
    expect(listRows).toHaveBeenCalledTimes(1)
  })

  it('shows that a server did not accept the connection when its tools were listed, until it is connected again', async () => {
    const row = buildRow()
    await user.putRow('I#notes', row)
    const { toolLists } = harness.stores
    const putFailure = (connected_at: string, needsReconnect: boolean) =>
      toolLists.putFailure(user.sub, 'notes', {
        version: buildListVersion({
          version: getConnectionVersion({ connected_at }, undefined),
          url: 'https://notes.example/mcp',
        }),
        atMs: Date.now(),
        needsReconnect,
      })
    const healthy = { token_status: 'active', needsAttention: false, health_status: 'healthy' }
    await putFailure(row.connected_at, false)
    expect(await list()).toMatchObject([healthy])
    await putFailure(row.connected_at, true)
    expect(await list()).toMatchObject([
      { token_status: 'invalid', needsAttention: true, health_status: 'attention' },
    ])
    expect(await user.readConnection('notes')).toMatchObject({ token_status: 'active' })
    await putFailure('2025-01-01T00:00:00.000Z', true)
    expect(await list()).toMatchObject([healthy])
  })

  it('shows the newest connection first', async () => {
    await user.putRow('I#a', buildRow({ connected_at: '2026-01-02T00:00:00.000Z' }))
    await user.putRow('I#b', buildRow({ connected_at: '2026-01-03T00:00:00.000Z' }))
    await user.putRow('I#c', buildRow({ connected_at: '2026-01-01T00:00:00.000Z' }))
    expect(await listIds()).toEqual(['b', 'a', 'c'])
  })

  it('INT-59 INT-61 leaves out incomplete rows and test servers, but no catalogue entry with such a name', async () => {
    await user.putRow('I#nameless', buildRow({ mcp_name: '' }))
    await user.putRow('I#dateless', buildRow({ connected_at: undefined }))
    await user.putRow('I#tried', buildRow({ mcp_name: 'My test server' }))
    await user.putRow('I#fake-data', buildRow({ mcp_name: 'Fake data' }))
    await user.putRow('I#latest', buildRow({ mcp_name: 'Latest news' }))
    expect(new Set(await listIds())).toEqual(new Set(['fake-data', 'latest']))
  })

  it('INT-60 leaves out a connection whose credential is missing and whose token status is unknown', async () => {
    const lostRow = { auth_type: 'api_key', token_status: 'unknown' }
    await user.putRow('I#lost', buildRow(lostRow))
    await user.putRow('I#needs-none', buildRow({ ...lostRow, auth_type: 'none' }))
    await user.putRow('I#vouched', buildRow({ ...lostRow, token_status: 'active' }))
    await user.putRow('I#ended', buildRow({ ...lostRow, status: 'disconnected' }))
    await user.putRow('I#has-one', buildRow(lostRow))
    await user.putRow('C#has-one', { version: '1', status: 'active', masks: {}, refreshable: false })
    expect(new Set(await listIds())).toEqual(new Set(['ended', 'has-one', 'needs-none', 'vouched']))
  })

  it('reads a row of another version with defaults, never with wrong values', async () => {
    await user.putRow('I#odd', {
      mcp_name: 'Odd',
      connected_at: '2026-01-01T00:00:00.000Z',
      status: 'on',
      token_status: 'fine',
      environment: 'moon',
      auth_type: 'magic',
      provider: 7,
      open_url: 7,
      created_at: 7,
      updated_at: 7,
      parameters: 'none',
      read_only_tools: 'all',
      remote: 'x',
      namespace: 7,
    })
    expect(await list()).toEqual([
      {
        id: 'odd',
        user_id: user.sub,
        mcp_id: 'odd',
        mcp_name: 'Odd',
        status: 'disconnected',
        token_status: 'unknown',
        connected_at: '2026-01-01T00:00:00.000Z',
        created_at: '',
        updated_at: '',
        settings: { environment: 'production' },
        credential_id: null,
        credential: null,
        auth_type: 'unknown',
        provider: '',
        expires_at: null,
        display_status: 'disconnected',
        needsAttention: false,
        expiryDisplay: null,
        health_status: 'healthy',
        refreshable: false,
        open_url: null,
      },
    ])
    expect(await harness.stores.integrations.find(user.sub, 'odd')).toMatchObject({
      parameters: {},
      usage_count: 0,
      last_used_at: null,
    })
  })

  it('says which connection needs a reconnect, and why', async () => {
    const { host, url } = harness.servers
    const buildKeyedRow = (remote: object | undefined, more: object = {}) =>
      buildRow({ mcp_name: 'keyed', auth_type: 'api_key', ...(remote && { remote }), ...more })
    const fields = [
      { name: 'X-Team', label: 'x-team' },
      { name: 'X-Api-Key', label: 'X-Api-Key' },
    ]
    const findReason = async (row: object) => {
      await user.putRow('I#keyed', row)
      const [integration] = await list()
      return [integration?.['token_status'], integration?.['reconnect']]
    }
    expect(await findReason(buildKeyedRow({ url: 'https://old.example/mcp', fields }))).toEqual([
      'invalid',
      { kind: 'moved', host },
    ])
    expect(await findReason(buildKeyedRow(undefined))).toEqual(['invalid', { kind: 'no_address', host }])
    expect(await findReason(buildKeyedRow({ url: `${url}/keyed/mcp`, fields: fields.slice(1) }))).toEqual([
      'invalid',
      { kind: 'key_headers', host },
    ])
    const otherLabel = [...fields.slice(0, 1), { name: 'X-Api-Key', label: 'X-Other' }]
    expect(await findReason(buildKeyedRow({ url: `${url}/keyed/mcp`, fields: otherLabel }))).toEqual([
      'invalid',
      { kind: 'key_headers', host },
    ])
    expect(await findReason(buildKeyedRow({ url: 'no address', fields }))).toEqual([
      'invalid',
      { kind: 'moved', host },
    ])
    // another path, and headers in another order or case, still mean the same server
    expect(await findReason(buildKeyedRow({ url: `${url}/other`, fields }))).toEqual(['active', undefined])
    // a connection that sends no headers ignores them
    expect(await findReason(buildKeyedRow({ url, fields: [] }, { auth_type: 'none' }))).toEqual([
      'active',
      undefined,
    ])
    expect(await findReason(buildKeyedRow(undefined, { status: 'disconnected' }))).toEqual([
      'active',
      undefined,
    ])
    // a sign-in without its tokens has already ended
    expect(await findReason(buildKeyedRow(undefined, { auth_type: 'oauth2' }))).toEqual(['active', undefined])
    await user.putRow('C#keyed', { version: '1', status: 'active', masks: {}, refreshable: false })
    expect(await findReason(buildKeyedRow(undefined, { auth_type: 'oauth2' }))).toEqual([
      'invalid',
      { kind: 'no_address', host },
    ])
  })
})

describe('the cleanup', () => {
  const cleanUp = async () => (await user.call('integrations.cleanup', { body: {} })).body

  it('INT-62 INT-63 deletes faulty rows and their credentials, and returns their ids', async () => {
    await connectNotion()
    const notionRow = await user.readConnection('notion')
    await user.putRow('I#notion', { ...notionRow, mcp_name: undefined })
    await user.putRow('I#my-test', { ...notionRow, mcp_name: 'My test' })
    await user.putRow('I#dateless', { ...notionRow, connected_at: undefined })
    await user.putRow('I#fake-data', { ...notionRow, mcp_name: 'Fake data' })
    const { success, deleted } = await cleanUp()
    expect([success, new Set(deleted as string[])]).toEqual([
      true,
      new Set(['my-test', 'dateless', 'notion']),
    ])
    expect((await user.rows('I#')).map(({ SK }) => SK)).toEqual(['I#fake-data'])
    expect([await user.rows('C#'), await user.readVault()]).toEqual([[], []])
  })

  it('deletes credentials without a connection after ten minutes, and no others', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await connectNotion()
      await connect('trello', { apiKey: 'k', apiToken: 't' })
      await connect('stripe', { secretKey: 'sk' })
      await harness.stores.integrations.remove(user.sub, 'trello')
      await user.putRow('I#stripe', { ...(await user.readConnection('stripe')), status: 'disconnected' })
      vi.setSystemTime(Date.now() + 599_999)
      expect(await cleanUp()).toEqual({ success: true, deleted: [] })
      expect(await user.rows('C#')).toHaveLength(3)
      vi.setSystemTime(Date.now() + 1)
      await cleanUp()
      expect((await user.rows('C#')).map(({ SK }) => SK)).toEqual(['C#notion'])
      expect(await user.readVault()).toEqual([{ apiKey: 'ntn_0123456789abcdef' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('deletes stored values that no row names, and keeps those of tools and connections', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await harness.stores.vault.store(user.sub, 'notion', { apiKey: 'lost' })
      await connectNotion()
      await user.call('customTools.add', { body: { name: 'Mine', config: { apiKey: 'tool-key' } } })
      vi.setSystemTime(Date.now() + 600_000)
      await cleanUp()
      expect(await user.readVault()).toHaveLength(3)
      vi.setSystemTime(Date.now() + 1)
      await cleanUp()
      expect(JSON.stringify(await user.readVault())).not.toContain('lost')
      expect(await user.readVault()).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })
})
