import { createHash, randomBytes } from 'node:crypto'
import { authorizePage, refusalPage } from './authorize-page.ts'
import { added, findBehaviour, json, type ProviderRequest, type ProviderResponse } from './http.ts'
import type { ProviderStore } from './store.ts'

const codeLifeMs = 60_000
const newToken = (kind: string) => `${kind}-${randomBytes(24).toString('base64url')}`

/** How one of the providers differs from the others. */
export interface OAuthRules {
  name: string
  /** a request without PKCE is refused */
  requiresPkce: boolean
  /** sent with the redirect back to the app (RFC 9207) */
  issuer?: string
  /** the resource that tokens are for (RFC 8707), required at every step */
  resource?: string
  /**
   * also accepts redirect URIs below the registered one, as GitHub and Slack do:
   * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#redirect-urls
   * https://docs.slack.dev/authentication/installing-with-oauth#redirect_urls
   */
  allowsSubpaths?: boolean
  /** why the app may not send a user here; undefined: it may */
  findAppProblem?: (clientId: string, redirectUri: string) => Promise<string | undefined>
  admitsApp?: (clientId: string, secret: string | undefined) => boolean
  /** where users may be sent back to besides this machine */
  redirectHost?: string | undefined
}

/** An OAuth provider: a page with Allow and Cancel, codes that work once, PKCE, rotation, expiry, revocation. */
export const oauthDouble = (store: ProviderStore, getRules: (provider: string) => OAuthRules) => {
  const { state } = store

  /** Why the consent page cannot be shown. This error is shown to the user and never sent to the redirect URI. */
  async function findProblem(provider: string, query: URLSearchParams): Promise<string | undefined> {
    const {
      requiresPkce,
      resource,
      allowsSubpaths = false,
      redirectHost,
      findAppProblem = findRedirectProblem(allowsSubpaths),
    } = getRules(provider)
    const clientId = query.get('client_id')
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('response_type') !== 'code') return 'The request asks for no code.'
    if (!clientId) return 'The request names no app.'
    if (!['127.0.0.1', 'localhost', redirectHost].includes(URL.parse(redirectUri)?.hostname))
      return 'The redirect URI is not on this machine.'
    if (requiresPkce && query.get('code_challenge_method') !== 'S256') return 'PKCE is required.'
    if (resource !== undefined && query.get('resource') !== resource) return 'The resource is not named.'
    return (
      added.rules?.findAuthorizationProblem(provider, withoutDecision(query)) ??
      findAppProblem(clientId, redirectUri)
    )
  }

  async function authorize(provider: string, { query }: ProviderRequest): Promise<ProviderResponse> {
    const problem = await findProblem(provider, query)
    if (problem) return refusalPage(problem)
    return authorizePage(getRules(provider).name, query)
  }

  /** The click on Allow or Cancel. */
  async function decide(provider: string, { query }: ProviderRequest): Promise<ProviderResponse> {
    const problem = await findProblem(provider, query)
    if (problem) return refusalPage(problem)
    const { issuer } = getRules(provider)
    const clientId = query.get('client_id') ?? ''
    const callbackUrl = new URL(query.get('redirect_uri') ?? '')
    callbackUrl.searchParams.set('state', query.get('state') ?? '')
    if (issuer !== undefined) callbackUrl.searchParams.set('iss', issuer)
    if (findBehaviour(clientId).hasWrongIssuer) callbackUrl.searchParams.set('iss', 'https://issuer.invalid')
    if (query.get('decision') === 'allow') {
      const code = newToken('code')
      state.codes[code] = {
        provider,
        clientId,
        redirectUri: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge') ?? undefined,
        resource: getRules(provider).resource,
        scopes: parseScopes(query),
        expiresAtMs: Date.now() + codeLifeMs,
      }
      await store.save()
      callbackUrl.searchParams.set('code', code)
    } else callbackUrl.searchParams.set('error', 'access_denied')
    return { status: 302, headers: { location: callbackUrl.href } }
  }

  async function exchangeToken(provider: string, request: ProviderRequest): Promise<ProviderResponse> {
    const form = new URLSearchParams(request.body)
    const { clientId, secret } = parseClient(request, form)
    const { fault } = findBehaviour(clientId)
    if (fault) return fault
    const problem = added.rules?.findTokenProblem(provider, form, request.headers['authorization'])
    if (problem) return json(problem === 'invalid_client' ? 401 : 400, { error: problem })
    const { admitsApp, resource } = getRules(provider)
    if (admitsApp && !admitsApp(clientId, secret)) return json(401, { error: 'invalid_client' })
    if (resource !== undefined && form.get('resource') !== resource)
      return json(400, { error: 'invalid_target' })
    const tokens =
      form.get('grant_type') === 'refresh_token'
        ? refresh(provider, clientId, form.get('refresh_token') ?? '')
        : redeem(provider, clientId, form)
    await store.save()
    return tokens
  }

  function redeem(provider: string, clientId: string, form: URLSearchParams): ProviderResponse {
    const name = form.get('code') ?? ''
    const code = Object.hasOwn(state.codes, name) ? state.codes[name] : undefined
    // a code works once, even when the exchange fails
    delete state.codes[name]
    const isUsable =
      code?.provider === provider &&
      code.clientId === clientId &&
      code.redirectUri === form.get('redirect_uri') &&
      code.expiresAtMs > Date.now() &&
      matchesChallenge(form.get('code_verifier'), code.challenge)
    if (!isUsable) return json(400, { error: 'invalid_grant' })
    const grantId = newToken('grant')
    const { refreshTokens } = findBehaviour(clientId)
    const refreshToken = refreshTokens === 'none' ? undefined : newToken('refresh')
    state.grants[grantId] = { provider, clientId, refreshToken, scopes: code.scopes, revoked: false }
    return grantTokens(grantId)
  }

  function refresh(provider: string, clientId: string, refreshToken: string): ProviderResponse {
    const found = Object.entries(state.grants).find(
      ([, grant]) =>
        grant.provider === provider && grant.clientId === clientId && grant.refreshToken === refreshToken,
    )
    const behaviour = findBehaviour(clientId)
    if (!found || found[1].revoked || behaviour.refusesRefresh) return json(400, { error: 'invalid_grant' })
    if (behaviour.refreshTokens === 'rotating') found[1].refreshToken = newToken('refresh')
    return grantTokens(found[0])
  }

  function grantTokens(grantId: string): ProviderResponse {
    const grant = state.grants[grantId]
    if (!grant) return json(400, { error: 'invalid_grant' })
    const { expiresIn, sendsExpiryAsString } = findBehaviour(grant.clientId)
    for (const [token, { expiresAtMs }] of Object.entries(state.accessTokens))
      if (expiresAtMs !== null && expiresAtMs < Date.now()) delete state.accessTokens[token]
    const accessToken = newToken('access')
    state.accessTokens[accessToken] = {
      grantId,
      expiresAtMs: expiresIn === null ? null : Date.now() + expiresIn * 1_000,
    }
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      ...(expiresIn !== null && { expires_in: sendsExpiryAsString ? String(expiresIn) : expiresIn }),
      ...(grant.refreshToken !== undefined && { refresh_token: grant.refreshToken }),
    })
  }

  async function revoke(provider: string, request: ProviderRequest): Promise<ProviderResponse> {
    const token =
      new URLSearchParams(request.body).get('token') ?? parseBearer(request) ?? parseJsonToken(request.body)
    const access = state.accessTokens[token ?? '']
    let revoked = false
    for (const [grantId, grant] of Object.entries(state.grants))
      if (grant.provider === provider && (grant.refreshToken === token || access?.grantId === grantId))
        revoked = grant.revoked = true
    await store.save()
    // failures have status 200, too: https://docs.slack.dev/reference/methods/auth.revoke
    if (provider === 'slack')
      return json(200, revoked ? { ok: true, revoked: true } : { ok: false, error: 'invalid_auth' })
    // RFC 7009 requires success for an unknown token, too
    return provider === 'github' ? { status: 204 } : { status: 200 }
  }

  return {
    /** @returns undefined for an unknown path */
    async respond(provider: string, request: ProviderRequest): Promise<ProviderResponse | undefined> {
      const call = `${request.method} ${request.path}`
      if (call === 'GET /authorize') return authorize(provider, request)
      if (call === 'GET /authorize/decide') return decide(provider, request)
      if (call === 'POST /token') return exchangeToken(provider, request)
      if (request.path === '/revoke' && (request.method === 'POST' || request.method === 'DELETE'))
        return revoke(provider, request)
      return undefined
    },

    /** The grant of an access token, if it is valid at this provider. */
    findGrant(provider: string, token: string | undefined): { scopes?: readonly string[] } | undefined {
      const access = state.accessTokens[token ?? '']
      const grant = access && state.grants[access.grantId]
      if (!grant || grant.provider !== provider || grant.revoked) return undefined
      if (access.expiresAtMs !== null && access.expiresAtMs <= Date.now()) return undefined
      return grant.scopes ? { scopes: grant.scopes } : {}
    },
  }
}

