import type { Connection } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import type { CredentialRow } from '../../functions/integrations/store/credential-repository.ts'
import type { ConnectionRow } from '../../functions/integrations/store/connection-repository.ts'
import { toConnectionView } from '../../functions/integrations/view.ts'

/** A catalogue entry for tests. */
export function anEntry(over: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    id: 'slack',
    name: 'Slack',
    description: 'Post to channels and answer threads.',
    provider: 'Slack',
    auth_type: 'oauth2',
    config: { features: ['Post', 'Search', 'Channels', 'Users', 'Files'], popularity: 93, source: 'builtin' },
    oauth_config: {
      auth_url: 'https://slack.com/oauth/v2/authorize',
      token_url: 'https://slack.com/api/oauth.v2.access',
      scopes: ['chat:write'],
      response_type: 'code',
    },
    icon: null,
    is_active: true,
    updated_at: '2026-11-20T12:00:00Z',
    sandbox_supported: false,
    environments: ['production'],
    credential_fields: [],
    address_parameters: [],
    open_url: 'https://app.slack.com',
    preconfigured: false,
    one_click: false,
    ...over,
  }
}

/** A catalogue entry from the MCP Registry that needs a key. */
export const aPublishedEntry = (over: Partial<RegistryEntry> = {}): RegistryEntry => ({
  id: 'mcp-com-example-notebook-1a2b3c4d',
  name: 'Notebook',
  description: 'Keeps notes.',
  provider: 'com.example',
  namespace: 'com.example',
  auth_type: 'api_key',
  config: {
    features: [],
    popularity: 50,
    source: 'mcp-registry',
    server_name: 'com.example/notebook',
    remote_url: 'https://mcp.example.com/mcp',
    required_credentials: ['X-Api-Key'],
  },
  oauth_config: null,
  icon: null,
  is_active: true,
  updated_at: '2026-11-20T12:00:00.000Z',
  sandbox_supported: false,
  environments: ['production'],
  credential_fields: [{ name: 'X-Api-Key', label: 'X-Api-Key', secret: true, placeholder: '' }],
  address_parameters: [],
  open_url: null,
  preconfigured: false,
  one_click: false,
  ...over,
})

/** The stored fields of a connection; the page's other fields are derived from them. */
interface StoredConnection extends Partial<
  Pick<
    Connection,
    | 'user_id'
    | 'mcp_id'
    | 'mcp_name'
    | 'status'
    | 'token_status'
    | 'connected_at'
    | 'created_at'
    | 'updated_at'
    | 'settings'
    | 'auth_type'
    | 'provider'
    | 'namespace'
    | 'expires_at'
    | 'refreshable'
    | 'open_url'
    | 'reconnect'
  >
> {
  /** the credentials could not be stored */
  credential?: null
}

/** A connection to that entry, whose server has changed since. */
export const aMovedConnection = (stored: StoredConnection = {}): Connection =>
  anIntegration({
    mcp_id: 'mcp-com-example-notebook-1a2b3c4d',
    mcp_name: 'Notebook',
    token_status: 'invalid',
    auth_type: 'api_key',
    provider: 'com.example',
    namespace: 'com.example',
    refreshable: false,
    open_url: null,
    reconnect: { kind: 'moved', host: 'mcp.new.example' },
    ...stored,
  })

/**
 * A connection as the server shows it, made by the server's own function.
 * @param stored what differs from a healthy connection to Slack. `token_status` is the result for the page: an expired token is past its
 *   end; one that needs a refresh is near its end, or past it when it is `refreshable`
 * @throws when the server cannot return such a connection
 */
