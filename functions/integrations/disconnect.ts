import { logger } from '../platform/telemetry/logger.ts'
import { findReconnectReason } from './connection.ts'
import type { CredentialRow } from './credential-repository.ts'
import { IntegrationNotFound } from './errors.ts'
import type { IntegrationRow } from './integration-repository.ts'
import { grantorOf } from './oauth/authorization-server.ts'
import { clientOf, revokeGrant, openTokens } from './oauth/tokens.ts'
import type { Stores } from './deps.ts'
import { entryIdOf, type Target } from './target.ts'
import type { AnnouncedSecrets } from './vault/intent-log.ts'
import type { HeldVault } from './vault/vault.ts'

/** What it takes to take a credential back; no secret can be made with it. */
export type Forgetting = Pick<Stores, 'credentials' | 'http' | 'sealer'> & { vault: HeldVault }

/**
 * INT-47, INT-48, DEC-086: the row first, so that nothing is used any more; then permissions for its tools end; then the provider is
 * told; then what is stored goes.
 * Each step can be repeated, and a repeat finishes what broke off.
 * @returns whether the provider confirmed that the grant is gone
 * @throws IntegrationNotFound
 */
export async function disconnect(stores: Stores, sub: string, mcpId: string): Promise<{ revoked: boolean }> {
  const row = await stores.integrations.find(sub, mcpId)
  if (!row) throw new IntegrationNotFound(mcpId)
  await stores.integrations.setStatus(
    sub,
    mcpId,
    { status: 'disconnected', tokenStatus: 'inactive' },
    new Date().toISOString(),
  )
  await stores.allowed.revokeAll(sub, mcpId)
  return { revoked: await forgetCredential(stores, sub, row) }
}

/**
 * Disconnects what was connected at another server than the one that the catalogue names today. To be called before the new connection
 * is stored, which then inherits neither credentials nor permissions.
 */
export async function disconnectMoved(
  stores: Stores,
  sub: string,
  { mcpId, entry }: Pick<Target, 'mcpId' | 'entry'>,
): Promise<void> {
  const [row, credential] = await Promise.all([
    stores.integrations.find(sub, mcpId),
    stores.credentials.find(sub, mcpId),
  ])
  if (row && findReconnectReason(row, credential, entry)) await disconnect(stores, sub, mcpId)
}

/** Revokes and deletes what is stored for an integration. @returns whether the provider confirmed the revocation */
export async function forgetCredential(
  stores: Forgetting,
  sub: string,
  row: IntegrationRow,
): Promise<boolean> {
  const credential = await stores.credentials.find(sub, row.mcp_id)
  if (!credential) return false
  let revoked = await revoke(stores, sub, row, credential)
  const current = await stores.credentials.find(sub, row.mcp_id)
  // renewed while the provider was told: it was told of the old tokens
  if (current && current.version !== credential.version) revoked = await revoke(stores, sub, row, current)
  await removeCredential(stores, sub, row.mcp_id, credential)
  return revoked
}

/** The secret first: the row that names it goes last, so that a repeat still finds it. */
export async function removeCredential(
  { credentials, vault }: Pick<Forgetting, 'credentials' | 'vault'>,
  sub: string,
  mcpId: string,
  credential: CredentialRow,
): Promise<void> {
  if (credential.secret_name) await vault.remove(sub, credential.secret_name)
  const removed = await credentials.remove(sub, mcpId)
  // another one was stored in between
  if (removed?.secret_name && removed.secret_name !== credential.secret_name)
    await vault.remove(sub, removed.secret_name)
}

/**
 * Reads what it takes to tell the provider that a grant is over, as long as it is stored.
 * @returns tells the provider; whether it confirmed that
 */
export async function prepareRevocation(
  stores: Forgetting,
  sub: string,
  row: IntegrationRow,
  credential: CredentialRow,
): Promise<() => Promise<boolean>> {
  const nothing = async () => false
  if (credential.sealed === undefined) return nothing
  try {
    const grantor = grantorOf(row, credential)
    const tokens = await openTokens(stores.sealer, { sub, mcpId: row.mcp_id }, credential)
    const client = await clientOf(stores, { sub, entryId: entryIdOf(row.mcp_id) }, credential, tokens)
    return grantor && client ? () => revokeGrant(stores.http, grantor, tokens, client) : nothing
  } catch (error) {
    logger.warn('a grant could not be revoked', { error })
    return nothing
  }
}

const revoke = async (...of: Parameters<typeof prepareRevocation>) => (await prepareRevocation(...of))()

/**
 * Takes back and deletes everything that a user gave to integrations: grants are revoked where the provider can, secrets go for
 * good. The rows themselves are left to whoever erases the user's partition. Can be repeated.
 * @param isOver whether the time of this call is used up: providers may take seconds each to revoke a grant
 * @returns false when the time was over before all was deleted
 */
export async function forgetUser(
  stores: Forgetting & Pick<Stores, 'integrations' | 'tools'> & { announced?: Pick<AnnouncedSecrets, 'all'> },
  sub: string,
  isOver: () => boolean,
): Promise<boolean> {
  const rows = new Map((await stores.integrations.list(sub)).map((row) => [row.mcp_id, row]))
  for (const [mcpId, credential] of await stores.credentials.list(sub)) {
    const row = rows.get(mcpId)
    if (row) await forgetCredential(stores, sub, row)
    // a credential is written before its integration: a crash may have left one alone
    else await removeCredential(stores, sub, mcpId, credential)
    if (isOver()) return false
  }
  for (const { id, secret_name } of await stores.tools.all(sub)) {
    if (!secret_name) continue
    await stores.vault.remove(sub, secret_name)
    await stores.tools.forgetSecret(sub, id)
  }
  for (const { name } of (await stores.announced?.all(sub)) ?? []) await stores.vault.remove(sub, name)
  return true
}
