import { saySetUp } from '#shared/sentences/set-ups.ts'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { buildEntryHeaders } from '../mcp/headers.ts'
import { probeServer, type ProbedServer } from '../mcp/probe.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import type { BuiltInProvider } from '../providers/built-in.ts'
import type { ProviderTenant } from '../providers/endpoints.ts'
import { acceptsCredentials } from '../providers/test-call.ts'
import { CredentialsRefused, CredentialsRequired, ServerRunsLocally } from './store/errors.ts'
import type { Credentials } from './vault/vault.ts'

/** What a user has entered, and where it was accepted. */
export interface Access {
  /** the type that works: `none` for a server without authentication */
  authType: AuthType
  /** as they are stored; undefined if all values were blank */
  credentials: Credentials | undefined
  /** what the server has shown; undefined for a provider's API */
  probe: ProbedServer | undefined
}

/** The values that are not blank; undefined if all are. */
function trimCredentials(credentials: Credentials | undefined): Credentials | undefined {
  const nonBlank = Object.entries(credentials ?? {})
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([, value]) => value !== '')
  return nonBlank.length === 0 ? undefined : Object.fromEntries(nonBlank)
}

/** `apiKey` is the documented name of a single field, whatever the provider calls it. */
function nameFields({ apiKey: form }: BuiltInProvider, credentials: Credentials): Credentials {
  const { apiKey, ...others } = credentials
  const [field, ...more] = form?.fields ?? []
  const isNamed = !field || more.length > 0 || others[field.name] !== undefined
  return apiKey === undefined || isNamed ? credentials : { ...others, [field.name]: apiKey }
}

/**
 * Asks the API of a built-in provider whether it accepts credentials.
 * @throws CredentialsRequired, CredentialsRefused, BadRequest naming a missing field, AddressForbidden, OutboundFailed
 */
export async function checkAtProvider(
  http: Pick<OutboundHttp, 'text'>,
  { entry, provider, tenant }: { entry: RegistryEntry; provider: BuiltInProvider; tenant: ProviderTenant },
  entered: Credentials | undefined,
): Promise<Access> {
  const trimmed = trimCredentials(entered)
  const { name, auth_type: authType } = entry
  if (!trimmed) throw new CredentialsRequired(authType)
  // nothing could verify them, and no call would use them
  if (!provider.apiKey) throw new BadRequest(saySetUp('bad_request.signs_in', { name }))
  const credentials = nameFields(provider, trimmed)
  const missing = provider.apiKey.fields.find((field) => credentials[field.name] === undefined)
  if (missing) throw new BadRequest(saySetUp('bad_request.field_required', { label: missing.label }))
  if (!(await acceptsCredentials(http, provider, credentials, tenant))) throw new CredentialsRefused({ name })
  return { authType, credentials, probe: undefined }
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
  const labels = fields.map(({ label }) => label)
  throw new BadRequest(saySetUp('bad_request.other_fields', { name, labels }))
}

/**
 * Asks a remote server for its tools, with credentials or without any.
 * @throws ServerRunsLocally, CredentialsRequired, CredentialsRefused, BadRequest naming an unknown field, AddressForbidden, OutboundFailed,
 * McpServerFailed
 */
export async function checkAtServer(
  http: Pick<OutboundHttp, 'fetch' | 'check'>,
  entry: RegistryEntry,
  entered: Credentials | undefined,
): Promise<Access> {
  const credentials = trimCredentials(entered)
  const { name, auth_type: authType } = entry
  const { remote_url: url } = entry.config
  if (url === undefined) throw new ServerRunsLocally({ name })
  const needsNoCredentials = authType === 'none' || authType === 'unknown'
  if (!credentials && !needsNoCredentials) throw new CredentialsRequired(authType)
  requireKnownFields(entry, Object.keys(credentials ?? {}))
  const headers = credentials ? buildEntryHeaders(entry.credential_fields, credentials) : {}
  const probe = await probeServer(http, url, headers)
  if (!('challenge' in probe)) return { authType: credentials ? 'api_key' : 'none', credentials, probe }
  if (credentials) throw new CredentialsRefused({ name })
  throw new CredentialsRequired(authType)
}
