import { logger } from '../platform/telemetry/logger.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import { ConnectionNotFound } from './store/errors.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { type AuthorizationServer, resolveAuthorizationServer } from './credentials/authorization-server.ts'
import { isRefreshDue } from './store/token-status.ts'
import { findReconnectReason, toEntryId } from './store/connection.ts'
import {
  loadClient,
  type OAuthClient,
  requestTokens,
  revokeGrant,
  type TokenSet,
  unsealTokens,
} from './credentials/tokens.ts'
import { isGrantShared } from './credentials/shared-grant.ts'
import type { IntegrationDeps } from './deps.ts'
import { type ConnectionTarget } from './connection-target.ts'
import type { SecretIntentLog } from './vault/intent-log.ts'
import type { DeletableVault } from './vault/vault.ts'

/** Dependencies for deleting credentials; they cannot create secrets. */
export type CredentialDeletionDeps = Pick<IntegrationDeps, 'credentials' | 'http' | 'sealer'> & {
  vault: DeletableVault
}

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
  const row = await deps.integrations.find(sub, mcpId)
  if (!row) throw new ConnectionNotFound(mcpId)
  await deps.integrations.setStatus(
    sub,
    mcpId,
    { status: 'disconnected', tokenStatus: 'inactive' },
    new Date().toISOString(),
  )
  await deps.allowedTools.revokeAll(sub, mcpId)
  return { revoked: await revokeAndDeleteCredential(deps, sub, row) }
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

/** Revokes and deletes the credential of an integration. @returns whether the provider confirmed the revocation */
export async function revokeAndDeleteCredential(
  deps: CredentialDeletionDeps,
  sub: string,
  row: ConnectionRow,
): Promise<boolean> {
  const credential = await deps.credentials.find(sub, row.mcp_id)
  if (!credential) return false
  let revoked = await revoke(deps, sub, row, credential)
  const current = await deps.credentials.find(sub, row.mcp_id)
  // refreshed during the revocation, which used the old tokens
  if (current && current.version !== credential.version) revoked = await revoke(deps, sub, row, current)
  await deleteCredential(deps, sub, row.mcp_id, credential)
  return revoked
}

/** Deletes the secret before the row that names it, so that a repeat still finds it. */
export async function deleteCredential(
  { credentials, vault }: Pick<CredentialDeletionDeps, 'credentials' | 'vault'>,
  sub: string,
  mcpId: string,
  credential: CredentialRow,
): Promise<void> {
  if (credential.secret_name) await vault.remove(sub, credential.secret_name)
  const removed = await credentials.remove(sub, mcpId)
  // a new credential has been stored since
  if (removed?.secret_name && removed.secret_name !== credential.secret_name)
    await vault.remove(sub, removed.secret_name)
}

/**
 * Loads what the revocation of a grant needs while it is still stored.
 * @returns a function that revokes the grant and returns whether the provider confirmed it
 */
export async function prepareRevocation(
  deps: CredentialDeletionDeps,
  sub: string,
  row: ConnectionRow,
  credential: CredentialRow,
): Promise<() => Promise<boolean>> {
  const revokeNothing = async () => false
  if (credential.sealed === undefined) return revokeNothing
  try {
    const authorizationServer = resolveAuthorizationServer(row, credential)
    const tokens = await unsealTokens(deps.sealer, { sub, mcpId: row.mcp_id }, credential)
    const client = await loadClient(deps, { sub, entryId: toEntryId(row.mcp_id) }, credential, tokens)
    if (!authorizationServer || !client) return revokeNothing
    if (await isGrantShared(deps, sub, row.mcp_id, client)) return revokeNothing
    return async () => {
      const currentTokens = await refreshIfNeeded(deps, credential, { authorizationServer, tokens, client })
      return revokeGrant(deps.http, authorizationServer, currentTokens, client)
    }
  } catch (error) {
    logger.warn('a grant could not be revoked', { error })
    return revokeNothing
  }
}

/**
 * Some providers revoke a grant by its access token. One that is due is refreshed first: with an expired one, nothing would be revoked,
 * and the refresh token would stay valid.
 */
async function refreshIfNeeded(
  { http }: Pick<CredentialDeletionDeps, 'http'>,
  credential: CredentialRow,
  {
    authorizationServer,
    tokens,
    client,
  }: { authorizationServer: AuthorizationServer; tokens: TokenSet; client: OAuthClient },
): Promise<Pick<TokenSet, 'accessToken' | 'refreshToken'>> {
  const { revocation, refreshUrl } = authorizationServer
  const byAccessToken = revocation !== 'standard' && revocation !== 'github'
  if (!byAccessToken || tokens.refreshToken === undefined || !isRefreshDue(credential, Date.now()))
    return tokens
  const parameters = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken }
  try {
    return await requestTokens(http, refreshUrl, parameters, { authorizationServer, client })
  } catch (error) {
    logger.warn('an access token could not be refreshed for its revocation', { error })
    return tokens
  }
}

const revoke = async (...args: Parameters<typeof prepareRevocation>) => (await prepareRevocation(...args))()

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
    const row = rows.get(mcpId)
    if (row) await revokeAndDeleteCredential(deps, sub, row)
    // a credential is written before its integration, so a crash may leave it without one
    else await deleteCredential(deps, sub, mcpId, credential)
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
