import { createRemoteJWKSet, errors as joseErrors, jwtVerify, type JWTPayload } from 'jose'
import * as z from 'zod'
import { type Claims, FederationError, type IdentityProvider } from './identity-provider.ts'

/** An OpenID provider as it is configured in the pool: `ProviderDetails` and `AttributeMapping` of CreateIdentityProvider. */
export interface OpenIdProviderOptions {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  /** `openid` first */
  scopes: string[]
  attributeMapping: Record<string, string>
}

const discoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  jwks_uri: z.url(),
})
const tokenResponse = z.object({ access_token: z.string(), id_token: z.string() })
const errorResponse = z.object({ error: z.string(), error_description: z.string().default('') })

/** "Only signs ID tokens with HMAC-SHA, ECDSA, or RSA algorithms"; this emulator supports those with public keys. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512']
const requestLimitMs = 10_000

/**
 * An OpenID provider with the pool as relying party, by
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-oidc-idp.html: the endpoints come from discovery; the client
 * secret is sent in the body (`client_secret_post` alone is supported); the request has a state, and neither a nonce nor a proof key; the
 * ID token needs a key id, and its signature, issuer, audience and expiry are checked; the attributes come from it and from userinfo.
 * @throws Error when the issuer publishes no such configuration
 */
export async function openIdProvider(options: OpenIdProviderOptions): Promise<IdentityProvider> {
  const { name, issuer, clientId, clientSecret, scopes, attributeMapping } = options
  const endpoints = await discover(issuer)
  const keys = createRemoteJWKSet(new URL(endpoints.jwks_uri))

  async function redeemCode(code: string, redirectUri: string): Promise<z.output<typeof tokenResponse>> {
    const response = await fetch(endpoints.token_endpoint, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirectUri,
        code,
      }),
      signal: AbortSignal.timeout(requestLimitMs),
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw describeRefusal(name, response.status, body)
    const tokens = tokenResponse.safeParse(body)
    if (!tokens.success) throw new FederationError('invalid_request', `${name} Error - no id_token`)
    return tokens.data
  }

  async function verify(idToken: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
        issuer: endpoints.issuer,
        audience: clientId,
        algorithms,
        requiredClaims: ['sub', 'exp', 'iat'],
      })
      if (protectedHeader.kid === undefined)
        throw new FederationError('invalid_request', 'Bad id_token: no key id')
      return payload
    } catch (error) {
      if (!(error instanceof joseErrors.JOSEError)) throw error
      throw new FederationError('invalid_request', `Bad id_token: ${error.message}`, { cause: error })
    }
  }

  async function readUserInfo(accessToken: string): Promise<Claims> {
    const response = await fetch(endpoints.userinfo_endpoint, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
      signal: AbortSignal.timeout(requestLimitMs),
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw describeRefusal(name, response.status, body)
    return z.record(z.string(), z.unknown()).catch({}).parse(body)
  }

  return {
    name,
    type: 'OIDC',
    attributeMapping,
    createSignInUrl({ redirectUri, state, prompt, loginHint }) {
      const url = new URL(endpoints.authorization_endpoint)
      const query = {
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        response_type: 'code',
        state,
        ...(prompt !== null && { prompt }),
        ...(loginHint !== null && { login_hint: loginHint }),
      }
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
      return url.href
    },
    async redeem(_, code, redirectUri) {
      const tokens = await redeemCode(code, redirectUri)
      const identity = await verify(tokens.id_token)
      const userInfo = await readUserInfo(tokens.access_token)
      // https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse: another subject's claims "MUST NOT be used"
      if (userInfo['sub'] !== identity.sub)
        throw new FederationError('invalid_request', `${name} Error - userInfo of another subject`)
      return { ...identity, ...userInfo }
    },
  }
}

/** @throws Error when there is no document, or one of another issuer, as OpenID Connect Discovery 4.3 asks */
async function discover(issuer: string): Promise<z.output<typeof discoveryDocument>> {
  const address = `${issuer}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(requestLimitMs) })
  const found = discoveryDocument.safeParse(await response.json().catch(() => undefined))
  if (!response.ok || !found.success) throw new Error(`${address} is no configuration of an OpenID provider`)
  if (found.data.issuer !== issuer)
    throw new Error(`${address} is of the issuer ${found.data.issuer} instead of ${issuer}`)
  return found.data
}

/**
 * "Amazon Cognito adds the provider name and HTTP error code to the existing error strings":
 * https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoint-idp-responses.html
 */
function describeRefusal(name: string, status: number, body: unknown): FederationError {
  const { error, error_description: description } = errorResponse
    .catch({ error: 'server_error', error_description: '' })
    .parse(body)
  return new FederationError(error, `${name} Error - ${status} ${error} ${description}`.trim())
}
