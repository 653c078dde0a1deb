import { sayTool } from '#shared/sentences/tools.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { CredentialRow } from '../../integrations/store/credential-repository.ts'
import { type CustomToolRow, getCustomToolVersion } from '../../integrations/store/custom-tool-repository.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import { buildEntryHeaders, buildStoredCustomToolHeaders, getStoredAddress } from '../../mcp/headers.ts'
import {
  findReconnectReason,
  findPinnedUrl,
  getConnectionVersion,
  toEntryId,
} from '../../integrations/store/connection.ts'
import { type BuiltInProvider, findProvider } from '../../providers/built-in.ts'
import { remoteMcpUrl } from '../../providers/endpoints.ts'
import { credentialsReader } from '../../integrations/credentials/read-credentials.ts'
import type { Connections } from '../../integrations/credentials/open-connections.ts'
import { connectedApi } from '../calls/connected-api.ts'
import { toSlug } from '../calls/tool-name.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import type { ServerConnection } from '../../mcp/sessions.ts'
import type { ConnectedApi } from '../../providers/api.ts'
import { builtInServer } from './built-in.ts'
import type { RemoteServers } from './remote-servers.ts'
import type { ToolConnection } from './server.ts'

/** What opens users' connections. */
export interface ConnectionDeps {
  connections: Connections
  servers: Pick<RemoteServers, 'open'>
}

/** A built-in provider is called through its API, unless the user connected to its MCP server. */
function getBuiltInUrl(
  provider: BuiltInProvider,
  { auth_type, environment }: ConnectionRow,
  credential: CredentialRow | undefined,
): string | undefined {
  const isOpen = auth_type === 'none' && environment === 'production'
  return credential?.server?.url ?? (isOpen ? remoteMcpUrl(provider) : undefined)
}

/** If the entry is no longer in the catalogue, only connections with OAuth tokens still work. */
function getCatalogueUrl(
  row: ConnectionRow,
  credential: CredentialRow | undefined,
  entry: RegistryEntry | undefined,
): string | undefined {
  if (!entry && row.auth_type !== 'oauth2') return undefined
  return findPinnedUrl(row, credential) ?? entry?.config.remote_url
}

/** The API of a built-in integration that a user has connected; undefined for any other row. */
export function openBuiltInApi(
  deps: Parameters<typeof connectedApi>[0],
  sub: string,
  row: ConnectionRow,
): ConnectedApi | undefined {
  const provider = findProvider(toEntryId(row.mcp_id))
  return provider && connectedApi(deps, { sub, row, provider })
}

/** The tools of a remote server: only those that were read-only when the user connected it run without approval, since it may change them. */
export async function openRemote(
  servers: ConnectionDeps['servers'],
  kind: 'remote' | 'custom',
  connection: ServerConnection,
): Promise<ToolConnection> {
  const { integration, namePrefix, reconnectReason, readOnlyTools } = connection
  return {
    kind,
    integration,
    namePrefix,
    reconnectReason,
    isReadOnly: ({ fingerprint }) => fingerprint !== undefined && readOnlyTools.has(fingerprint),
    server: await servers.open(connection),
  }
}

async function loadConnection(
  { connections, servers }: ConnectionDeps,
  sub: string,
  row: ConnectionRow,
  credential: CredentialRow | undefined,
): Promise<ToolConnection | undefined> {
  const id = toEntryId(row.mcp_id)
  const provider = findProvider(id)
  const builtInUrl = provider && getBuiltInUrl(provider, row, credential)
  if (provider && builtInUrl === undefined)
    return {
      kind: 'built_in',
      integration: { mcpId: row.mcp_id, name: row.mcp_name ?? provider.name },
      namePrefix: row.mcp_id,
      isReadOnly: ({ writes }) => writes === false,
      server: builtInServer(id, connectedApi(connections, { sub, row, provider })),
    }
  const entry = await connections.registry.find(id)
  const url = builtInUrl ?? getCatalogueUrl(row, credential, entry)
  if (url === undefined) return undefined
  return openRemote(servers, 'remote', toRemoteServer(connections, sub, { row, credential, entry, url }))
}

/**
 * The server that the user connected. If the catalogue names another one by now, nothing is sent to either, and calls ask the user to
 * reconnect.
 */
function toRemoteServer(
  connections: Connections,
  sub: string,
  {
    row,
    credential,
    entry,
    url,
  }: {
    row: ConnectionRow
    credential: CredentialRow | undefined
    entry: RegistryEntry | undefined
    url: string
  },
): ServerConnection {
  const reconnectReason = findReconnectReason(row, credential, entry)
  const namespace = row.namespace ?? entry?.namespace
  const integration = {
    mcpId: row.mcp_id,
    name: row.mcp_name ?? row.mcp_id,
    ...(namespace !== undefined && { namespace }),
  }
  const reconnectError = (cause?: unknown) =>
    new ReconnectRequired(integration, { cause, ...(reconnectReason && { reason: reconnectReason }) })
  const readCredentials = credentialsReader(connections, sub, integration)
  return {
    sub,
    integration,
    url,
    version: getConnectionVersion(row, credential),
    namePrefix: row.mcp_id,
    readOnlyTools: new Set(row.read_only_tools),
    reconnectReason,
    reconnectError,
    ...(credential?.server && {
      stepUpError: (missing, cause) =>
        buildStepUpError(connections, { sub, integration, url, missing }, cause),
    }),
    async access(rejectedVersion, challenge) {
      if (reconnectReason) throw reconnectError()
      if (row.auth_type === 'none') {
        if (rejectedVersion === undefined) return { version: 'open', headers: {} }
        // it shows its tools to everybody, and protects their calls
        throw new ReconnectRequired(integration, {
          remember: () => connections.integrations.requireSignIn(sub, row.mcp_id, { url, ...challenge }),
        })
      }
      const current = await readCredentials(rejectedVersion)
      const headers: Record<string, string> =
        'tokens' in current
          ? { authorization: `Bearer ${current.tokens.accessToken}` }
          : buildEntryHeaders(row.remote?.fields ?? [], current.credentials)
      return { version: current.version, headers }
    },
  }
}