export function anIntegration(stored: StoredConnection = {}): Connection {
  const at = '2026-11-03T12:00:00Z'
  const made = viewStored({
    user_id: 'u1',
    mcp_id: 'slack',
    mcp_name: 'Slack',
    status: 'connected',
    token_status: 'active',
    connected_at: at,
    created_at: at,
    updated_at: at,
    settings: { environment: 'production' },
    auth_type: 'oauth2',
    provider: 'Slack',
    refreshable:
      stored.status !== 'disconnected' &&
      stored.auth_type !== 'none' &&
      stored.auth_type !== 'api_key' &&
      stored.credential !== null,
    open_url: 'https://app.slack.com',
    ...stored,
    expires_at: stored.expires_at ?? assumedEnd(stored),
    hasCredential:
      stored.credential !== null && stored.status !== 'disconnected' && stored.auth_type !== 'none',
  })
  if (stored.token_status !== undefined && made.token_status !== stored.token_status)
    throw new Error(`the server says ${made.token_status} where the test says ${stored.token_status}`)
  const impossible = findImpossibleState(made)
  if (impossible) throw new Error(impossible)
  return made
}

function assumedEnd({ token_status, refreshable = true }: StoredConnection): string | null {
  if (token_status === 'expired') return new Date(Date.now() - 60_000).toISOString()
  // in the middle of a minute, so that a check a moment later gives the same result
  if (token_status === 'needs_refresh' && !refreshable) return new Date(Date.now() + 270_000).toISOString()
  return null
}

type Stored = Required<Omit<StoredConnection, 'namespace' | 'reconnect' | 'credential'>> &
  Pick<StoredConnection, 'namespace' | 'reconnect'> & { hasCredential: boolean }

function viewStored({
  user_id,
  settings,
  expires_at,
  refreshable,
  reconnect,
  hasCredential,
  ...stored
}: Stored) {
  const { status, token_status } = stored
  const now = new Date()
  const row: ConnectionRow = {
    mcp_id: stored.mcp_id,
    mcp_name: stored.mcp_name,
    status,
    connected_at: stored.connected_at,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    auth_type: stored.auth_type,
    provider: stored.provider,
    open_url: stored.open_url,
    // these two are never stored
    token_status: token_status === 'expired' || token_status === 'needs_refresh' ? 'active' : token_status,
    environment: settings.environment,
    namespace: stored.namespace,
    parameters: {},
    usage_count: 0,
    last_used_at: null,
  }
  const credential: CredentialRow = {
    version: '1',
    status: 'active',
    masks: {},
    refreshable,
    expires_at: expires_at ?? undefined,
    access_expires_at: token_status === 'needs_refresh' && refreshable ? now.toISOString() : undefined,
    updated_at: stored.updated_at,
  }
  const view = toConnectionView(user_id, row, hasCredential ? credential : undefined, now, reconnect)
  if (!view) throw new Error('a connection without a name is not shown')
  return view
}

/**
 * Why the server cannot return a connection like this.
 * @returns undefined when it can: the server's own function builds the same connection from its stored fields, and some function
 *   writes such fields
 */
export function findImpossibleState(view: Connection): string | undefined {
  const { status, token_status, credential } = view
  // only disconnect.ts writes these two, both at once
  if ((status === 'disconnected') !== (token_status === 'inactive'))
    return `a ${status} connection has no token that is ${token_status}`
  const needsCredential = status === 'connected' && view.auth_type !== 'none'
  if (credential ? !needsCredential : needsCredential && token_status !== 'invalid')
    return `a ${status} connection by ${view.auth_type} has ${credential ? 'a' : 'no'} credential`
  const made = viewStored({ ...view, hasCredential: credential !== null })
  const wrong = (Object.keys(made) as (keyof Connection)[]).find(
    (key) => JSON.stringify(made[key]) !== JSON.stringify(view[key]),
  )
  return (
    wrong && `${wrong} is ${JSON.stringify(view[wrong])} where the server says ${JSON.stringify(made[wrong])}`
  )
}

/** The tools of a connection, for tests. */
export function someTools(over: Partial<IntegrationTools> = {}): IntegrationTools {
  const capability = { description: '', writes: false, parameters: {}, examples: [] }
  return {
    id: 'slack',
    name: 'Slack',
    provider: 'Slack',
    status: 'connected',
    health_status: 'healthy',
    capabilities: [
      { ...capability, id: 'read', name: 'Read messages' },
      { ...capability, id: 'post', name: 'Post a message', writes: true },
    ],
    lastUsed: null,
    usage_count: 0,
    problem: null,
    ...over,
  }
}
