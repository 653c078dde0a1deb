import type { RouteQuery, RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { defaultTimeoutMs } from '#shared/limits.ts'
import { routePath, routes, type PathParams, type RouteName } from '#shared/routes.ts'
import { ApiError, hasErrorName, NetworkError, NotSignedInError } from './api-errors.ts'
import { emitSignOut } from './auth-events.ts'
import { accessToken, hasStoredTokens, replaceAccessToken } from './auth-tokens.ts'

/** What a route takes: `params` for its path, `query`, `body`; each only where the route has one. */
export type RouteInput<Name extends RouteName> = (keyof PathParams<Name> extends never
  ? { params?: undefined }
  : { params: PathParams<Name> }) &
  (undefined extends RouteQuery<Name> ? { query?: undefined } : { query?: RouteQuery<Name> }) &
  (undefined extends RouteRequest<Name> ? { body?: undefined } : { body: RouteRequest<Name> })

interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
  /** goes on when the page is left meanwhile */
  keepalive?: boolean
}

/**
 * Calls a route and reads its JSON answer.
 * @throws ApiError when the API refuses or fails, NetworkError when no answer comes within `timeoutMs` (10 s),
 *   NoSessionError when nobody is signed in, ConfigError when the page has no configuration; an abort by the caller's own
 *   signal rejects with its reason
 */
export async function callApi<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
  { signal, timeoutMs = defaultTimeoutMs, keepalive = false }: CallOptions = {},
): Promise<RouteResponse<Name>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await authorizedFetch(name, input, {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    keepalive,
  })
  try {
    return (await response.json()) as RouteResponse<Name>
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadable(response)
    throw asNetworkError(error)
  }
}

/**
 * Calls a route and gives the response as it is, for answers that stream. No time-out of its own. A token refused with 401
 * is renewed and tried once more before that counts as an answer.
 * @throws as `callApi`
 */
export async function authorizedFetch<Name extends RouteName>(
  name: Name,
  { params, query, body }: RouteInput<Name>,
  {
    signal,
    headers: extra,
    keepalive = false,
  }: { signal?: AbortSignal; headers?: Record<string, string>; keepalive?: boolean } = {},
): Promise<Response> {
  const { method, access } = routes[name]
  const url = routePath(name, (params ?? {}) as PathParams<Name>) + queryString(query)
  const send = async (token: string | undefined): Promise<Response> => {
    const headers = new Headers({ accept: 'application/json', ...extra })
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    try {
      return await fetch(url, {
        method,
        headers,
        ...(keepalive && { keepalive }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    } catch (error) {
      throw asNetworkError(error)
    }
  }
  let response: Response
  if (access === 'public' || (access === 'optional' && !(await hasStoredTokens()))) {
    response = await send(undefined)
  } else {
    const token = await accessToken()
    response = await send(token)
    if (response.status === 401 && (await codeOf(response)) === 'session_ended') emitSignOut('revoked')
    else if (response.status === 401) {
      const renewed = await replaceAccessToken(token).catch(orRefused)
      if (renewed !== undefined && renewed !== token) response = await send(renewed)
    }
  }
  if (!response.ok) throw await apiError(response)
  return response
}

/**
 * Gets everything ready for a call without a body, so that it can still be made while the page is being left: nothing is waited
 * for then.
 * @returns makes the call; its answer is as it came
 */
export async function readyCall<Name extends RouteName>(
  name: Name,
  { params, query }: RouteInput<Name>,
): Promise<() => Promise<Response>> {
  const token = await accessToken()
  const url = routePath(name, (params ?? {}) as PathParams<Name>) + queryString(query)
  return () =>
    fetch(url, {
      method: routes[name].method,
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      keepalive: true,
    })
}

/** The machine word of a refusal, which is left to be read once more. */
async function codeOf(response: Response): Promise<unknown> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined
  return body?.code
}

/** A session that has ended meanwhile leaves the refusal as the answer: the token was there, and it was not good. */
function orRefused(error: unknown): undefined {
  if (!(error instanceof NotSignedInError)) throw error
}

function queryString(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`
}

/** The caller's own abort stays what it is; a time-out and a lost connection become a NetworkError. */
function asNetworkError(error: unknown): unknown {
  if (hasErrorName(error, 'AbortError')) return error
  return new NetworkError(hasErrorName(error, 'TimeoutError'), { cause: error })
}

/** An answer in the error contract, or as much as can be said of one that is not. */
async function apiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error, code, requestId } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >
  if (typeof error !== 'string' || typeof code !== 'string') return unreadable(response)
  return new ApiError({
    status: response.status,
    code,
    userMessage: error,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterSeconds: retryAfterSeconds(response),
  })
}

function unreadable(response: Response): ApiError {
  return new ApiError({
    status: response.status,
    code: 'unreadable',
    userMessage: 'The service answered with something unexpected. Please try again.',
    retryAfterSeconds: retryAfterSeconds(response),
  })
}

function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined
}
