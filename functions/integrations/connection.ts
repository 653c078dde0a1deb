import type { TokenStatus } from '#shared/contracts/integrations.ts'
import type { AuthType, RegistryEntry } from '#shared/contracts/registry.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import { findProvider } from '../providers/built-in.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { Connection, IntegrationRow, PinnedServer } from './integration-repository.ts'
import type { Stores } from './deps.ts'
import { type Target, entryIdOf } from './target.ts'

/** What the row of a connected target says. */
export const connectionOf = (
  { entry, provider, environment }: Target,
  {
    tokenStatus,
    authType,
    parameters,
    readOnlyTools,
  }: {
    tokenStatus: TokenStatus
    authType: AuthType
    parameters: Record<string, string>
    readOnlyTools: readonly string[]
  },
): Connection => ({
  mcp_name: entry.name,
  token_status: tokenStatus,
  environment,
  auth_type: authType,
  provider: entry.provider,
  open_url: entry.open_url,
  parameters,
  read_only_tools: readOnlyTools,
  // tokens name the server that they were granted for
  namespace: entry.namespace,
  remote: authType === 'oauth2' ? undefined : pinServer({ entry, provider }),
})

/** @returns undefined for a built-in provider, whose addresses are part of the product, and for an entry without a server */
export function pinServer({ entry, provider }: Pick<Target, 'entry' | 'provider'>): PinnedServer | undefined {
  const { remote_url: url } = entry.config
  if (provider || url === undefined) return undefined
  return { url, fields: entry.credential_fields.map(({ name, label }) => ({ name, label })) }
}

/** @returns the address that was connected; tokens name the server that they were granted for */
export const pinnedUrl = (
  { auth_type, remote }: Pick<IntegrationRow, 'auth_type' | 'remote'>,
  credential: CredentialRow | undefined,
): string | undefined => (auth_type === 'oauth2' ? credential?.server?.url : remote?.url)

/**
 * Compares a connection with today's catalogue. A path that changes at the same origin is no reason: the stored one stays in use,
 * because on a host that many publishers share the path says whose server it is.
 * @returns undefined where nothing was connected, or nothing changed
 */
export function findReconnectReason(
  row: IntegrationRow,
  credential: CredentialRow | undefined,
  entry: RegistryEntry | undefined,
): ReconnectReason | undefined {
  const today = entry && pinServer({ entry, provider: findProvider(entryIdOf(row.mcp_id)) })
  if (!today || row.status !== 'connected') return undefined
  // without its tokens a sign-in has ended already, and says so itself
  if (row.auth_type === 'oauth2' && !credential) return undefined
  const { host, origin } = new URL(today.url)
  const pinned = pinnedUrl(row, credential)
  if (pinned === undefined) return { kind: 'no_address', host }
  if (URL.parse(pinned)?.origin !== origin) return { kind: 'moved', host }
  if (row.auth_type === 'api_key' && describeFields(row.remote?.fields) !== describeFields(today.fields))
    return { kind: 'key_headers', host }
  return undefined
}

/** As `findReconnectReason`, with today's entry read from the catalogue where it is not part of the product. */
export async function loadReconnectReason(
  { registry }: Pick<Stores, 'registry'>,
  row: IntegrationRow,
  credential: CredentialRow | undefined,
): Promise<ReconnectReason | undefined> {
  const entryId = entryIdOf(row.mcp_id)
  if (row.status !== 'connected' || findProvider(entryId)) return undefined
  return findReconnectReason(row, credential, await registry.find(entryId))
}

const describeFields = (fields: PinnedServer['fields'] = []) =>
  JSON.stringify(
    fields
      .map(({ name, label }) => [name, label.toLowerCase()])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
