import type { TokenStatus } from '#shared/contracts/integrations.ts'
import type { AuthType, RegistryEntry } from '#shared/contracts/registry.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { ProbedServer } from '../mcp/probe.ts'
import { buildListVersion } from '../mcp/tool-list-repository.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { findProvider } from '../providers/built-in.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { ConnectionFields, ConnectionRow, PinnedServer } from './connection-repository.ts'
import type { IntegrationDeps } from './deps.ts'
import { type ConnectionTarget, toEntryId } from './connection-target.ts'

/** Builds the fields of a row for a target that is being connected. */
export const buildConnectionFields = (
  { entry, provider, environment }: ConnectionTarget,
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
): ConnectionFields => ({
  mcp_name: entry.name,
  token_status: tokenStatus,
  environment,
  auth_type: authType,
  provider: entry.provider,
  open_url: entry.open_url,
  parameters,
  read_only_tools: readOnlyTools,
  // a credential with tokens stores its own server
  namespace: entry.namespace,
  remote: authType === 'oauth2' ? undefined : pinServer({ entry, provider }),
})

/** Identifies a connection, not its tokens; changes when the user connects again. */
export const getConnectionVersion = (
  { connected_at }: Pick<ConnectionRow, 'connected_at'>,
  credential: Pick<CredentialRow, 'secret_name'> | undefined,
): string => [connected_at, credential?.secret_name ?? ''].join(' ')

/**
 * Stores the tools that a server has shown when it was connected: replies ask again, and offer them while it or its sign-in server does not respond.
 * Never throws, because the connection works without.
 */
export async function storeListedTools(
  { toolLists }: Pick<IntegrationDeps, 'toolLists'>,
  sub: string,
  { mcpId, ...server }: { mcpId: string; version: string; url: string },
  probe: Pick<ProbedServer, 'list'> | undefined,
): Promise<void> {
  if (!probe) return
  await toolLists
    .put(sub, mcpId, { ...probe.list, freshMs: 0, version: buildListVersion(server) })
    .catch((error: unknown) => logger.warn('a list of tools could not be stored', { error }))
}

/** @returns undefined for a built-in provider, whose URLs are part of the product, and for an entry without a server */
export function pinServer({
  entry,
  provider,
}: Pick<ConnectionTarget, 'entry' | 'provider'>): PinnedServer | undefined {
  const { remote_url: url } = entry.config
  if (provider || url === undefined) return undefined
  return { url, fields: entry.credential_fields.map(({ name, label }) => ({ name, label })) }
}

/** @returns the URL that was connected; a credential with tokens stores its own server */
export const findPinnedUrl = (
  { auth_type, remote }: Pick<ConnectionRow, 'auth_type' | 'remote'>,
  credential: CredentialRow | undefined,
): string | undefined => (auth_type === 'oauth2' ? credential?.server?.url : remote?.url)

/**
 * Compares a connection with the current catalogue entry. A new path at the same origin is ignored and the stored one stays in use,
 * because on a shared host the path identifies the publisher.
 * @returns undefined if the integration is not connected or nothing changed
 */
export function findReconnectReason(
  row: ConnectionRow,
  credential: CredentialRow | undefined,
  entry: RegistryEntry | undefined,
): ReconnectReason | undefined {
  const current = entry && pinServer({ entry, provider: findProvider(toEntryId(row.mcp_id)) })
  if (!current || row.status !== 'connected') return undefined
  // an OAuth connection without tokens is already shown as invalid
  if (row.auth_type === 'oauth2' && !credential) return undefined
  const { host, origin } = new URL(current.url)
  const pinned = findPinnedUrl(row, credential)
  if (pinned === undefined) return { kind: 'no_address', host }
  if (URL.parse(pinned)?.origin !== origin) return { kind: 'moved', host }
  if (row.auth_type === 'api_key' && describeFields(row.remote?.fields) !== describeFields(current.fields))
    return { kind: 'key_headers', host }
  return undefined
}

/** As `findReconnectReason`, for the current entry in the catalogue. Built-in providers never need it. */
export async function loadReconnectReason(
  { registry }: { registry: Pick<IntegrationDeps['registry'], 'find'> },
  row: ConnectionRow,
  credential: CredentialRow | undefined,
): Promise<ReconnectReason | undefined> {
  const entryId = toEntryId(row.mcp_id)
  if (row.status !== 'connected' || findProvider(entryId)) return undefined
  return findReconnectReason(row, credential, await registry.find(entryId))
}

const describeFields = (fields: PinnedServer['fields'] = []) =>
  fields
    .map(({ name, label }) => JSON.stringify([name, label.toLowerCase()]))
    .toSorted()
    .join()
