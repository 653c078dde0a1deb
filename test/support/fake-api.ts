import { vi } from 'vitest'
import type * as z from 'zod'
import type { Connection } from '#shared/contracts/integrations.ts'
import { routeContracts, type RouteContract, type RouteQuery } from '#shared/contracts/route-contracts.ts'
import { apiFunctions, routes, type PathParams, type RouteName } from '#shared/routes.ts'
import { ApiError, NetworkError } from '../../web/src/lib/api/api-errors.ts'
import { findImpossibleState } from './connections.ts'

/**
 * The network of a page under test: `/config.json`, the user pool, and an API that is as strict as the real one. A request that
 * violates the route's contract gets 400, a response that violates it 500; both also fail the test, because web-setup.ts fails
 * tests with console errors.
 */

type Contracts = typeof routeContracts
type Input<Name extends RouteName, Key extends string> =
  Contracts[Name] extends Record<Key, infer Schema extends z.ZodType> ? z.input<Schema> : undefined

/** A request as it was sent; `params`, `query` and `body` are absent when nothing was sent. */
interface SentRequest<Name extends RouteName> {
  params: PathParams<Name>
  query: RouteQuery<Name>
  body: Input<Name, 'request'>
  /** present when the request continues after the page is closed */
  keepalive?: true
}

type RouteResult<Name extends RouteName> =
  // a stream, or the page of a proxy in between
  Input<Name, 'response'> | Response

/** The API's responses by route. A handler that throws ApiError responds with that error; NetworkError closes the connection. */
export type RouteHandlers = {
  [Name in RouteName]?: (request: SentRequest<Name>) => RouteResult<Name> | Promise<RouteResult<Name>>
}

interface FakeNetwork {
  /** the user pool's responses by operation; others get no response */
  pool?: Record<string, () => Response>
  /** everything outside the product, such as the links of stored files */
  elsewhere?: (url: string, init: RequestInit | undefined) => Response | Promise<Response>
  /** fields of config.json that differ from the defaults */
  config?: Record<string, unknown>
}

const fakeUser = { sub: 'u1', email: 'mika@roastery.example', fullName: 'Mika Korhonen' }
const clientId = 'client'
const keyPrefix = `CognitoIdentityServiceProvider.${clientId}`
const poolEndpoint = 'http://pool.test/'
const config = {
  region: 'eu-central-1',
  userPoolId: 'eu-central-1_Ab',
  userPoolClientId: clientId,
  userPoolEndpoint: poolEndpoint,
  assistantName: 'Juno',
  brandName: 'Juno',
  signUp: 'open',
  models: [],
  demo: { model: false, providers: false },
  version: '1',
}

/** Longer than any test moves the clock, so that tokens are never refreshed. */
const tokenSeconds = 10 * 365 * 24 * 3600

/** Stores a sign-in in the browser in the sign-in library's format. */
export function storeSession(
  { sub, email, fullName } = fakeUser,
  expiresInSeconds = tokenSeconds,
  /** further claims of the access token */
  moreClaims: object = {},
): void {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub, iat, exp: iat + expiresInSeconds }
  localStorage.setItem(`${keyPrefix}.LastAuthUser`, sub)
  localStorage.setItem(`${keyPrefix}.${sub}.accessToken`, jwt({ ...claims, username: sub, ...moreClaims }))
  localStorage.setItem(`${keyPrefix}.${sub}.idToken`, jwt({ ...claims, email, name: fullName }))
  localStorage.setItem(`${keyPrefix}.${sub}.refreshToken`, 'refresh-1')
  localStorage.setItem(`${keyPrefix}.${sub}.clockDrift`, '0')
}

/** Removes the sign-in, like a sign-out in another tab. */
export function removeSession(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(keyPrefix)) localStorage.removeItem(key)
}

/** Tokens as the user pool returns them for a refresh. */
export function renewedTokens({ sub, email, fullName } = fakeUser): Response {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub, iat, exp: iat + tokenSeconds }
  return Response.json({
    AuthenticationResult: {
      AccessToken: jwt({ ...claims, username: sub }),
      IdToken: jwt({ ...claims, email, name: fullName }),
      RefreshToken: 'refresh-2',
      ExpiresIn: 900,
      TokenType: 'Bearer',
    },
  })
}

