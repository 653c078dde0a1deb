import { createHash, randomBytes } from 'node:crypto'
import { CognitoError } from './errors.ts'
import { signInGoogleUser } from './federated-user.ts'
import { errorPage, googlePage } from './google-page.ts'
import type { HostedRequest } from './hosted-state.ts'
import { isEmail } from './attributes.ts'
import type { Pool } from './pool.ts'
import { HOSTED_SCOPE } from './tokens.ts'

/** The hosted domain of the pool, and the part of Google that it redirects to. */
const AUTHORIZE = '/oauth2/authorize'
const GOOGLE = '/google/o/oauth2/v2/auth'
const RESPONSE = '/oauth2/idpresponse'
const TOKEN = '/oauth2/token'
const LOGOUT = '/logout'
const PATHS = [AUTHORIZE, GOOGLE, RESPONSE, TOKEN, LOGOUT]

export interface HostedCall {
  method: string
  url: URL
  cookie: string
  form: URLSearchParams
}

export interface HostedAnswer {
  status: number
  headers: Record<string, string>
  body?: string
}

export const isHostedPath = (path: string | undefined): boolean => PATHS.includes(path ?? '')

/** Handles a browser's request to the hosted pages: sign-in with code and PKCE, Google's consent, sign-out. */
export async function hostedAnswer(pool: Pool, call: HostedCall): Promise<HostedAnswer> {
  const route = `${call.method} ${call.url.pathname}`
  if (route === `GET ${AUTHORIZE}`) return authorize(pool, call)
  if (route === `GET ${GOOGLE}`) return askConsent(pool, call)
  if (route === `POST ${GOOGLE}`) return decide(pool, call)
  if (route === `GET ${RESPONSE}`) return returnFromGoogle(pool, call)
  if (route === `POST ${TOKEN}`) return exchangeCode(pool, call)
  if (route === `GET ${LOGOUT}`) return logOut(pool, call)
  return { status: 405, headers: { 'content-type': 'text/plain' }, body: 'Method Not Allowed' }
}

function authorize(pool: Pool, { url: { searchParams: query }, cookie }: HostedCall): HostedAnswer {
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== pool.clientId) return refuse('The client does not exist.')
  if (!pool.returnUrls.includes(redirectUri)) return refuse('redirect_mismatch')
  const state = query.get('state') ?? undefined
  const fail = (error: string, description: string) =>
    back({ redirectUri, state }, { error, error_description: description })
  const scopes = (query.get('scope') ?? HOSTED_SCOPE).split(' ')
  if (query.get('response_type') !== 'code') return fail('unauthorized_client', 'response_type')
  if (scopes.some((scope) => !HOSTED_SCOPE.split(' ').includes(scope)))
    return fail('invalid_scope', 'invalid_scope')
  const codeChallenge = query.get('code_challenge') ?? ''
  if (codeChallenge === '' || query.get('code_challenge_method') !== 'S256')
    return fail('invalid_request', 'code_challenge_method')
  const request: HostedRequest = { redirectUri, state, codeChallenge }

  const session = pool.hosted.sessions.find(sessionCookie(pool, cookie))
  // a signed-in user is redirected at once, unless the page sets `prompt`
  if (typeof session !== 'string' && query.get('prompt') === null) return finish(pool, request, session.sub)
  const id = newId()
  pool.hosted.requests.begin(id, request)
  const toGoogle = new URLSearchParams({
    client_id: 'local',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: RESPONSE,
    state: id,
    ...(query.has('prompt') && { prompt: query.get('prompt') ?? '' }),
  })
  return redirect(`${GOOGLE}?${toGoogle.toString()}`)
}

function askConsent(pool: Pool, { url }: HostedCall): HostedAnswer {
  const request = pool.hosted.requests.find(url.searchParams.get('state') ?? '')
  return typeof request === 'string'
    ? refuse('This sign-in is over. Please begin again.')
    : page(200, googlePage())
}

