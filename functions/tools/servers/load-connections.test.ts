import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startMcpServer } from '../../../test/support/mcp-server.ts'
import { openMcpServers } from '../../../test/support/server-connection.ts'
import { openTestTable } from '../../../test/support/table.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { credentialRepository } from '../../integrations/store/credential-repository.ts'
import { customToolRepository, type CustomToolRow } from '../../integrations/store/custom-tool-repository.ts'
import { toAuthorizationServer } from '../../integrations/credentials/authorization-server.ts'
import type { RemoteServer } from '../../integrations/store/credential-repository.ts'
import { registeredClientRepository } from '../../integrations/store/client-repository.ts'
import { connectionRepository } from '../../integrations/store/connection-repository.ts'
import { pinServer } from '../../integrations/store/connection.ts'
import { sealTokens } from '../../integrations/credentials/seal-tokens.ts'
import { outboundHttp } from '../../platform/net/outbound-http.ts'
import { sealer } from '../../platform/secrets/seal.ts'
import type { Connections } from '../../integrations/credentials/open-connections.ts'
import { loadConnections } from './load-connections.ts'
import type { ToolServer } from './server.ts'
import type { ServerConnection } from '../../mcp/sessions.ts'
import { toolListRepository } from '../../mcp/tool-list-repository.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const http = outboundHttp()
const server: RemoteServer = {
  url: 'https://mcp.example.com/mcp',
  issuer: 'https://auth.example.com',
  names_itself: true,
  token_url: 'https://auth.example.com/token',
  client_auth: 'post',
}

/** A separate user whose authorization server sends the prepared responses to refreshes. */
function openUser(entries: Record<string, Partial<RegistryEntry>> = {}) {
  const refreshes: string[] = []
  const responses: { status: number; body: object }[] = []
  const secrets: Record<string, Record<string, string>> = {}
  const sub = crypto.randomUUID()
  const connections: Connections = {
    integrations: connectionRepository(table),
    credentials: credentialRepository(table),
    customTools: customToolRepository(table),
    clients: registeredClientRepository(table),
    sealer: sealer({ read: () => Promise.resolve('a key for tests') }, 'name'),
    vault: { read: (_, name) => Promise.resolve(secrets[name] ?? {}) },
    registry: { find: (id) => Promise.resolve(entries[id] as RegistryEntry | undefined) },
    http: {
      ...http,
      text: (_, init) => {
        refreshes.push(new URLSearchParams(init?.body).get('refresh_token') ?? '')
        const { status, body } = responses.shift() ?? { status: 500, body: {} }
        return Promise.resolve({ status, headers: new Headers(), text: JSON.stringify(body) })
      },
    },
    serverHttp: http,
  }

  async function connect(
    mcpId: string,
    authType: 'oauth2' | 'api_key' | 'none',
    {
      expiresInSeconds = 3_600,
      isPinned = true,
      at = '',
    }: { expiresInSeconds?: number | null; isPinned?: boolean; at?: string } = {},
  ) {
    if (authType === 'oauth2') {
      const grant = {
        accessToken: 'first',
        refreshToken: 'refresh-1',
        instanceUrl: undefined,
        expiresInSeconds: expiresInSeconds ?? undefined,
        grantExpiresInSeconds: undefined,
      }
      const {
        expires_at: _,
        access_expires_at: accessExpiresAt,
        ...tokens
      } = await sealTokens(connections.sealer as ReturnType<typeof sealer>, { sub, mcpId }, grant, {
        authorizationServer: toAuthorizationServer('Example', server),
        carriedOver: {},
        now: new Date(),
      })
      await connections.credentials.replace(sub, mcpId, {
        ...tokens,
        ...(accessExpiresAt && { access_expires_at: accessExpiresAt }),
        status: 'active',
        masks: {},
        client_id: 'client',
        server,
        updated_at: at,
      })
    }
    if (authType === 'api_key') {
      secrets[`secret-${mcpId}`] = { key: 'typed' }
      await connections.credentials.replace(sub, mcpId, {
        version: 'typed',
        status: 'active',
        secret_name: `secret-${mcpId}`,
        masks: {},
        refreshable: false,
        updated_at: '',
      })
    }
    await connections.integrations.connect(
      sub,
      mcpId,
      {
        mcp_name: 'Example',
        token_status: 'active',
        environment: 'production',
        auth_type: authType,
        provider: 'Example',
        open_url: null,
        parameters: {},
        ...(isPinned &&
          authType !== 'oauth2' && {
            remote: pinServer(entries[mcpId] as RegistryEntry),
          }),
      },
      new Date().toISOString(),
    )
  }
  /** The remote servers among what is connected. */
  const listAll = async (customTools: readonly CustomToolRow[] = []) => {
    const opened: ServerConnection[] = []
    const servers = { open: async (connection: ServerConnection) => void opened.push(connection) as never }
    const rows = await connections.integrations.list(sub)
    await loadConnections({ connections, servers }, sub, { rows, customTools })
    return opened
  }
  return { sub, connections, connect, listAll, refreshes, responses, secrets }
}

