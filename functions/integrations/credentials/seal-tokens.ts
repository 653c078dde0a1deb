import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { computeExpiry } from '#shared/token-status.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { CredentialRow, StoredTokens } from '../store/credential-repository.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { type GrantedTokens, type TokenSet } from './tokens.ts'

// Tokens at rest, sealed for their owner.

const tokenSet = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  instanceUrl: z.string().optional(),
  clientSecret: z.string().optional(),
})

/** Tokens decrypt only for this user and integration. */
interface TokenOwner {
  sub: string
  mcpId: string
}

/** Encryption context of tokens. */
export const tokenContext = ({ sub, mcpId }: TokenOwner, version: string) =>
  `tokens|${sub}|${mcpId}|${version}`

/**
 * Encrypts new tokens for this user, integration and version, and computes their expiry.
 * @param carriedOver is stored with them: the client secret, and the refresh token and instance URL if the response has none
 */
export async function sealTokens(
  sealer: Pick<Sealer, 'seal'>,
  owner: TokenOwner,
  granted: GrantedTokens,
  {
    authorizationServer,
    carriedOver,
    now,
  }: { authorizationServer: AuthorizationServer; carriedOver: Partial<TokenSet>; now: Date },
): Promise<StoredTokens> {
  const version = randomUUID()
  const {
    accessToken,
    refreshToken = carriedOver.refreshToken,
    instanceUrl = carriedOver.instanceUrl,
  } = granted
  const { clientSecret } = carriedOver
  const toExpiryTime = (seconds: number | null | undefined) => {
    const end = seconds ? computeExpiry(now.getTime(), seconds) : undefined
    return end === undefined ? undefined : new Date(end).toISOString()
  }
  const accessExpires = toExpiryTime(granted.expiresInSeconds ?? authorizationServer.expiresInSeconds)
  return {
    version,
    sealed: await sealer.seal(
      JSON.stringify({ accessToken, refreshToken, instanceUrl, clientSecret }),
      tokenContext(owner, version),
    ),
    refreshable: refreshToken !== undefined,
    access_expires_at: accessExpires,
    // with a refresh token, the user does not have to act when the access token expires
    expires_at: refreshToken === undefined ? accessExpires : toExpiryTime(granted.grantExpiresInSeconds),
  }
}

/** @throws Error if the row has no tokens, or they do not belong to this user, integration and version */
export async function unsealTokens(
  sealer: Pick<Sealer, 'open'>,
  owner: TokenOwner,
  row: CredentialRow,
): Promise<TokenSet> {
  if (row.sealed === undefined) throw new Error('no tokens are stored')
  const { accessToken, refreshToken, instanceUrl, clientSecret } = tokenSet.parse(
    JSON.parse(await sealer.open(row.sealed, tokenContext(owner, row.version))),
  )
  return { accessToken, refreshToken, instanceUrl, clientSecret }
}
