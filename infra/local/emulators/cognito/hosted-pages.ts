import { createHash } from 'node:crypto'
import { signInErrorPage } from '../../sign-in-page.ts'
import { CognitoError } from './errors.ts'
import { signInFederatedUser } from './federated-user.ts'
import { respondGoogle, googlePath } from './google-provider.ts'
import {
  htmlResponse,
  type HostedResponse,
  type HostedRequest,
  jsonResponse,
  newRandomToken,
  redirectTo,
} from './hosted-response.ts'
import type { AuthorizationRequest } from './hosted-state.ts'
import { FederationError } from './identity-provider.ts'
import type { Pool } from './pool.ts'
import { HOSTED_SCOPE } from './tokens.ts'

/** The hosted domain of the pool, where Google's page is, too. */
const AUTHORIZE = '/oauth2/authorize'
const RESPONSE = '/oauth2/idpresponse'
const TOKEN = '/oauth2/token'
const LOGOUT = '/logout'
const PATHS = [AUTHORIZE, googlePath, RESPONSE, TOKEN, LOGOUT]

export const isHostedPath = (path: string | undefined): boolean => PATHS.includes(path ?? '')

/** Handles a browser's request to the hosted pages: sign-in at a provider with code and PKCE, Google's consent, sign-out. */
export async function respondHosted(pool: Pool, request: HostedRequest): Promise<HostedResponse> {
  const route = `${request.method} ${request.url.pathname}`
  if (route === `GET ${AUTHORIZE}`) return authorize(pool, request)
  if (route === `GET ${googlePath}` || route === `POST ${googlePath}`) return respondGoogle(pool, request)
  if (route === `GET ${RESPONSE}`) return returnFromProvider(pool, request)
  if (route === `POST ${TOKEN}`) return exchangeCode(pool, request)
  if (route === `GET ${LOGOUT}`) return logOut(pool, request)
  return { status: 405, headers: { 'content-type': 'text/plain' }, body: 'Method Not Allowed' }
}

function authorize(pool: Pool, { url, cookie }: HostedRequest): HostedResponse {
  const query = url.searchParams
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== pool.clientId) return refuse('The client does not exist.')
  if (!pool.returnUrls.includes(redirectUri)) return refuse('redirect_mismatch')
  const state = query.get('state') ?? undefined
  const fail = (error: string, description: string) =>
    redirectBack({ redirectUri, state }, { error, error_description: description })
  const scopes = (query.get('scope') ?? HOSTED_SCOPE).split(' ')
  if (query.get('response_type') !== 'code') return fail('unauthorized_client', 'response_type')
  if (scopes.some((scope) => !HOSTED_SCOPE.split(' ').includes(scope)))
    return fail('invalid_scope', 'invalid_scope')
  const codeChallenge = query.get('code_challenge') ?? ''
  if (codeChallenge === '' || query.get('code_challenge_method') !== 'S256')
    return fail('invalid_request', 'code_challenge_method')
  const request: AuthorizationRequest = { redirectUri, state, codeChallenge, scopes }

  const session = pool.hosted.sessions.find(sessionCookie(pool, cookie))
  // a signed-in user is redirected at once, unless the page sets `prompt`
  if (typeof session !== 'string' && query.get('prompt') === null) return finish(pool, request, session.sub)
  // without a provider the service shows a page of its own to choose one; nothing here leads to it
  const provider = pool.identityProviders.get(query.get('identity_provider') ?? '')
  if (!provider) return refuse('The identity provider does not exist.')
  const id = newRandomToken()
  pool.hosted.requests.add(id, { ...request, provider: provider.name })
  return redirectTo(
    provider.createSignInUrl({
      redirectUri: `${url.origin}${RESPONSE}`,
      state: id,
      prompt: query.get('prompt'),
      loginHint: query.get('login_hint'),
    }),
  )
}