const config = { features: [], popularity: 50, source: 'mcp-registry' as const }

describe('a server with a sign-in', () => {
  it('is called at the address for which its tokens were granted', async () => {
    const { connect, listAll } = openUser()
    await connect('notion', 'oauth2')
    const [connection] = await listAll()
    expect(connection).toMatchObject({ url: server.url, namePrefix: 'notion' })
    expect((await connection?.access())?.headers).toEqual({ authorization: 'Bearer first' })
  })

  it('OAUTH-19 has its tokens renewed before they expire, and again when they are refused', async () => {
    const { connect, listAll, responses, refreshes } = openUser()
    await connect('notion', 'oauth2', { expiresInSeconds: 30 })
    const buildTokens = (number: number) => ({
      status: 200,
      body: { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 3_600 },
    })
    responses.push(buildTokens(2), buildTokens(3))
    const [connection] = await listAll()
    const access = await connection?.access()
    expect(access?.headers).toEqual({ authorization: 'Bearer access-2' })
    expect((await connection?.access())?.version).toBe(access?.version)
    expect((await connection?.access(access?.version))?.headers).toEqual({ authorization: 'Bearer access-3' })
    // rejected before another request refreshed them: the current tokens are not the rejected ones
    expect((await connection?.access(access?.version))?.headers).toEqual({ authorization: 'Bearer access-3' })
    expect(refreshes).toEqual(['refresh-1', 'refresh-2'])
  })

  it('DEC-126 keeps a token without an expiry that could not be renewed after a day, until it is refused', async () => {
    const { connect, listAll, responses, refreshes } = openUser()
    const at = new Date(Date.now() - 24 * 3_600_000).toISOString()
    await connect('notion', 'oauth2', { expiresInSeconds: null, at })
    const [connection] = await listAll()
    responses.push({ status: 500, body: {} }, { status: 400, body: { error: 'unsupported_grant_type' } })
    const first = await connection?.access()
    expect(first?.headers).toEqual({ authorization: 'Bearer first' })
    expect((await connection?.access())?.headers).toEqual({ authorization: 'Bearer first' })
    expect(refreshes).toEqual(['refresh-1', 'refresh-1'])
    responses.push({ status: 500, body: {} })
    await expect(connection?.access(first?.version)).rejects.toThrow('did not renew its permission')
    responses.push({ status: 400, body: { error: 'invalid_grant' } })
    await expect(connection?.access()).rejects.toSatisfy(isReconnectRequired)
  })

  it('needs a reconnect when the grant is gone, and keeps the list of its tools until then', async () => {
    const { connect, listAll, responses } = openUser()
    await connect('notion', 'oauth2')
    const [connection] = await listAll()
    const access = await connection?.access()
    responses.push({ status: 400, body: { error: 'invalid_grant' } })
    await expect(connection?.access(access?.version)).rejects.toSatisfy(isReconnectRequired)
    const [connectionAfter] = await listAll()
    expect(connectionAfter?.version).toBe(connection?.version)
    await expect(connectionAfter?.access()).rejects.toSatisfy(isReconnectRequired)
    expect(isReconnectRequired(connection?.reconnectError(undefined))).toBe(true)
  })

  it('is only unavailable for a moment when a refresh fails temporarily', async () => {
    const { connect, listAll, responses } = openUser()
    await connect('notion', 'oauth2')
    const [connection] = await listAll()
    const { version } = (await connection?.access()) ?? {}
    responses.push({ status: 503, body: {} })
    await expect(connection?.access(version)).rejects.toThrow('did not renew its permission')
  })
})