/** Without what the consent page adds. */
function withoutDecision(query: URLSearchParams): URLSearchParams {
  const parameters = new URLSearchParams(query)
  parameters.delete('decision')
  return parameters
}

/** The redirect URI that users register by hand: it has to match exactly (RFC 9700 section 4.1.3). */
const registeredPath = '/oauth/callback'

const findRedirectProblem = (allowsSubpaths: boolean) => async (_: string, redirectUri: string) => {
  const { pathname, search } = new URL(redirectUri)
  const isRegistered = pathname === registeredPath && search === ''
  return isRegistered || (allowsSubpaths && pathname.startsWith(`${registeredPath}/`))
    ? undefined
    : 'The app is not registered with this redirect URI.'
}

/** @returns undefined when the request names none: the app's own settings count then */
const parseScopes = (query: URLSearchParams) =>
  query
    .get('scope')
    ?.split(/[ ,]+/)
    .filter((scope) => scope !== '')

function matchesChallenge(verifier: string | null, challenge: string | undefined): boolean {
  if (challenge === undefined) return verifier === null
  return verifier !== null && createHash('sha256').update(verifier).digest('base64url') === challenge
}

function parseClient({ headers }: ProviderRequest, form: URLSearchParams) {
  const basic = /^Basic (.+)$/.exec(headers['authorization'] ?? '')?.[1]
  if (basic === undefined)
    return { clientId: form.get('client_id') ?? '', secret: form.get('client_secret') ?? undefined }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return { clientId: decodeURIComponent(id), secret: decodeURIComponent(secret) }
}

export const parseBearer = ({ headers }: ProviderRequest) =>
  /^(?:Bearer|OAuth) (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? headers['x-shopify-access-token']

function parseJsonToken(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { access_token?: string }).access_token
  } catch {
    return undefined
  }
}