const jwt = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`
const storedAccessToken = () =>
  localStorage.getItem(`${keyPrefix}.${localStorage.getItem(`${keyPrefix}.LastAuthUser`)}.accessToken`)

/**
 * Replaces the network, and signs a user in unless one is signed in.
 * @param handlers the API's responses; a request to any other route fails the test
 * @returns the page's requests so far
 */
export function fakeApi(
  handlers: RouteHandlers,
  { pool = {}, elsewhere, config: changes }: FakeNetwork = {},
) {
  const requests: [RouteName, object][] = []
  const poolRequests: string[] = []
  if (storedAccessToken() === null) storeSession()

  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), location.origin)
    init.signal?.throwIfAborted()
    if (url.pathname === '/config.json') return Response.json({ ...config, ...changes })
    if (url.href === poolEndpoint) {
      const operation = new Headers(init.headers).get('x-amz-target')?.split('.')[1] ?? 'unknown'
      poolRequests.push(operation)
      const result = pool[operation]
      if (!result) throw new TypeError('Failed to fetch')
      return result()
    }
    if (url.origin !== location.origin && elsewhere) return elsewhere(url.href, init)
    return unlessAborted(respondToRoute(url, init), init.signal)
  })

  async function respondToRoute(url: URL, init: RequestInit): Promise<Response> {
    const found = findRoute(init.method ?? 'GET', url.pathname)
    if (!found) return fail(404, `no route handles ${init.method ?? 'GET'} ${url.pathname}`)
    const { name, params } = found
    // every page asks for it
    if (name === 'site.read' && !handlers[name])
      return Response.json({ notice: null, signUp: 'open', replies: 'on' })
    const contract: RouteContract = routeContracts[name]
    const token = new Headers(init.headers).get('authorization')
    // like requestGuards: only a valid bearer token passes
    if (['user', 'admin'].includes(routes[name].access) && token !== `Bearer ${storedAccessToken()}`)
      return refuse(new ApiError({ status: 401, code: 'unauthorized', userMessage: 'Please sign in.' }))

    // like api-function.ts: anything else is not found
    if (Object.values(params).some((value) => !/^[A-Za-z0-9_-]{1,64}$/.test(value)))
      return fail(404, `${name} has no such id: ${url.pathname}`)
    if (typeof init.body === 'string' && new Blob([init.body]).size > routes[name].maxBodyBytes)
      return fail(413, `${name} takes at most ${routes[name].maxBodyBytes} bytes`)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const query = contract.query?.safeParse(Object.fromEntries(url.searchParams))
    requests.push([
      name,
      {
        ...(Object.keys(params).length > 0 && { params }),
        ...(query && { query: query.data }),
        ...(body !== undefined && { body }),
        ...(init.keepalive && { keepalive: true }),
      },
    ])
    if (query?.error) return fail(400, `${name} refuses the query: ${query.error.message}`)
    // like api-function.ts: no body counts as an empty object
    const request = contract.request?.safeParse(body ?? {})
    if (request?.error) return fail(400, `${name} refuses the body: ${request.error.message}`)

    const handler = handlers[name] as ((request: object) => unknown) | undefined
    if (!handler) return fail(500, `the test has no handler for ${name}`)
    let result: unknown
    try {
      result = await handler({ params, query: query?.data, body })
    } catch (error) {
      if (error instanceof ApiError) return refuse(error)
      if (error instanceof NetworkError)
        throw error.hasTimedOut
          ? new DOMException('The operation timed out.', 'TimeoutError')
          : new TypeError('Failed to fetch')
      throw error
    }
    if (result instanceof Response && (apiFunctions[routes[name].functionName].streaming || !isJson(result)))
      return result
    // like the server: fields that are not in the contract are removed
    const parsed = contract.response.safeParse(result)
    if (parsed.error) return fail(500, `${name} cannot respond with this: ${parsed.error.message}`)
    const impossible = connectionsIn(parsed.data).map(findImpossibleState).find(Boolean)
    return impossible
      ? fail(500, `${name} cannot respond with this: ${impossible}`)
      : Response.json(parsed.data)
  }

  return {
    requests,
    poolRequests,
    requestsTo: <Name extends RouteName>(name: Name) =>
      requests
        .filter(([asked]) => asked === name)
        .map(([, request]) => request as Partial<SentRequest<Name>>),
  }
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.includes('json') === true

function fail(status: number, message: string): Response {
  console.error(message)
  return refuse(new ApiError({ status, code: 'contract_broken', userMessage: message }))
}

/** The error contract, see functions/platform/http/error-response.ts. */
function refuse({ status, code, userMessage, attachmentIds, retryAfterSeconds }: ApiError): Response {
  const headers = { ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }) }
  const body = { success: false, error: userMessage, code, requestId: 'r-1', attachmentIds }
  return Response.json(body, { status, headers })
}

function findRoute(
  method: string,
  path: string,
): { name: RouteName; params: Record<string, string> } | undefined {
  for (const name of Object.keys(routes) as RouteName[]) {
    const pattern = new RegExp(`^${routes[name].path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = routes[name].method === method ? pattern.exec(path) : null
    if (!match) continue
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return { name, params: Object.fromEntries(params) as Record<string, string> }
  }
  return undefined
}

function unlessAborted(result: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  if (!signal) return result
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
  return Promise.race([result, aborted])
}

/** The connections in a response of `integrations.list` or `integrations.connect`. */
function connectionsIn(result: unknown): Connection[] {
  const { integrations = [], integration } = result as { integrations?: unknown[]; integration?: unknown }
  return [...integrations, integration].filter(
    (one): one is Connection => typeof one === 'object' && one !== null && 'token_status' in one,
  )
}
