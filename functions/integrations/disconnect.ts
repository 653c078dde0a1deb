import { type CredentialDeletionDeps, revokeAndDeleteCredential } from './credentials/revoke.ts'
import type { ConnectionTarget } from './connection-target.ts'
import type { IntegrationDeps } from './deps.ts'
import { findReconnectReason } from './store/connection.ts'
import { ConnectionNotFound } from './store/errors.ts'
import type { SecretIntentLog } from './vault/intent-log.ts'

/**
 * Disconnects an integration. Order: mark the row, so that nothing uses it; remove tool permissions; revoke the grant at the provider;
 * delete the credential. Each step can be repeated, and a repeat finishes an interrupted call.
 * @returns whether the provider confirmed the revocation
 * @throws ConnectionNotFound
 */
export async function disconnect(
  deps: IntegrationDeps,
  sub: string,
  mcpId: string,
): Promise<{ revoked: boolean }> {
  // before the mark: a credential that is stored after it is one of a new connection, and stays
  const [row, credential] = await Promise.all([
    deps.integrations.find(sub, mcpId),
    deps.credentials.find(sub, mcpId),
  ])
  if (!row) throw new ConnectionNotFound(mcpId)
  await deps.integrations.setStatus(sub, mcpId, { status: 'disconnected', tokenStatus: 'inactive' })
  await deps.allowedTools.revokeAll(sub, mcpId)
  if (!credential) return { revoked: false }
  return { revoked: await revokeAndDeleteCredential(deps, sub, { mcpId, row, credential }) }
}

/**
 * Disconnects an integration if its catalogue entry has another server or other header fields by now. Call it before storing the new
 * connection, which must not inherit credentials or permissions.
 */
export async function disconnectMoved(
  deps: IntegrationDeps,
  sub: string,
  { mcpId, entry }: Pick<ConnectionTarget, 'mcpId' | 'entry'>,
): Promise<void> {
  const [row, credential] = await Promise.all([
    deps.integrations.find(sub, mcpId),
    deps.credentials.find(sub, mcpId),
  ])
  if (row && findReconnectReason(row, credential, entry)) await disconnect(deps, sub, mcpId)
}

/**
 * Revokes and deletes all credentials of a user. Grants are revoked if the provider supports it; secrets are deleted
 * permanently. The rows are deleted with the user's partition. Can be repeated.
 * @param isTimeUp whether the time of this call is used up: providers may take seconds each to revoke a grant
 * @returns false when the time was over before all was deleted
 */
export async function deleteUserCredentials(
  deps: CredentialDeletionDeps &
    Pick<IntegrationDeps, 'integrations' | 'customTools'> & { intents?: Pick<SecretIntentLog, 'list'> },
  sub: string,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const rows = new Map((await deps.integrations.list(sub)).map((row) => [row.mcp_id, row]))
  for (const [mcpId, credential] of await deps.credentials.list(sub)) {
    // a credential is written before its integration, so a crash may leave it without one
    await revokeAndDeleteCredential(deps, sub, { mcpId, row: rows.get(mcpId), credential })
    if (isTimeUp()) return false
  }
  for (const { id, secret_name } of await deps.customTools.listAll(sub)) {
    if (!secret_name) continue
    await deps.vault.remove(sub, secret_name)
    await deps.customTools.removeSecretName(sub, id)
  }
  for (const { name } of (await deps.intents?.list(sub)) ?? []) await deps.vault.remove(sub, name)
  return true
}
