import type { Integration } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { ToolsOfIntegration } from '#shared/contracts/tools.ts'

/** An entry of the catalogue for tests. */
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

/** A connection for tests. */
export function anIntegration(over: Partial<Integration> = {}): Integration {
  return {
    id: 'i1',
    user_id: 'u1',
    mcp_id: 'slack',
    mcp_name: 'Slack',
    status: 'connected',
    token_status: 'active',
    connected_at: '2026-11-03T12:00:00Z',
    created_at: '2026-11-03T12:00:00Z',
    updated_at: '2026-11-03T12:00:00Z',
    settings: { environment: 'production' },
    credential_id: 'c1',
    credential: { status: 'active', expires_at: null, needs_refresh: false },
    auth_type: 'oauth2',
    provider: 'Slack',
    expires_at: null,
    display_status: 'connected',
    needsAttention: false,
    expiryDisplay: null,
    health_status: 'healthy',
    refreshable: true,
    open_url: 'https://app.slack.com',
    ...over,
  }
}

/** What the assistant can do through a connection, for tests. */
export function someTools(over: Partial<ToolsOfIntegration> = {}): ToolsOfIntegration {
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
