import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { expiryAfter } from '#shared/token-status.ts'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { operatorApps } from '../../providers/operator-apps.ts'
import type { CredentialRow, RenewedTokens } from '../credential-repository.ts'
import { ProviderRefused, UnexpectedAnswer } from '../errors.ts'
import type { VaultReader } from '../vault/vault.ts'
import type { Grantor } from './authorization-server.ts'

/** What a provider gave. */
export interface TokenSet {
  accessToken: string
  refreshToken: string | undefined
  /** the API root that this account has, where the provider says so */
  instanceUrl: string | undefined
  /** of a client that registered itself, which has no other place */
  clientSecret?: string | undefined
}

export interface GrantedTokens extends TokenSet {
  /** of the access token, where the answer says so */
  expiresInSeconds: number | undefined
  /** of the refresh token, where the answer says so */
  grantExpiresInSeconds: number | undefined
}

export interface OAuthClient {
  clientId: string
  clientSecret: string | undefined
}

/** Until a token address has answered. Leases on tokens are measured by it. */
export const tokenCallMs = 10_000

/** A century: later times are none that a calendar has. */
const longestSeconds = 3_155_760_000

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
  // zero and less do not say that a token is over: providers without an end send them
  .transform((value) => (value !== undefined && value > 0 ? Math.min(value, longestSeconds) : undefined))

const answer = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: z.string().min(1).max(16_384).optional().catch(undefined),
  expires_in: seconds,
  refresh_token_expires_in: seconds,
  instance_url: z.string().optional().catch(undefined),
})

/** providers answer errors with 400 and 401, some with 200 */
const refusal = z.object({ error: z.union([z.string(), z.object({}).transform(() => 'error')]) })

/**
 * Asks the token address: for a code, or for a renewal. It has `tokenCallMs` to answer, whatever `http` allows.
 * @throws ProviderRefused with the provider's error word, UnexpectedAnswer, OutboundFailed, AddressForbidden
 */
export async function requestTokens(
  http: Pick<OutboundHttp, 'text'>,
  url: string,
  parameters: Record<string, string>,
  { grantor, client }: { grantor: Grantor; client: OAuthClient },
): Promise<GrantedTokens> {
  const { headers, fields } = clientAuthentication(grantor, client)
  const { status, text } = await http.text(url, {
    method: 'POST',
    redirect: 'error',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ ...parameters, ...fields, ...grantor.tokenParams }).toString(),
    signal: AbortSignal.timeout(tokenCallMs),
  })
  const body = parseBody(text)
  const granted = answer.safeParse(body)
  if (status >= 200 && status < 300 && granted.success) {
    const { data } = granted
    return {
      accessToken: data.access_token,
      refreshToken: data.refresh_token,
      expiresInSeconds: data.expires_in,
      grantExpiresInSeconds: data.refresh_token_expires_in,
      instanceUrl: data.instance_url,
    }
  }
  const refused = refusal.safeParse(body)
  if (refused.success && status < 500) throw new ProviderRefused(grantor.name, errorWord(refused.data.error))
  throw new UnexpectedAnswer(`status ${status} for a token request`)
}

/** A stranger's word in our sentence: short, and of the letters that such words have. */
const errorWord = (error: string) => error.replace(/[^\w .-]/g, '').slice(0, 60) || 'error'

function clientAuthentication(
  { clientAuth }: Pick<Grantor, 'clientAuth'>,
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
    // the form in which some providers answered before JSON, and still do without being asked for it
    return /^[\w.-]+=/.test(text) && text.length < 65_536
      ? Object.fromEntries(new URLSearchParams(text))
      : undefined
  }
}

/** Tells the provider that the grant is over. @returns whether it confirmed that; never throws */
export async function revokeGrant(
  http: Pick<OutboundHttp, 'text'>,
  grantor: Grantor,
  tokens: Pick<TokenSet, 'accessToken' | 'refreshToken'>,
  client: OAuthClient,
): Promise<boolean> {
  const url = grantor.revokeUrl?.replace('{client_id}', encodeURIComponent(client.clientId))
  if (!url) return false
  const { accessToken, refreshToken } = tokens
  const bearer = { authorization: `Bearer ${accessToken}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    if (grantor.revocation === 'github') {
      const { headers } = clientAuthentication({ clientAuth: 'basic' }, client)
      const { status } = await http.text(url, {
        method: 'DELETE',
        redirect: 'error',
        headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      })
      return status === 204
    }
    if (grantor.revocation === 'bearer') {
      const { status } = await http.text(url, { method: 'POST', redirect: 'error', headers: bearer })
      return status === 200
    }
    const { headers, fields } = clientAuthentication(grantor, client)
    const { status } = await http.text(url, {
      method: 'POST',
      redirect: 'error',
      headers: { ...form, ...headers },
      body: new URLSearchParams({ token: refreshToken ?? accessToken, ...fields }).toString(),
    })
    return status >= 200 && status < 300
  } catch {
    return false
  }
}

/** The name of the client secret among the typed values. */
export const clientSecretName = 'clientSecret'

/**
 * The app through which a credential was granted: the user's own, one that registered itself, or the operator's. Undefined when it is
 * not there any more.
 */
export async function clientOf(
  { vault }: { vault: VaultReader },
  { sub, entryId }: { sub: string; entryId: string },
  credential: CredentialRow,
  tokens: TokenSet,
): Promise<OAuthClient | undefined> {
  if (credential.client_id !== undefined) {
    const typed = credential.secret_name ? await vault.read(sub, credential.secret_name) : {}
    return { clientId: credential.client_id, clientSecret: typed[clientSecretName] ?? tokens.clientSecret }
  }
  const app = (await operatorApps())[entryId]
  return app && { clientId: app.clientId, clientSecret: app.clientSecret }
}

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
