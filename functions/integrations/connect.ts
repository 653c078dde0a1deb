import { sayIntegration } from '#shared/sentences/integrations.ts'
import type { AuthType, RegistryEntry } from '#shared/contracts/registry.ts'
import { BadRequest } from '../platform/errors.ts'
import { acceptsCredentials } from '../providers/test-call.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import { disconnectMoved } from './disconnect.ts'
import { CredentialsRefused, CredentialsRequired, ServerRunsLocally } from './store/errors.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { probeServer, type ProbedServer } from '../mcp/probe.ts'
import { buildEntryHeaders } from '../mcp/headers.ts'
import type { IntegrationDeps } from './deps.ts'
import { findTarget, type ConnectionTarget } from './connection-target.ts'
import type { Credentials } from './vault/vault.ts'
import { saveCredentials } from './credentials/save.ts'
import { storeConnection } from './connection.ts'

export interface ConnectInput {
  mcpId: string
  environment: 'production' | 'sandbox'
  credentials: Credentials | undefined
  parameters: Record<string, string>
}

/**
 * Connects an entry with credentials or without any. Order: verify the credentials at the provider, store them, write the row. The
 * only partial state is a row without its credential, which is shown as invalid.
 * @throws EntryNotFound, ServerRunsLocally, CredentialsRequired, CredentialsRefused, AddressForbidden, OutboundFailed, McpServerFailed,
 * TooManySecrets
 */
export async function connect(
  deps: IntegrationDeps,
  sub: string,
  input: ConnectInput,
): Promise<{ row: ConnectionRow; credential: CredentialRow | undefined }> {
  const target = await findTarget(deps, input.mcpId, input.environment)
  const credentials = normalizeCredentials(target, input.credentials)
  const { authType, probe } = await verifyCredentials(deps, target, credentials, input.parameters)
  await disconnectMoved(deps, sub, target)
  const saved = credentials && (await saveCredentials(deps, sub, target, credentials))
  const credential = saved?.credential
  const row = await storeConnection(deps, sub, target, {
    tokenStatus: credentials && !saved ? 'invalid' : 'active',
    authType,
    parameters: input.parameters,
    url: target.entry.config.remote_url,
    credential,
    probe,
  })
  await saved?.revokeReplaced()
  return { row, credential }
}

/** @returns undefined if all values are blank */
function normalizeCredentials(
  { provider }: ConnectionTarget,
  credentials: Credentials | undefined,
): Credentials | undefined {
  const nonBlank = Object.entries(credentials ?? {})
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([, value]) => value !== '')
  if (nonBlank.length === 0) return undefined
  const { apiKey, ...others } = Object.fromEntries(nonBlank)
  const [field, ...more] = provider?.apiKey?.fields ?? []
  const isNamed = !field || more.length > 0 || others[field.name] !== undefined
  if (apiKey === undefined || isNamed) return Object.fromEntries(nonBlank)
  // `apiKey` is the documented name of a single field, whatever the provider calls it
  return { ...others, [field.name]: apiKey }
}

/**
 * The form may be older than the entry, or newer than this function's copy of the catalogue: a key would travel in a header that the server
 * does not read, and an open server would accept the connection.
 * @throws BadRequest naming the fields of the entry
 */
function requireKnownFields(
  { name, credential_fields: fields }: RegistryEntry,
  enteredFields: readonly string[],
) {
  const isKnown = (field: string) => field === 'apiKey' || fields.some((one) => one.name === field)
  if (fields.length === 0 || enteredFields.every(isKnown)) return
  const labels = fields.map(({ label }) => label).join(', ')
  throw new BadRequest(sayIntegration('bad_request.other_fields', { name, labels }))
}

/**
 * @returns the auth type that works (`none` for a server without authentication), and what the server has shown
 * @throws BadRequest naming a missing or an unknown field, and as `connect`
 */
async function verifyCredentials(
  { http }: Pick<IntegrationDeps, 'http'>,
  target: ConnectionTarget,
  credentials: Credentials | undefined,
  parameters: Record<string, string>,
): Promise<{ authType: AuthType; probe?: ProbedServer }> {
  const { entry, provider } = target
  if (provider) {
    if (!credentials) throw new CredentialsRequired({ authType: entry.auth_type })
    // nothing could verify them, and no call would use them
    if (!provider.apiKey) throw new BadRequest(sayIntegration('bad_request.signs_in', { name: entry.name }))
    const missing = provider.apiKey.fields.find(({ name }) => credentials[name] === undefined)
    if (missing) throw new BadRequest(sayIntegration('bad_request.field_required', { label: missing.label }))
    if (!(await acceptsCredentials(http, provider, credentials, { ...target, parameters })))
      throw new CredentialsRefused({ name: entry.name })
    return { authType: entry.auth_type }
  }
  const { remote_url: url } = entry.config
  if (url === undefined) throw new ServerRunsLocally({ name: entry.name })
  const needsNoCredentials = entry.auth_type === 'none' || entry.auth_type === 'unknown'
  if (!credentials && !needsNoCredentials) throw new CredentialsRequired({ authType: entry.auth_type })
  requireKnownFields(entry, Object.keys(credentials ?? {}))
  const probe = await probeServer(
    http,
    url,
    credentials ? buildEntryHeaders(entry.credential_fields, credentials) : {},
  )
  if (!('challenge' in probe)) return { authType: credentials ? 'api_key' : 'none', probe }
  if (credentials) throw new CredentialsRefused({ name: entry.name })
  throw new CredentialsRequired({ authType: entry.auth_type })
}
