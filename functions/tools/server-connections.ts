import type { CredentialRow } from '../integrations/credential-repository.ts'
import type { ToolRow } from '../integrations/custom-tool-repository.ts'
import type { IntegrationRow } from '../integrations/integration-repository.ts'
import { entryHeaders, keptToolHeaders } from '../integrations/server-headers.ts'
import { entryIdOf } from '../integrations/target.ts'
import { findProvider } from '../providers/built-in.ts'
import { remoteMcpUrl } from '../providers/endpoints.ts'
import { heldAccess } from './access.ts'
import type { Connections } from './connections.ts'
import { GrantGone } from './tool.ts'
import { letters } from './tool-name.ts'

/** A remote MCP server that a user has connected, or added as a custom tool. */
export interface ServerConnection {
  sub: string
  of: { mcpId: string; name: string }
  url: string
  /** of what was connected, not of its tokens: another one when the person connects anew */
  version: string
  /** the names of its tools begin with it */
  owner: string
  /** the user typed its address, and did not pick it from a catalogue */
  namedByUser: boolean
  /**
   * Headers that say who asks.
   * @param refused the version of the credential that was just refused
   * @throws GrantGone, ProviderError
   */
  access(refused?: string): Promise<{ version: string; headers: Record<string, string> }>
  /** what it means that even a renewed credential is refused */
  gone(cause: unknown): Error
}

/** An integration's server: the one its tokens were granted for, else the one its entry names. */
async function connectedServer(
  connections: Connections,
  sub: string,
  row: IntegrationRow,
  credential: CredentialRow | undefined,
): Promise<ServerConnection | undefined> {
  const id = entryIdOf(row.mcp_id)
  const entry = await connections.registry.find(id)
  const provider = findProvider(id)
  // a built-in one is asked by its own interface unless its server let the person in
  const ofEntry = provider
    ? row.auth_type === 'none' && row.environment === 'production'
      ? remoteMcpUrl(provider)
      : undefined
    : entry?.config.remote_url
  const url = credential?.server?.url ?? ofEntry
  if (url === undefined) return undefined
  const of = { mcpId: row.mcp_id, name: row.mcp_name ?? row.mcp_id }
  const gone = (cause?: unknown) => new GrantGone(of, { cause })
  const held = heldAccess(connections, sub, of)
  return {
    sub,
    of,
    url,
    version: [row.connected_at, credential?.secret_name ?? ''].join(' '),
    owner: row.mcp_id,
    namedByUser: false,
    gone,
    async access(refused) {
      if (row.auth_type === 'none') {
        if (refused !== undefined) throw gone()
        return { version: 'open', headers: {} }
      }
      const allowed = await held(refused)
      const headers: Record<string, string> =
        'tokens' in allowed
          ? { authorization: `Bearer ${allowed.tokens.accessToken}` }
          : entryHeaders(entry?.credential_fields ?? [], allowed.typed)
      return { version: allowed.version, headers }
    },
  }
}

function customServer(
  { vault }: Connections,
  sub: string,
  { id, name, server_url, secret_name }: ToolRow,
  owner: string,
): ServerConnection {
  const of = { mcpId: id, name }
  // there is nothing to sign in to again: what was typed has to be typed anew
  const gone = (cause?: unknown) =>
    new Error(
      `${name} does not take its key any more. The user can remove it on the integrations page and add it again with one that works.`,
      { cause },
    )
  const version = secret_name ?? 'open'
  return {
    sub,
    of,
    url: server_url,
    version,
    owner,
    namedByUser: true,
    gone,
    async access(refused) {
      if (refused !== undefined) throw gone()
      return { version, headers: secret_name ? keptToolHeaders(await vault.read(sub, secret_name)) : {} }
    },
  }
}

/** The servers among a user's connections and custom tools. */
export async function serverConnections(
  connections: Connections,
  sub: string,
  { rows, custom }: { rows: readonly IntegrationRow[]; custom: readonly ToolRow[] },
): Promise<ServerConnection[]> {
  const credentials = rows.length > 0 ? await connections.credentials.list(sub) : undefined
  const connected = await Promise.all(
    rows.map((row) => connectedServer(connections, sub, row, credentials?.get(row.mcp_id))),
  )
  const owners = new Set(rows.map(({ mcp_id }) => letters(mcp_id)))
  // the one that was there first keeps the plain name when another of the same name comes
  const added = custom
    .filter(({ server_url }) => server_url !== '')
    .toReversed()
    .map((row) => {
      const plain = letters(row.name.toLowerCase()).slice(0, 24) || 'server'
      const owner = owners.has(plain) ? `${plain}_${row.id.slice(0, 8)}` : plain
      owners.add(owner)
      return customServer(connections, sub, row, owner)
    })
  return [...connected.filter((one) => one !== undefined), ...added]
}
