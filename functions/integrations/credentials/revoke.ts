import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { findProvider } from '../../providers/built-in.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import { toEntryId } from '../store/connection.ts'
import type { ConnectionRow } from '../store/connection-repository.ts'
import type { CredentialRepository, CredentialRow } from '../store/credential-repository.ts'
import { isRefreshDue } from '../store/token-status.ts'
import type { DeletableVault } from '../vault/vault.ts'
import { type AuthorizationServer, resolveAuthorizationServer } from './authorization-server.ts'
import {
  loadClient,
  type OAuthClient,
  requestTokens,
  revokeGrant,
  type TokenSet,
  unsealTokens,
} from './tokens.ts'

/** Dependencies for deleting credentials; they cannot create secrets. */
export interface CredentialDeletionDeps {
  credentials: CredentialRepository
  http: Pick<OutboundHttp, 'text'>
  sealer: Sealer
  vault: DeletableVault
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

const findSharedGrant = (mcpId: string) => findProvider(toEntryId(mcpId))?.oauth?.sharedGrant

/** Whether revoking the grant of a connection would end other connections of the user through the same client (`sharedGrant`). */
export async function isGrantShared(
  { credentials }: { credentials: Pick<CredentialRepository, 'list'> },
  sub: string,
  mcpId: string,
  { clientId }: OAuthClient,
): Promise<boolean> {
  const sharedGrant = findSharedGrant(mcpId)
  if (sharedGrant === undefined) return false
  for (const [otherId, credential] of await credentials.list(sub)) {
    if (otherId === mcpId || credential.sealed === undefined || credential.server) continue
    if (findSharedGrant(otherId) !== sharedGrant) continue
    const otherClient = credential.client_id ?? (await loadOperatorApps())[toEntryId(otherId)]?.clientId
    if (otherClient === clientId) return true
  }
  return false
}