async function returnFromProvider(pool: Pool, { url }: HostedRequest): Promise<HostedResponse> {
  const query = url.searchParams
  const id = query.get('state') ?? ''
  const request = pool.hosted.requests.find(id)
  const provider = typeof request === 'string' ? undefined : pool.identityProviders.get(request.provider)
  if (typeof request === 'string' || !provider) return refuse('This sign-in is over. Please begin again.')
  pool.hosted.requests.spend(id)
  const error = query.get('error')
  if (error !== null)
    return redirectBack(request, {
      error,
      error_description: query.get('error_description') ?? 'User cancelled OAuth flow',
    })
  try {
    const claims = await provider.redeem(pool, query.get('code') ?? '', `${url.origin}${RESPONSE}`)
    const { sub } = await signInFederatedUser(pool, provider, claims)
    return finish(pool, request, sub)
  } catch (refusal) {
    if (refusal instanceof FederationError)
      return redirectBack(request, { error: refusal.code, error_description: refusal.message })
    if (!(refusal instanceof CognitoError)) throw refusal
    return redirectBack(request, { error: 'invalid_request', error_description: refusal.message })
  }
}

function finish(pool: Pool, request: AuthorizationRequest, sub: string): HostedResponse {
  const [code, session] = [newRandomToken(), newRandomToken()]
  pool.hosted.codes.add(code, { ...request, sub })
  pool.hosted.sessions.add(session, { sub })
  const redirect = redirectBack(request, { code })
  return {
    ...redirect,
    headers: {
      ...redirect.headers,
      'set-cookie': `${cookieName(pool)}=${session}; Path=/; HttpOnly; SameSite=Lax`,
    },
  }
}

async function exchangeCode(pool: Pool, { form }: HostedRequest): Promise<HostedResponse> {
  if (form.get('client_id') !== pool.clientId) return jsonResponse(400, { error: 'invalid_client' })
  if (form.get('grant_type') !== 'authorization_code')
    return jsonResponse(400, { error: 'unsupported_grant_type' })
  const code = form.get('code') ?? ''
  const issued = pool.hosted.codes.find(code)
  if (typeof issued === 'string') return jsonResponse(400, { error: 'invalid_grant' })
  pool.hosted.codes.spend(code)
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const user = pool.store.findUserBySub(issued.sub)
  if (
    !user ||
    user.disabled ||
    proof !== issued.codeChallenge ||
    form.get('redirect_uri') !== issued.redirectUri
  )
    return jsonResponse(400, { error: 'invalid_grant' })
  let tokens: Awaited<ReturnType<typeof pool.tokens.issueHosted>>
  try {
    tokens = await pool.tokens.issueHosted(user, issued.scopes)
  } catch (error) {
    if (!(error instanceof CognitoError)) throw error
    return jsonResponse(400, { error: 'invalid_grant', error_description: error.message })
  }
  return jsonResponse(200, {
    access_token: tokens.AccessToken,
    id_token: tokens.IdToken,
    refresh_token: tokens.RefreshToken,
    expires_in: tokens.ExpiresIn,
    token_type: tokens.TokenType,
  })
}

function logOut(pool: Pool, { url: { searchParams: query }, cookie }: HostedRequest): HostedResponse {
  const target = query.get('logout_uri') ?? ''
  if (query.get('client_id') !== pool.clientId || !pool.returnUrls.includes(target))
    return refuse('redirect_mismatch')
  pool.hosted.sessions.spend(sessionCookie(pool, cookie))
  const { status, headers } = redirectTo(target)
  return { status, headers: { ...headers, 'set-cookie': `${cookieName(pool)}=; Path=/; Max-Age=0` } }
}

/** Cookies ignore ports: two products on one machine must not share cookies. */
const cookieName = (pool: Pool): string => `hosted-${pool.id}`

function sessionCookie(pool: Pool, cookie: string): string {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookieName(pool))?.[1] ?? ''
}

function redirectBack(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  result: Record<string, string>,
): HostedResponse {
  const query = new URLSearchParams({ ...result, ...(state !== undefined && { state }) })
  return redirectTo(`${redirectUri}?${query.toString()}`)
}

/** A wrong client, redirect URI or provider gets an error page instead of a redirect. */
const refuse = (message: string): HostedResponse => htmlResponse(400, signInErrorPage(message))