/** Nobody can judge a longer list of scopes. */
const maxScopeCharacters = 1_000

/** The error that asks the user to sign in for more scopes, which the next sign-in then asks for. */
function buildStepUpError(
  { credentials }: Connections,
  {
    sub,
    integration,
    url,
    missing,
  }: Pick<ServerConnection, 'sub' | 'integration' | 'url'> & { missing: string },
  cause: unknown,
): Error {
  // RFC 6749 section 3.3
  const scopes = missing.split(' ').filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  const scope = scopes.join(' ')
  // a server that names none is asked for what it wants at a sign-in
  if (scope.length > maxScopeCharacters)
    return new ProviderError(sayTool('provider_more_permissions', { name: integration.name }), 403, {
      cause,
    })
  const reason = { kind: 'scopes' as const, host: new URL(url).host, scopes }
  const remember = () => credentials.requestScopes(sub, integration.mcpId, scope)
  return new ReconnectRequired(integration, { cause, reason, remember })
}

function toCustomServer(
  { vault }: Connections,
  sub: string,
  { id, name, server_url, secret_name, read_only_tools }: CustomToolRow,
  namePrefix: string,
): ServerConnection {
  const integration = { mcpId: id, name }
  const reason = { kind: 'key_rejected', host: new URL(server_url).host } as const
  const reconnectError = (cause?: unknown) => new ReconnectRequired(integration, { cause, reason })
  const version = getCustomToolVersion({ secret_name })
  return {
    sub,
    integration,
    url: server_url,
    version,
    namePrefix,
    readOnlyTools: new Set(read_only_tools),
    reconnectError,
    async access(rejectedVersion) {
      if (rejectedVersion !== undefined) throw reconnectError()
      if (secret_name === undefined) return { version, headers: {} }
      const credentials = await vault.read(sub, secret_name)
      const headers = buildStoredCustomToolHeaders(credentials)
      return { version, headers, url: getStoredAddress(server_url, credentials) }
    },
  }
}

/** Whether the assistant may use a connection. Includes ones without a valid grant, so that the user is asked to reconnect. */
export const isUsable = ({ status, mcp_name }: ConnectionRow) =>
  status === 'connected' && mcp_name !== undefined

/** What a user has connected: its rows, and those of them that can be called. */
export async function loadConnected(deps: ConnectionDeps, sub: string) {
  const { integrations, customTools: custom, credentials: stored } = deps.connections
  const [all, customTools, credentials] = await Promise.all([
    integrations.list(sub),
    custom.list(sub),
    stored.list(sub),
  ])
  const rows = all.filter(isUsable)
  const connections = await loadConnections(deps, sub, { rows, customTools }, credentials)
  return { rows, customTools, credentials, connections }
}

/**
 * Opens a user's connections and custom tools. Only this decides whether a built-in integration is called through its API or at an address.
 * @param known the user's credentials, if they were read
 * @returns built-in integrations first, then servers of the catalogue, then custom ones
 */
export async function loadConnections(
  deps: ConnectionDeps,
  sub: string,
  { rows, customTools }: { rows: readonly ConnectionRow[]; customTools: readonly CustomToolRow[] },
  known?: ReadonlyMap<string, CredentialRow>,
): Promise<ToolConnection[]> {
  const credentials =
    known ??
    (rows.length > 0 ? await deps.connections.credentials.list(sub) : new Map<string, CredentialRow>())
  const found = await Promise.all(
    rows.map((row) => loadConnection(deps, sub, row, credentials.get(row.mcp_id))),
  )
  const connected = found.filter((one) => one !== undefined)
  const prefixes = new Set(rows.map(({ mcp_id }) => toSlug(mcp_id)))
  // the oldest of several with the same name gets the plain prefix
  const custom = customTools
    .filter(({ server_url }) => server_url !== '')
    .toReversed()
    .map((row) => {
      const plain = toSlug(row.name.toLowerCase()).slice(0, 24) || 'server'
      const namePrefix = prefixes.has(plain) ? `${plain}_${row.id.slice(0, 8)}` : plain
      prefixes.add(namePrefix)
      return openRemote(deps.servers, 'custom', toCustomServer(deps.connections, sub, row, namePrefix))
    })
  return [
    ...connected.toSorted((a, b) => Number(b.kind === 'built_in') - Number(a.kind === 'built_in')),
    ...(await Promise.all(custom)),
  ]
}