describe('a server of the catalogue', () => {
  const entries = {
    keyed: {
      config: { ...config, remote_url: 'https://keyed.example/mcp' },
      credential_fields: [{ name: 'key', label: 'X-Api-Key', secret: true, placeholder: '' }],
    },
    open: { config: { ...config, remote_url: 'https://open.example/mcp' }, credential_fields: [] },
    local: { config, credential_fields: [] },
  }

  it('is called with the entered credentials in the header that its entry names', async () => {
    const { connect, listAll } = openUser(entries)
    await connect('keyed', 'api_key')
    const [connection] = await listAll()
    const access = await connection?.access()
    expect(access?.headers).toEqual({ 'X-Api-Key': 'typed' })
    await expect(connection?.access(access?.version)).rejects.toSatisfy(isReconnectRequired)
  })

  it('that refuses a call though it shows its tools asks for a sign-in, and remembers what it said', async () => {
    const { connect, listAll, connections, sub } = openUser(entries)
    await connect('open', 'none')
    const [connection] = await listAll()
    const access = await connection?.access()
    const resourceMetadataUrl = new URL('https://open.example/.well-known/oauth-protected-resource')
    const error: unknown = await connection
      ?.access(access?.version, { resourceMetadataUrl, scope: 'read' })
      .catch((reason: unknown) => reason)
    if (!isReconnectRequired(error)) throw error
    await error.remember()
    expect(await connections.integrations.find(sub, 'open')).toMatchObject({
      token_status: 'invalid',
      challenge: {
        url: 'https://open.example/mcp',
        resource_metadata_url: resourceMetadataUrl.href,
        scope: 'read',
      },
    })
  })

  it.each(['open', 'keyed'] as const)(
    '%s that refuses everything is marked by a call, not by listing its tools',
    async (id) => {
      const server = await startMcpServer({ tools: [{ name: 'echo' }], ttlMs: 0 })
      const guard = outboundHttp({ allow: [server.host] })
      const servers = openMcpServers(guard, table)
      onTestFinished(async () => {
        await servers.close()
        await Promise.all([server.close(), guard.close()])
      })
      const { connect, listAll, connections, sub } = openUser({
        [id]: { ...entries[id], config: { ...config, remote_url: server.url } },
      })
      await connect(id, id === 'open' ? 'none' : 'api_key')
      const readStatus = async () => (await connections.integrations.find(sub, id))?.token_status
      const [connection] = await listAll()
      if (!connection) throw new Error('nothing is connected')
      const [tool] = (await servers.listTools(connection)).tools
      server.behaviour.override = () => ({ status: 401 })
      const listing = servers.listTools(
        { ...connection, version: 'not in the cache' },
        { mustBeCurrent: true },
      )
      await expect(listing).rejects.toSatisfy(isReconnectRequired)
      expect(await readStatus()).toBe('active')
      // which the page shows until then
      const isRejected = await toolListRepository(table).findRejected(sub)
      expect(isRejected(id, 'not in the cache')).toBe(true)
      await expect(tool?.run({}, new AbortController().signal)).rejects.toSatisfy(isReconnectRequired)
      expect(await readStatus()).toBe('invalid')
    },
  )

  const buildChangedEntries = (parts: Partial<RegistryEntry>): Record<string, Partial<RegistryEntry>> => ({
    ...entries,
    keyed: { ...entries.keyed, ...parts },
    open: { ...entries.open, ...parts },
  })
  const buildConfig = (remote_url: string) => ({ config: { ...config, remote_url } })

  it.each(['api_key', 'none'] as const)(
    'that moves to another origin is sent no earlier credentials (%s, H4)',
    async (authType) => {
      const catalogue: Record<string, Partial<RegistryEntry>> = { ...entries }
      const { connect, listAll } = openUser(catalogue)
      const id = authType === 'none' ? 'open' : 'keyed'
      await connect(id, authType)
      Object.assign(catalogue, buildChangedEntries(buildConfig('https://evil.example/mcp')))
      const [connection] = await listAll()
      expect(connection).toMatchObject({
        url: `https://${id}.example/mcp`,
        reconnectReason: { kind: 'moved', host: 'evil.example' },
      })
      await expect(connection?.access()).rejects.toSatisfy(isReconnectRequired)
      await expect(connection?.access()).rejects.toThrow(
        'Example has moved to evil.example. Connect again to use it there.',
      )
    },
  )

  it('with a sign-in at another origin is sent no token (H4)', async () => {
    const { connect, listAll } = openUser({
      keyed: { ...buildConfig('https://evil.example/mcp'), credential_fields: [] },
    })
    await connect('keyed', 'oauth2')
    const [connection] = await listAll()
    expect(connection).toMatchObject({
      url: server.url,
      reconnectReason: { kind: 'moved', host: 'evil.example' },
    })
    await expect(connection?.access()).rejects.toSatisfy(isReconnectRequired)
  })

  it('stays at its first path when only the path changes, because at a shared host the path names the owner', async () => {
    const catalogue: Record<string, Partial<RegistryEntry>> = { ...entries }
    const { connect, listAll } = openUser(catalogue)
    await connect('keyed', 'api_key')
    Object.assign(catalogue, buildChangedEntries(buildConfig('https://keyed.example/somebody-else/mcp')))
    const [connection] = await listAll()
    expect(connection).toMatchObject({ url: 'https://keyed.example/mcp', reconnectReason: undefined })
  })

  it('needs another key when it names other headers, but not when only their case differs (H4)', async () => {
    const catalogue: Record<string, Partial<RegistryEntry>> = { ...entries }
    const { connect, listAll } = openUser(catalogue)
    await connect('keyed', 'api_key')
    const field = { name: 'key', secret: true, placeholder: '' }
    Object.assign(catalogue, buildChangedEntries({ credential_fields: [{ ...field, label: 'x-api-key' }] }))
    expect((await listAll())[0]?.reconnectReason).toBeUndefined()
    Object.assign(catalogue, buildChangedEntries({ credential_fields: [{ ...field, label: 'X-Evil' }] }))
    expect((await listAll())[0]?.reconnectReason).toEqual({ kind: 'key_headers', host: 'keyed.example' })
  })

  it('that was connected before addresses were stored needs a reconnect (H4)', async () => {
    const { connect, listAll } = openUser(entries)
    await connect('keyed', 'api_key', { isPinned: false })
    const [connection] = await listAll()
    expect(connection?.reconnectReason).toEqual({ kind: 'no_address', host: 'keyed.example' })
    await expect(connection?.access()).rejects.toSatisfy(isReconnectRequired)
  })

  it('that has left the catalogue is sent nothing but its own tokens', async () => {
    const catalogue: Record<string, Partial<RegistryEntry>> = { ...entries }
    const { connect, listAll } = openUser(catalogue)
    await connect('keyed', 'api_key')
    delete catalogue['keyed']
    expect(await listAll()).toEqual([])
    await connect('gone', 'oauth2')
    expect((await listAll()).map(({ url }) => url)).toEqual([server.url])
  })

  it('is called without credentials if it needs none, and not at all without an address', async () => {
    const { connect, listAll } = openUser(entries)
    await connect('open', 'none')
    await connect('local', 'none')
    const serverConnections = await listAll()
    expect(serverConnections.map(({ url }) => url)).toEqual(['https://open.example/mcp'])
    expect((await serverConnections[0]?.access())?.headers).toEqual({})
  })

  it('of a built-in provider is used through its API unless the user signed in at the server', async () => {
    const { connect, listAll } = openUser({ notion: { config } })
    await connect('notion', 'api_key')
    expect(await listAll()).toEqual([])
  })

  it('comes after built-in integrations and before custom tools, whatever was connected first', async () => {
    const { connect, connections, sub } = openUser({ ...entries, notion: { config } })
    await connect('open', 'none')
    await connect('notion', 'api_key')
    const rows = await connections.integrations.list(sub)
    const customTools = [{ id: 'own', name: 'Own', server_url: 'https://own.example/mcp' } as CustomToolRow]
    const servers = { open: async () => ({}) as ToolServer }
    const opened = await loadConnections({ connections, servers }, sub, {
      rows: rows.toSorted((a, b) => b.mcp_id.localeCompare(a.mcp_id)),
      customTools,
    })
    expect(opened.map(({ kind, namePrefix }) => [kind, namePrefix])).toEqual([
      ['built_in', 'notion'],
      ['remote', 'open'],
      ['custom', 'own'],
    ])
  })
})

