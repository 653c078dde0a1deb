import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { BuiltInProvider } from '../providers/built-in.ts'
import { listCapabilities } from '../providers/capabilities.ts'
import { readNamespace, type StoredEntry } from './stored-entry.ts'

/** Built-in entries change only with a release of the product. */
const builtInUpdatedAt = '2026-11-20T00:00:00.000Z'

/** Builds the catalogue entry of a built-in provider. */
export function toBuiltInEntry(provider: BuiltInProvider): RegistryEntry {
  const { oauth, apiKey, setup } = provider
  return {
    id: provider.id,
    name: provider.name,
    description: provider.description,
    provider: provider.provider,
    auth_type: provider.auth_type,
    config: {
      features: provider.features,
      popularity: provider.popularity,
      source: 'builtin',
      endpoints: [],
      icon: provider.icon,
      documentation_url: setup.docsUrl,
    },
    oauth_config: oauth
      ? { auth_url: oauth.authUrl, token_url: oauth.tokenUrl, scopes: oauth.scopes, response_type: 'code' }
      : null,
    icon: provider.icon,
    is_active: true,
    updated_at: builtInUpdatedAt,
    sandbox_supported: provider.sandboxSupported,
    environments: provider.environments,
    lastUpdated: builtInUpdatedAt,
    ...(oauth?.expiresInSeconds && { expiresIn: oauth.expiresInSeconds }),
    setup,
    credential_fields: apiKey?.fields ?? [],
    address_parameters: provider.addressParameters.map((parameter) => ({
      name: parameter.name,
      label: parameter.label,
      optional: parameter.optional,
      example: parameter.example,
      ...(parameter.default !== undefined && { default: parameter.default }),
    })),
    open_url: provider.openUrl,
    tools: listCapabilities(provider.id).map(({ name }) => name),
    preconfigured: false,
    one_click: provider.remoteMcp?.auth === 'dcr',
  }
}

/** Builds the catalogue entry of a server that the daily sync has stored. */
export function toEntryView(entry: StoredEntry): RegistryEntry {
  const { required_credentials: names = [], documentation_url } = entry.config
  const namespace = readNamespace(entry)
  return {
    ...entry,
    ...(namespace !== undefined && { namespace }),
    oauth_config: null,
    icon: null,
    is_active: true,
    sandbox_supported: false,
    environments: ['production'],
    credential_fields: entry.auth_type === 'api_key' ? buildFields(names) : [],
    address_parameters: [],
    open_url: documentation_url ?? null,
    // without a remote server it cannot be connected
    ...(entry.config.remote_url === undefined && { tools: [] }),
    preconfigured: false,
    one_click: entry.auth_type === 'unknown' && entry.config.remote_url !== undefined,
  }
}

/** The credentials that the entry names, or else one API key. */
function buildFields(names: readonly string[]): RegistryEntry['credential_fields'] {
  if (names.length === 0) return [{ name: 'apiKey', label: 'API key', secret: true, placeholder: '' }]
  const fields = names.map((label): [string, RegistryEntry['credential_fields'][number]] => {
    const name = label.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'apiKey'
    return [name, { name, label, secret: true, placeholder: '' }]
  })
  // two labels may result in the same name
  return [...new Map(fields).values()]
}