function decide(pool: Pool, { url, form }: HostedCall): HostedAnswer {
  const state = url.searchParams.get('state') ?? ''
  const email = form.get('email')?.trim() ?? ''
  if (form.get('decision') !== 'allow')
    return redirect(`${RESPONSE}?${new URLSearchParams({ error: 'access_denied', state }).toString()}`)
  if (!isEmail(email)) return page(400, errorPage('Couldn’t find your Google Account.'))
  const code = newId()
  pool.hosted.googleCodes.begin(code, {
    email,
    emailVerified: !form.has('unverified'),
    name: form.get('name')?.trim() || email,
  })
  return redirect(`${RESPONSE}?${new URLSearchParams({ code, state }).toString()}`)
}

async function returnFromGoogle(
  pool: Pool,
  { url: { searchParams: query } }: HostedCall,
): Promise<HostedAnswer> {
  const id = query.get('state') ?? ''
  const request = pool.hosted.requests.find(id)
  if (typeof request === 'string') return refuse('This sign-in is over. Please begin again.')
  pool.hosted.requests.spend(id)
  const error = query.get('error')
  if (error !== null) return back(request, { error, error_description: 'User cancelled OAuth flow' })
  const code = query.get('code') ?? ''
  const profile = pool.hosted.googleCodes.find(code)
  if (typeof profile === 'string')
    return back(request, { error: 'invalid_request', error_description: 'bad id_token' })
  pool.hosted.googleCodes.spend(code)
  try {
    const { sub } = await signInGoogleUser(pool, profile)
    return finish(pool, request, sub)
  } catch (refusal) {
    if (!(refusal instanceof CognitoError)) throw refusal
    return back(request, { error: 'invalid_request', error_description: refusal.message })
  }
}

function finish(pool: Pool, request: HostedRequest, sub: string): HostedAnswer {
  const [code, session] = [newId(), newId()]
  pool.hosted.codes.begin(code, { ...request, sub })
  pool.hosted.sessions.begin(session, { sub })
  const answer = back(request, { code })
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'set-cookie': `${cookieName(pool)}=${session}; Path=/; HttpOnly; SameSite=Lax`,
    },
  }
}

async function exchangeCode(pool: Pool, { form }: HostedCall): Promise<HostedAnswer> {
  if (form.get('client_id') !== pool.clientId) return json(400, { error: 'invalid_client' })
  if (form.get('grant_type') !== 'authorization_code') return json(400, { error: 'unsupported_grant_type' })
  const code = form.get('code') ?? ''
  const issued = pool.hosted.codes.find(code)
  if (typeof issued === 'string') return json(400, { error: 'invalid_grant' })
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
    return json(400, { error: 'invalid_grant' })
  const tokens = await pool.tokens.issue(user)
  return json(200, {
    access_token: tokens.AccessToken,
    id_token: tokens.IdToken,
    refresh_token: tokens.RefreshToken,
    expires_in: tokens.ExpiresIn,
    token_type: tokens.TokenType,
  })
}

function logOut(pool: Pool, { url: { searchParams: query }, cookie }: HostedCall): HostedAnswer {
  const target = query.get('logout_uri') ?? ''
  if (query.get('client_id') !== pool.clientId || !pool.returnUrls.includes(target))
    return refuse('redirect_mismatch')
  pool.hosted.sessions.spend(sessionCookie(pool, cookie))
  const { status, headers } = redirect(target)
  return { status, headers: { ...headers, 'set-cookie': `${cookieName(pool)}=; Path=/; Max-Age=0` } }
}

/** Cookies ignore ports: two products on one machine must not share cookies. */
const cookieName = (pool: Pool): string => `hosted-${pool.id}`

function sessionCookie(pool: Pool, cookie: string): string {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookieName(pool))?.[1] ?? ''
}

const newId = (): string => randomBytes(24).toString('base64url')

function back(
  { redirectUri, state }: Pick<HostedRequest, 'redirectUri' | 'state'>,
  result: Record<string, string>,
): HostedAnswer {
  const query = new URLSearchParams({ ...result, ...(state !== undefined && { state }) })
  return redirect(`${redirectUri}?${query.toString()}`)
}

const redirect = (location: string): HostedAnswer => ({ status: 302, headers: { location } })

const json = (status: number, body: object): HostedAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** A wrong client or redirect URI gets an error page instead of a redirect. */
const refuse = (sentence: string): HostedAnswer => page(400, errorPage(sentence))

const page = (status: number, body: string): HostedAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  },
  body,
})
