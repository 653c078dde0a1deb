import { parseJson } from '#shared/parse-json.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import * as z from 'zod'
import type { OutboundHttp } from '../../platform/net/outbound-http.ts'
import { loadOperatorApps } from '../../providers/operator-apps.ts'
import type { RemoteServer, CredentialRow } from '../store/credential-repository.ts'
import { MissingToken, OAuthError, SignInServerBusy, UnexpectedTokenResponse } from '../store/errors.ts'
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

/** Tokens that name a user's groups are long. Sealed, two of them fit into a row. */
const maxTokenCharacters = 65_536

const tokenResponse = z.object({
  access_token: z.string().min(1).max(maxTokenCharacters),
  refresh_token: z.string().min(1).max(maxTokenCharacters).optional().catch(undefined),
  expires_in: seconds,
  refresh_token_expires_in: seconds,
  instance_url: z.string().optional().catch(undefined),
  scope: z.string().max(4_096).optional().catch(undefined),
})

/** Slack's answer for an app that asks for scopes of the user alone: https://docs.slack.dev/reference/methods/oauth.v2.access */
const userTokens = z.object({ authed_user: z.object({ access_token: z.string().min(1) }) })

const text = z.string().min(1).optional().catch(undefined)
const errorFields = z.object({ code: text, type: text, error: text, message: text })
/** most providers send errors with status 400 or 401, some with 200, and some one or several objects instead of a code */
const errorResponse = z.object({
  error: z
    .union([z.string().min(1), errorFields])
    .optional()
    .catch(undefined),
  errors: z.array(errorFields).optional().catch(undefined),
  code: text,
  error_description: text,
})

/** RFC 6749 section 4.1.2.1 and RFC 8628 section 3.5; the others are names that providers give to a rate limit. */
const busyCodes =
  /^(?:temporarily_unavailable|server_error|slow_down|rate_?limit(?:ed|_exceeded)?|too_many_requests|throttled)$/i

/** Descriptions of a dead refresh token under a code that says less. */
const deadTokenText =
  /refresh.?token.{0,40}(?:expired|revoked|invalid|not found|unknown)|(?:expired|revoked|invalid|unknown) refresh.?token/i

/** @returns the error code of a token response; undefined if it has none */
function readErrorCode(body: unknown): string | undefined {
  const { data } = errorResponse.safeParse(body)
  if (!data || (data.error === undefined && data.errors === undefined && data.code === undefined))
    return undefined
  const { error, errors, code, error_description: description } = data
  if (deadTokenText.test((description ?? '').slice(0, 500))) return 'invalid_grant'
  if (typeof error === 'string') return error
  const fields = error ?? errors?.[0]
  return fields?.code ?? fields?.type ?? fields?.error ?? code ?? 'error'
}

/**
 * Sends a token request (code exchange or refresh), which times out after `tokenCallMs`.
 * @throws OAuthError with the error code, SignInServerBusy, UnexpectedTokenResponse, OutboundFailed, AddressForbidden
 */
export async function requestTokens(
  http: Pick<OutboundHttp, 'text'>,
  url: string,
  parameters: Record<string, string>,
  { authorizationServer, client }: { authorizationServer: AuthorizationServer; client: OAuthClient },
): Promise<GrantedTokens> {
  const { headers, fields } = buildClientAuthentication(authorizationServer, client)
  const {
    status,
    text,
    headers: received,
  } = await http.text(url, {
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
  if (status < 300 && userTokens.safeParse(body).success)
    throw new MissingToken({ name: authorizationServer.name })
  const code = readErrorCode(body)
  const { name } = authorizationServer
  if (status === 429 || status === 503 || (code !== undefined && busyCodes.test(code)))
    throw new SignInServerBusy(
      name,
      `status ${status} for a token request`,
      parseRetryAfter(received.get('retry-after')) || undefined,
    )
  if (code !== undefined && status < 500) throw new OAuthError(name, cleanErrorCode(code))
  // with these it refuses, though its words cannot be read
  const isRefusal = status === 400 || status === 401 || status === 422
  throw new UnexpectedTokenResponse(`status ${status} for a token request`, { isRefusal })
}

/** Limits an untrusted error code to a few harmless characters before it is shown. */
const cleanErrorCode = (error: string) => error.replace(/[^\w .-]/g, '').slice(0, 60) || 'error'

/** How servers say that they do not know a client: RFC 6749 section 5.2; Python's SDK for MCP says the second. */
export const unknownClientCodes: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

/** Refusals of something else than a parameter (RFC 6749 section 5.2). */
const isAboutElse =
  /^(?:invalid_grant|invalid_client|unauthorized_client|access_denied|invalid_scope|unsupported_grant_type)$/

/**
 * Whether a token request may have been refused because of `resource`. RFC 8707 has `invalid_target` for it; servers that do not know the
 * parameter answer with any other code, with a list of their own, or in words (dust-tt/dust#22773).
 */
const mayRefuseResource = (error: unknown) =>
  error instanceof OAuthError
    ? !isAboutElse.test(error.error)
    : error instanceof UnexpectedTokenResponse && error.isRefusal

/**
 * Sends a token request, and once more without what the server refuses: `resource` (RFC 8707 lets it), or the place of the client secret.
 * A refused request uses up neither a code nor a refresh token.
 * @returns the tokens, and the server as it takes requests
 * @throws as `requestTokens`
 */
export async function requestTokensTolerantly(
  http: Pick<OutboundHttp, 'text'>,
  url: string,
  parameters: Record<string, string>,
  { authorizationServer, client }: { authorizationServer: AuthorizationServer; client: OAuthClient },
): Promise<{ granted: GrantedTokens; authorizationServer: AuthorizationServer }> {
  const request = async (server: AuthorizationServer) => ({
    granted: await requestTokens(http, url, parameters, { authorizationServer: server, client }),
    authorizationServer: server,
  })
  try {
    return await request(authorizationServer)
  } catch (error) {
    const { resource, ...tokenParams } = authorizationServer.tokenParams
    if (resource !== undefined && mayRefuseResource(error))
      return request({ ...authorizationServer, tokenParams }).catch(() => {
        throw error
      })
    const isClientRefused = error instanceof OAuthError && error.error === 'invalid_client'
    if (!isClientRefused || client.clientSecret === undefined) throw error
    const clientAuth = authorizationServer.clientAuth === 'basic' ? 'post' : 'basic'
    // what the first one said is about the method that the server names
    return request({ ...authorizationServer, clientAuth }).catch(() => {
      throw error
    })
  }
}

/** The discovered server as it has taken the token request, for the next ones. */
export function rememberAccepted(
  { resource, ...server }: RemoteServer,
  { tokenParams, clientAuth }: AuthorizationServer,
): RemoteServer {
  return {
    ...server,
    client_auth: clientAuth,
    ...(resource !== undefined && tokenParams['resource'] !== undefined && { resource }),
  }
}

/**
 * Builds what authenticates the client at the token endpoint (RFC 6749, 2.3.1): a header, or fields of the form. A public client sends its id
 * alone.
 */
export function buildClientAuthentication(
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

/** Parses a response of an authorization server: JSON, or a form. @returns undefined for anything else */
export function parseBody(text: string): unknown {
  const value = parseJson(text)
  if (value !== undefined) return value
  // some providers still respond form-encoded
  return /^[\w.-]+=/.test(text) && text.length < 65_536
    ? Object.fromEntries(new URLSearchParams(text))
    : undefined
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