describe('custom tools', () => {
  const buildTool = (parts: Partial<CustomToolRow>): CustomToolRow => ({
    id: crypto.randomUUID(),
    name: 'My Server',
    description: '',
    server_url: 'https://own.example/mcp',
    masks: {},
    is_active: true,
    created_at: '',
    ...parts,
  })

  it('are called with their key and fields; a refusal asks for another key', async () => {
    const { listAll, secrets } = openUser()
    secrets['own'] = { 'api-key': 'k', 'field:header': 'X-Key', 'field:X-Team': 'red' }
    const [connection] = await listAll([buildTool({ secret_name: 'own' })])
    expect(connection).toMatchObject({ namePrefix: 'my_server' })
    const access = await connection?.access()
    expect(access?.headers).toEqual({ 'x-key': 'k', 'x-team': 'red' })
    await expect(connection?.access(access?.version)).rejects.toMatchObject({
      name: 'ReconnectRequired',
      reason: { kind: 'key_rejected', host: 'own.example' },
    })
  })

  it('of the same name are distinguished, the first keeps it, and one without an address is left out', async () => {
    const { listAll } = openUser()
    const first = buildTool({})
    const newest = buildTool({ name: 'My server' })
    const serverConnections = await listAll([
      newest,
      buildTool({ server_url: '' }),
      buildTool({ name: '🎉' }),
      first,
    ])
    expect(serverConnections.map(({ integration, namePrefix }) => [integration.mcpId, namePrefix])).toEqual([
      [first.id, 'my_server'],
      [expect.any(String), 'server'],
      [newest.id, `my_server_${newest.id.slice(0, 8)}`],
    ])
  })
})
