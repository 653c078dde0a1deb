import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { expiryAfter } from '#shared/token-status.ts'
import type { Sealer } from '../platform/secrets/seal.ts'
import type { CredentialRow, RenewedTokens } from './credential-repository.ts'
import type { GrantedTokens, TokenSet } from './token-endpoint.ts'
import type { Grantor } from './grantor.ts'

const tokenSet = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  instanceUrl: z.string().optional(),
  clientSecret: z.string().optional(),
})

/** Tokens open for nobody and nothing else. */
interface TokenOwner {
  sub: string
  mcpId: string
}

/** What tokens are sealed for. */
export const tokenContext = ({ sub, mcpId }: TokenOwner, version: string) =>
  `tokens|${sub}|${mcpId}|${version}`

/**
 * What the table holds of new tokens: sealed for this user, integration and version, with the times that follow from them. A
 * refresh token that the answer does not repeat is kept.
 */
export async function sealTokens(
  sealer: Pick<Sealer, 'seal'>,
  owner: TokenOwner,
  granted: GrantedTokens,
  { grantor, previous, now }: { grantor: Grantor; previous: Partial<TokenSet>; now: Date },
): Promise<RenewedTokens> {
  const version = randomUUID()
  const { accessToken, refreshToken = previous.refreshToken, instanceUrl = previous.instanceUrl } = granted
  const { clientSecret } = previous
  const after = (seconds: number | null | undefined) => {
    const end = seconds ? expiryAfter(now.getTime(), seconds) : undefined
    return end === undefined ? undefined : new Date(end).toISOString()
  }
  const accessExpires = after(granted.expiresInSeconds ?? grantor.expiresInSeconds)
  return {
    version,
    sealed: await sealer.seal(
      JSON.stringify({ accessToken, refreshToken, instanceUrl, clientSecret }),
      tokenContext(owner, version),
    ),
    refreshable: refreshToken !== undefined,
    access_expires_at: accessExpires,
    // DEC-050: where a refresh token is held, the end of the access token is none of the person's business
    expires_at: refreshToken === undefined ? accessExpires : after(granted.grantExpiresInSeconds),
  }
}

/** @throws Error when the row holds no tokens, or they are not those of this user, integration and version */
export async function openTokens(
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
