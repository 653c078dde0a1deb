import { t } from '@lingui/core/macro'
import type { ReceivedCode } from '../text/translate-code.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import type { RouteQuery, RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { defaultTimeoutMs } from '../browser/limits.ts'
import { routePath, routes, type PathParams, type RouteName } from '#shared/routes.ts'
import { ApiError, hasErrorName, NetworkError, NotSignedInError } from './api-errors.ts'
import { emitAuthEvent } from './auth-events.ts'
import { getAccessToken, hasStoredTokens, replaceAccessToken } from './auth-tokens.ts'
import { noteServerTime } from '../browser/server-clock.ts'
import { translateSentence } from '../text/translate.ts'

/** Input of a route: `params` for its path, `query`, `body`; each only if the route has one. */
export type RouteInput<Name extends RouteName> = (keyof PathParams<Name> extends never
  ? { params?: undefined }
  : { params: PathParams<Name> }) &
  (undefined extends RouteQuery<Name> ? { query?: undefined } : { query?: RouteQuery<Name> }) &
  ((typeof routes)[Name] extends { takesAudio: true }
    ? { body: Blob }
    : undefined extends RouteRequest<Name>
      ? { body?: undefined }
      : { body: RouteRequest<Name> })

interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
  /** completes even if the page is closed meanwhile */
  keepalive?: boolean
  /** calls a route with an optional sign-in without one */
  asVisitor?: boolean
}

/**
 * Calls a route and parses its JSON response.
 * @throws ApiError when the API responds with an error or with something else than JSON; NetworkError when the connection fails or there is
 * no response within `timeoutMs`; NotSignedInError when no user is signed in; ConfigError when the page has no configuration; the
 * caller's AbortError
 */
export async function callApi<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
  { signal, timeoutMs = defaultTimeoutMs, ...options }: CallOptions = {},
): Promise<RouteResponse<Name>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await authorizedFetch(name, input, {
    ...options,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  return (await readJson(response)) as RouteResponse<Name>
}

interface FetchOptions extends Omit<CallOptions, 'timeoutMs'> {
  headers?: Record<string, string>
}

/**
 * Calls a route and returns the raw response, for streams. It has no timeout of its own. After a 401 the token is refreshed and the request is
 * repeated once, unless the session has ended: then the user is signed out.
 * @throws as `callApi`, but for responses that are no JSON: only those with an error are read
 */
export async function authorizedFetch<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
  options: FetchOptions = {},
): Promise<Response> {
  const { access } = routes[name]
  const send = (token?: string) => sendRequest(name, input, options, token)
  const isVisitor =
    access === 'public' || (access === 'optional' && (options.asVisitor || !(await hasStoredTokens())))
  const response = await (isVisitor ? send() : sendWithToken(send))
  noteServerTime(response.headers)
  if (response.ok) return response
  const error = await toApiError(response)
  if (error.code === 'two_factor_required') emitAuthEvent('changed')
  throw error
}

/** Sends a request with the access token; once more with a new token if it is refused, unless the session has ended. */
async function sendWithToken(send: (token: string) => Promise<Response>): Promise<Response> {
  const token = await getAccessToken()
  const response = await send(token)
  if (response.status !== 401) return response
  if ((await readErrorCode(response)) === 'session_ended') {
    emitAuthEvent('revoked')
    return response
  }
  const newToken = await replaceAccessToken(token).catch(ignoreSignedOut)
  return newToken === undefined || newToken === token ? response : send(newToken)
}

/** @throws NetworkError, or the caller's AbortError */
async function sendRequest<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
  { signal, headers: extraHeaders, keepalive = false }: FetchOptions,
  token: string | undefined,
): Promise<Response> {
  const { body } = input
  const headers = new Headers({ accept: 'application/json', ...extraHeaders })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const isFile = body instanceof Blob
  if (body !== undefined) headers.set('content-type', isFile ? body.type : 'application/json')
  try {
    return await fetch(buildUrl(name, input), {
      method: routes[name].method,
      headers,
      ...(keepalive && { keepalive }),
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    throw toNetworkError(error)
  }
}

/** Reads the error code of a response and leaves its body readable. */
async function readErrorCode(response: Response): Promise<unknown> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: unknown } | undefined
  return body?.code
}

/** Signed out meanwhile: the caller reports the original 401. */
function ignoreSignedOut(error: unknown): undefined {
  if (!(error instanceof NotSignedInError)) throw error
}

/** The address of a call: the path with its parameters, and the query without fields that are undefined. */
export function buildUrl<Name extends RouteName>(name: Name, { params, query }: RouteInput<Name>): string {
  const path = routePath(name, (params ?? {}) as PathParams<Name>)
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? path
    : `${path}?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()}`
}

/** Turns timeouts and lost connections into a NetworkError; the caller's own abort stays as it is. */
function toNetworkError(error: unknown): unknown {
  if (hasErrorName(error, 'AbortError')) return error
  return new NetworkError({ hasTimedOut: hasErrorName(error, 'TimeoutError'), cause: error })
}

interface ErrorBody {
  error?: unknown
  code?: unknown
  params?: ReceivedCode['params']
  requestId?: unknown
  attachmentIds?: readonly string[]
}

/** @throws ApiError `unreadable`, NetworkError, or the caller's AbortError */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw error instanceof SyntaxError ? toUnreadableError(response) : toNetworkError(error)
  }
}

/** Parses an error response; a body in another format than the API's becomes an `unreadable` error. @throws as `readJson` */
async function toApiError(response: Response): Promise<ApiError> {
  // a body that is no object has no such fields
  const { error, code, params, requestId, attachmentIds } = Object(await readJson(response)) as ErrorBody
  if (typeof error !== 'string' || typeof code !== 'string') return toUnreadableError(response)
  return new ApiError({
    status: response.status,
    code,
    userMessage: translateSentence({ code, params, text: error }),
    attachmentIds,
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
    requestId: typeof requestId === 'string' ? requestId : getRequestId(response),
  })
}

/** The id by which the gateway's logs have a request. */
const getRequestId = ({ headers }: Response) => headers.get('x-amzn-requestid') ?? undefined

/** The error of a response in another format than that of its route. */
export function toUnreadableError(response: Response): ApiError {
  return new ApiError({
    status: response.status,
    code: 'unreadable',
    userMessage: t`The service answered with something unexpected. Please try again.`,
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
    requestId: getRequestId(response),
  })
}
