import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'
import type { CredentialRow } from './credential-repository.ts'
import type { ConnectionRow, PinnedServer } from './connection-repository.ts'

export const sandboxSuffix = '-sandbox'

/** Converts the id of a user's row to the id of its entry. */
export const toEntryId = (mcpId: string) =>
  mcpId.endsWith(sandboxSuffix) ? mcpId.slice(0, -sandboxSuffix.length) : mcpId

/** Identifies a connection, not its tokens; changes when the user connects again. */
export const getConnectionVersion = (
  { connected_at }: Pick<ConnectionRow, 'connected_at'>,
  credential: Pick<CredentialRow, 'secret_name'> | undefined,
): string => [connected_at, credential?.secret_name ?? ''].join(' ')

/** @returns undefined for an entry that names no server, as those of built-in integrations, whose URLs are part of the product */
export function pinServer(entry: RegistryEntry): PinnedServer | undefined {
  const { remote_url: url } = entry.config
  if (url === undefined) return undefined
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
  const current = entry && pinServer(entry)
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

/** As `findReconnectReason`, for the current entry in the catalogue. */
export async function loadReconnectReason(
  { registry }: { registry: { find(id: string): Promise<RegistryEntry | undefined> } },
  row: ConnectionRow,
  credential: CredentialRow | undefined,
): Promise<ReconnectReason | undefined> {
  if (row.status !== 'connected') return undefined
  return findReconnectReason(row, credential, await registry.find(toEntryId(row.mcp_id)))
}

const describeFields = (fields: PinnedServer['fields'] = []) =>
  fields
    .map(({ name, label }) => JSON.stringify([name, label.toLowerCase()]))
    .toSorted()
    .join()
