import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { computeExpiry } from '#shared/token-status.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import type { CredentialRow, StoredTokens } from '../credential-repository.ts'
import { OAuthError, UnexpectedTokenResponse } from '../errors.ts'
import type { VaultReader } from '../vault/vault.ts'
import type { AuthorizationServer } from './authorization-server.ts'

export interface TokenSet {
  accessToken: string
  refreshToken: string | undefined
  /** the API root of this account, if the provider sends one */
  instanceUrl: string | undefined
  /** secret of a dynamically registered client, stored with its tokens */
  clientSecret?: string | undefined
}

export interface GrantedTokens extends TokenSet {
  /** lifetime of the access token, if the response has it */
  expiresInSeconds: number | undefined
  /** lifetime of the refresh token, if the response has it */
  grantExpiresInSeconds: number | undefined
  /** if the response has it: then it may differ from what was requested (RFC 6749 section 5.1) */
  scope?: string | undefined
}

export interface OAuthClient {
  clientId: string
  clientSecret: string | undefined
}

/** Timeout of a token request; the refresh lease is derived from it. */
export const tokenCallMs = 10_000

/** 100 years, beyond which `Date` may overflow. */
const maxSeconds = 3_155_760_000

const seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,12}(\.\d+)?$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined)
  // providers whose tokens do not expire send zero or negative values
  .transform((value) => (value !== undefined && value > 0 ? Math.min(value, maxSeconds) : undefined))

const tokenResponse = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: z.string().min(1).max(16_384).optional().catch(undefined),
  expires_in: seconds,
  refresh_token_expires_in: seconds,
  instance_url: z.string().optional().catch(undefined),
  scope: z.string().max(4_096).optional().catch(undefined),
})

/** most providers send errors with status 400 or 401, some with 200 */
const errorResponse = z.object({ error: z.union([z.string(), z.object({}).transform(() => 'error')]) })

/**
 * Sends a token request (code exchange or refresh), which times out after `tokenCallMs`.
 * @throws OAuthError with the error code, UnexpectedTokenResponse, OutboundFailed, AddressForbidden
 */
export async function requestTokens(
  http: Pick<OutboundHttp, 'text'>,
  url: string,
  parameters: Record<string, string>,
  { authorizationServer, client }: { authorizationServer: AuthorizationServer; client: OAuthClient },
): Promise<GrantedTokens> {
  const { headers, fields } = buildClientAuthentication(authorizationServer, client)
  const { status, text } = await http.text(url, {
    method: 'POST',
    redirect: 'error',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ ...parameters, ...fields, ...authorizationServer.tokenParams }).toString(),
    signal: AbortSignal.timeout(tokenCallMs),
  })
  const body = parseBody(text)
  const parsed = tokenResponse.safeParse(body)
  if (status < 300 && parsed.success) {
    const { data } = parsed
    return {
      accessToken: data.access_token,
      refreshToken: data.refresh_token,
      expiresInSeconds: data.expires_in,
      grantExpiresInSeconds: data.refresh_token_expires_in,
      instanceUrl: data.instance_url,
      scope: data.scope,
    }
  }
  const errorBody = errorResponse.safeParse(body)
  if (errorBody.success && status < 500)
    throw new OAuthError(authorizationServer.name, cleanErrorCode(errorBody.data.error))
  throw new UnexpectedTokenResponse(`status ${status} for a token request`)
}

/** Limits an untrusted error code to a few harmless characters before it is shown. */
const cleanErrorCode = (error: string) => error.replace(/[^\w .-]/g, '').slice(0, 60) || 'error'

function buildClientAuthentication(
  { clientAuth }: Pick<AuthorizationServer, 'clientAuth'>,
  { clientId, clientSecret }: OAuthClient,
) {
  if (clientAuth === 'basic' && clientSecret !== undefined) {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
  }
  return {
    headers: {},
    fields: { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) },
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // some providers still respond form-encoded
    return /^[\w.-]+=/.test(text) && text.length < 65_536
      ? Object.fromEntries(new URLSearchParams(text))
      : undefined
  }
}

/** Slack reports failures with status 200, too: https://docs.slack.dev/reference/methods/auth.revoke */
const slackRevoked = z.object({ ok: z.literal(true), revoked: z.literal(true) })

/** Revokes a grant at the provider. Never throws. @returns whether the provider confirmed it */
export async function revokeGrant(
  http: Pick<OutboundHttp, 'text'>,
  authorizationServer: AuthorizationServer,
  tokens: Pick<TokenSet, 'accessToken' | 'refreshToken'>,
  client: OAuthClient,
): Promise<boolean> {
  const url = authorizationServer.revokeUrl?.replace('{client_id}', encodeURIComponent(client.clientId))
  if (!url) return false
  const { accessToken, refreshToken } = tokens
  const bearer = { authorization: `Bearer ${accessToken}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    if (authorizationServer.revocation === 'github') {
      const { headers } = buildClientAuthentication({ clientAuth: 'basic' }, client)
      const { status } = await http.text(url, {
        method: 'DELETE',
        redirect: 'error',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      })
      return status === 204
    }
    const { revocation } = authorizationServer
    if (revocation === 'bearer' || revocation === 'slack') {
      const { status, text } = await http.text(url, { method: 'POST', redirect: 'error', headers: bearer })
      return status === 200 && (revocation === 'bearer' || slackRevoked.safeParse(parseBody(text)).success)
    }
    const { headers, fields } = buildClientAuthentication(authorizationServer, client)
    const token = revocation === 'access-token' ? accessToken : (refreshToken ?? accessToken)
    const { status } = await http.text(url, {
      method: 'POST',
      redirect: 'error',
      headers: { ...form, ...headers },
      body: new URLSearchParams({ token, ...fields }).toString(),
    })
    return status < 300
  } catch {
    return false
  }
}

/** Field name of the client secret in stored credentials. */
export const clientSecretName = 'clientSecret'

/**
 * Loads the OAuth client that a credential was granted to: the user's own app, a dynamically registered client, or the operator's app.
 * @returns undefined if it no longer exists
 */
export async function loadClient(
  { vault }: { vault: VaultReader },
  { sub, entryId }: { sub: string; entryId: string },
  credential: CredentialRow,
  tokens: TokenSet,
): Promise<OAuthClient | undefined> {
  if (credential.client_id !== undefined) {
    const credentials = credential.secret_name ? await vault.read(sub, credential.secret_name) : {}
    return {
      clientId: credential.client_id,
      clientSecret: credentials[clientSecretName] ?? tokens.clientSecret,
    }
  }
  const app = (await loadOperatorApps())[entryId]
  return app && { clientId: app.clientId, clientSecret: app.clientSecret }
}

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
