import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import { toEntryId } from '../store/connection.ts'
import type { ConnectionRow } from '../store/connection-repository.ts'
import type { CredentialRepository, CredentialRow } from '../store/credential-repository.ts'
import { isRefreshDue } from '../store/token-status.ts'
import type { DeletableVault, VaultReader } from '../vault/vault.ts'
import { type AuthorizationServer, findBuiltIn, resolveAuthorizationServer } from './authorization-server.ts'
import { loadClient, type OAuthClient, requestTokens, type TokenSet } from './tokens.ts'
import { revokeGrant } from './revoke-grant.ts'
import { unsealTokens } from './seal-tokens.ts'

/** Dependencies for deleting credentials; they cannot create secrets. */
export interface CredentialDeletionDeps {
  credentials: CredentialRepository
  http: Pick<OutboundHttp, 'text'>
  sealer: Sealer
  vault: DeletableVault
}

/** A credential with the row of its connection, which is missing if only the credential was stored. */
export interface OwnedCredential {
  mcpId: string
  row: ConnectionRow | undefined
  credential: CredentialRow
}

/**
 * Revokes and deletes a credential that was read. Only the version that was revoked is deleted: if the tokens were refreshed meanwhile, the
 * new ones are revoked too, and if the user has connected again, the new credential stays. Can be repeated.
 * @returns whether the provider confirmed the revocation
 * @throws errors of the table and the vault; a failed revocation is logged
 */
export async function revokeAndDeleteCredential(
  deps: CredentialDeletionDeps,
  sub: string,
  { mcpId, row, credential: read }: OwnedCredential,
): Promise<boolean> {
  let revoked = false
  let current: CredentialRow | undefined = read
  while (current && current.grant_id === read.grant_id) {
    const credential: CredentialRow = current
    revoked = await (await prepareRevocation(deps, sub, { mcpId, row, credential }))()
    current = await deps.credentials.find(sub, mcpId)
    if (current && current.version !== credential.version) continue
    // before the row that names it, so that a repeat still finds it
    if (credential.secret_name) await deps.vault.remove(sub, credential.secret_name)
    if (await deps.credentials.remove(sub, mcpId, credential)) break
    current = await deps.credentials.find(sub, mcpId)
  }
  return revoked
}

/**
 * Loads what the revocation of a grant needs while it is still stored. Never throws: what fails is logged.
 * @returns a function that revokes the grant and returns whether the provider confirmed it; it revokes nothing where other connections
 * share the grant
 */
export async function prepareRevocation(
  deps: Omit<CredentialDeletionDeps, 'vault'> & { vault: VaultReader },
  sub: string,
  { mcpId, row, credential }: OwnedCredential,
): Promise<() => Promise<boolean>> {
  const revokeNothing = async () => false
  if (credential.sealed === undefined) return revokeNothing
  try {
    const authorizationServer = resolveAuthorizationServer(mcpId, row, credential)
    const tokens = await unsealTokens(deps.sealer, { sub, mcpId }, credential)
    const client = await loadClient(deps, { sub, entryId: toEntryId(mcpId) }, credential, tokens)
    if (!authorizationServer || !client) return revokeNothing
    if (await isGrantShared(deps, sub, mcpId, client)) return revokeNothing
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
 * Refreshes an access token that has expired or soon will, for providers that revoke a grant by it: an expired one revokes nothing, and
 * the refresh token would stay valid.
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

const findSharedGrant = (mcpId: string) => findBuiltIn(mcpId)?.oauth?.sharedGrant

/**
 * Whether two credentials of one integration may be of one grant, because they are of the same client and issuer: many servers end all
 * tokens of a user and a client when one is revoked.
 */
export const mayShareGrant = (
  one: Pick<CredentialRow, 'sealed' | 'client_id' | 'server'>,
  other: Pick<CredentialRow, 'sealed' | 'client_id' | 'server'>,
) =>
  one.sealed !== undefined &&
  other.sealed !== undefined &&
  one.client_id === other.client_id &&
  one.server?.issuer === other.server?.issuer

/**
 * Revokes a grant that is not stored, so that it does not stay open at the provider. One that may be the grant of a stored
 * connection (`mayShareGrant`) stays: its revocation would end the connection. Never throws.
 */
export async function revokeUnstoredGrant(
  deps: Pick<CredentialDeletionDeps, 'credentials' | 'http'>,
  sub: string,
  mcpId: string,
  {
    authorizationServer,
    granted,
    client,
    credential,
  }: {
    authorizationServer: AuthorizationServer
    granted: Pick<TokenSet, 'accessToken' | 'refreshToken'>
    client: OAuthClient
    /** as it would have been stored */
    credential: Pick<CredentialRow, 'client_id' | 'server'>
  },
): Promise<void> {
  try {
    const stored = await deps.credentials.find(sub, mcpId).catch(() => undefined)
    const isInUse = stored?.status === 'active' && mayShareGrant(stored, { ...credential, sealed: '' })
    if (isInUse || (await isGrantShared(deps, sub, mcpId, client).catch(() => false))) return
    await revokeGrant(deps.http, authorizationServer, granted, client)
  } catch (error) {
    logger.warn('a grant could not be revoked', { error })
  }
}

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
