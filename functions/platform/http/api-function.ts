import { sayPlatform } from '#shared/sentences/platform.ts'
import middy from '@middy/core'
import { executionModeStandard } from '@middy/core/Standard'
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { Readable, type Writable } from 'node:stream'
import type * as z from 'zod'
import type { RouteContract, routeContracts } from '#shared/contracts/route-contracts.ts'
import type { RouteQuery, RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { apiFunctions, routes, type ApiFunctionName, type PathParams } from '#shared/routes.ts'
import type { Access, Route, RouteName, FunctionRoutes } from '#shared/routes.ts'
import { adminGroup } from '#shared/user-pool.ts'
import type { User } from '../auth/access-token.ts'
import type { ChatCall } from './rate-limit.ts'
import { requestGuards } from './request-guards.ts'
import { errorResponse, jsonHeaders, type HttpResponse } from './error-response.ts'
import { BadRequest, NotAdministrator, RouteNotFound, TwoFactorRequired } from '../errors.ts'
import { sayInvalidInput, sayIssue } from '../invalid-input.ts'
import { parseJsonBody, readFileBody } from './json-body.ts'
import { logger, userHash, type Logger } from '../telemetry/logger.ts'
import { getRequestId, logRequestOutcome } from '../telemetry/request-log.ts'
import type { Table } from '../dynamodb/table.ts'
import { tokenRevocation } from '../auth/token-revocation.ts'
import { waitForAll } from '../wait-for-all.ts'

type UserFor<Granted extends Access> = {
  public: undefined
  optional: User | undefined
  user: User
  admin: User
}[Granted]

/** The validated request, typed by its route. */
export interface ValidRequest<Name extends RouteName> {
  readonly params: PathParams<Name>
  readonly query: RouteQuery<Name>
  readonly body: RouteRequest<Name>
  /** of routes with `takesAudio` */
  readonly file: (typeof routes)[Name] extends { takesAudio: true } ? Buffer : undefined
  /** from the verified token; on public routes undefined, on optional ones for callers without a token */
  readonly user: UserFor<(typeof routes)[Name]['access']>
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>
  readonly requestId: string
  /** when the gateway got the request */
  readonly receivedAtMs: number
  /** time until the function is ended from outside */
  readonly remainingMs: () => number
  readonly log: Logger
  /**
   * Checks that the token was not revoked, and counts the call. Runs before the handler, except for self-guarded routes, which call it in
   * parallel with their first reads. Repeated calls have no effect.
   * @throws InvalidToken, SessionEnded, TooManyCalls
   */
  readonly guard: (admit?: (call: ChatCall) => Promise<void>) => Promise<void>
}

/** A response of a streaming function that is sent while it is produced. */
export class StreamedResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: AsyncIterable<string | Uint8Array>
  /** settles when the work behind the stream ends: the function must not end before, even without a reader */
  readonly finished: Promise<unknown>

  constructor(init: {
    headers: Readonly<Record<string, string>>
    chunks: AsyncIterable<string | Uint8Array>
    finished: Promise<unknown>
  }) {
    this.headers = init.headers
    this.chunks = init.chunks
    this.finished = init.finished
  }
}

type HandlerResult<Name extends RouteName> =
  | RouteResponse<Name>
  | ((typeof apiFunctions)[(typeof routes)[Name]['functionName']]['streaming'] extends true
      ? StreamedResponse
      : never)

type ApiHandler<Name extends RouteName> = (call: ValidRequest<Name>) => Promise<HandlerResult<Name>>

/** The contracts of the function's routes, and of no others. */
export type ApiContracts<FunctionName extends ApiFunctionName> = Pick<
  typeof routeContracts,
  FunctionRoutes<FunctionName>
>

/** How calls are guarded, where that differs from the default. */
interface GuardOptions<Name extends RouteName> {
  /** routes whose handlers call `guard` themselves, in parallel with their first reads; a response without it fails */
  selfGuarded?: readonly Name[]
  /** a table with batched reads, for the revocation check */
  table?: Table
}

/** A handler per route of the function: no more, no fewer. */
export type ApiHandlers<FunctionName extends ApiFunctionName> = {
  [Name in FunctionRoutes<FunctionName>]: ApiHandler<Name>
}

/** The proxy event with the state of the middlewares. */
interface ApiEvent extends APIGatewayProxyEvent {
  state: {
    name: RouteName
    route: Route
    contract: RouteContract
    headers: Record<string, string>
    startedAtMs: number
    user: User | undefined
    guard: ValidRequest<RouteName>['guard']
    isGuarded: boolean
    body: unknown
    file: Buffer | undefined
    query: unknown
    log: Logger
    finished?: Promise<unknown>
    /** error of the chunks of a streamed response */
    streamError?: unknown
  }
}

type ApiResponse = HttpResponse | { statusCode: number; headers: Record<string, string>; body: Readable }
type ApiRequest = middy.Request<ApiEvent, ApiResponse, Error, Context>

/** Finds the route of the event among those of this function. */
function resolveRoute(functionName: ApiFunctionName, contracts: Partial<Record<RouteName, RouteContract>>) {
  const ownRoutes = Object.entries(routes as Record<RouteName, Route>).filter(
    ([, route]) => route.functionName === functionName,
  )
  return ({ event, context }: ApiRequest) => {
    const found = ownRoutes.find(
      ([, { method, path }]) => method === event.httpMethod && path === event.resource,
    )
    if (!found) throw new RouteNotFound(`${functionName} has no route ${event.httpMethod} ${event.resource}`)
    const name = found[0] as RouteName
    const headers = Object.entries(event.headers ?? {}).map(([key, value]) => [
      key.toLowerCase(),
      value ?? '',
    ])
    event.state = {
      name,
      route: found[1],
      contract: contracts[name] as RouteContract,
      headers: Object.fromEntries(headers) as Record<string, string>,
      startedAtMs: Date.now(),
      user: undefined,
      guard: () => Promise.resolve(),
      isGuarded: true,
      body: undefined,
      file: undefined,
      query: undefined,
      log: logger.with({ requestId: getRequestId(event, context), route: name }),
    }
  }
}

/**
 * Checks the token and the rate limit before the body is parsed. Calls of self-guarded routes are rejected here only by what this
 * process already knows.
 */
function guard(functionName: ApiFunctionName, { selfGuarded = [], table }: GuardOptions<RouteName>) {
  const hasGuardedRoutes = Object.values(routes).some(
    (route) => route.functionName === functionName && route.access !== 'public',
  )
  // created now, so that a missing variable fails the start and not the first call
  const guards = hasGuardedRoutes ? requestGuards() : undefined
  const revocation = table ? tokenRevocation(table) : guards?.revocation
  return async ({ event }: ApiRequest) => {
    const { state } = event
    if (!guards || !revocation || state.route.access === 'public') return
    if (state.route.access === 'optional' && state.headers['authorization'] === undefined) return
    state.user = await guards.verify(state.headers['authorization'])
    state.log = state.log.with({ user: userHash(state.user.sub) })
    const { user, route } = state
    if (user.mustSetUpTwoFactor && route.withoutTwoFactor !== true)
      throw new TwoFactorRequired(`${state.name} needs a second factor`)
    const check = async (admit?: (call: ChatCall) => Promise<void>) => {
      await waitForAll([
        revocation.check(user, route.whileErasing === true, Date.now()),
        guards.limits.count(user.sub, route.limit, admit),
      ])
      state.isGuarded = true
    }
    let checking: Promise<void> | undefined
    state.isGuarded = false
    state.guard = (admit) => (checking ??= check(admit))
    if (selfGuarded.includes(state.name)) guards.limits.rejectIfUsedUp(user.sub, route.limit)
    else await state.guard()
    if (route.access === 'admin' && !user.groups.includes(adminGroup))
      throw new NotAdministrator(`${state.name} is for administrators`)
  }
}

/** A call that fails before it is guarded is counted too; an error of the guard takes precedence. */
async function guardBeforeFailing<Result>(
  { guard }: ApiEvent['state'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await guard()
    throw error
  }
}

/** @throws BadRequest with the first problem and its path: `messages.0.role: Invalid option` */
function parseInput(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const problem = issue ? sayIssue(issue, value) : sayInvalidInput('other', 'Invalid input')
  throw new BadRequest(sayPlatform('bad_request.invalid', { problem }), { cause: parsed.error })
}

/** Ids in paths are ours or the browser's UUIDs; nothing else exists. */
const pathParameter = /^[A-Za-z0-9_-]{1,64}$/
/** Names of groups are what the user pool takes, and blanks. */
const pathName = /^[\p{L}\p{M}\p{S}\p{N}\p{P} ]{1,128}$/u

function validateRequest({ event }: ApiRequest) {
  const { state } = event
  const { request, query } = state.contract
  for (const [name, value = ''] of Object.entries(event.pathParameters ?? {}))
    if (!(name === 'groupName' ? pathName : pathParameter).test(value))
      throw new RouteNotFound('a path parameter that is not an id')
  if (query) state.query = parseInput(query, event.queryStringParameters ?? {})
  if (state.route.takesAudio) state.file = readFileBody(event, state.route.maxBodyBytes)
  if (!request) return
  const body = parseJsonBody(event.body, {
    isBase64Encoded: event.isBase64Encoded,
    maxBytes: state.route.maxBodyBytes,
  })
  if (body === undefined && !request.safeParse({}).success)
    throw new BadRequest(sayPlatform('bad_request.no_body'))
  state.body = parseInput(request, body === undefined ? {} : body)
}

const validate = (request: ApiRequest) =>
  guardBeforeFailing(request.event.state, async () => validateRequest(request))

function logRequest({ event, context, response, error }: ApiRequest) {
  // absent if no route was found
  const state = event.state as ApiEvent['state'] | undefined
  logRequestOutcome(state?.log ?? logger, {
    requestId: getRequestId(event, context),
    route: state?.name,
    status: response?.statusCode ?? 0,
    durationMs: state ? Date.now() - state.startedAtMs : 0,
    error,
  })
}

function setErrorResponse(request: ApiRequest) {
  request.response = errorResponse(request.error, getRequestId(request.event, request.context))
}

/** Notes an error of the chunks themselves, as opposed to one of the stream after the client disconnected. */
async function* observeChunks(chunks: StreamedResponse['chunks'], state: ApiEvent['state']) {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        state.streamError = error
        throw error
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

type StreamingHandler = (event: ApiEvent, stream: Writable, context: Context) => Promise<unknown>

/** of Lambda's runtime; it marks the handler and returns it */
declare const awslambda: { streamifyResponse(handler: StreamingHandler): StreamingHandler }

/**
 * A client that disconnects breaks the stream, and middy rejects. Lambda and its alarm would count that as an error of the function,
 * although the response itself did not fail.
 */
const ignoreDisconnects = (handler: StreamingHandler): StreamingHandler =>
  awslambda.streamifyResponse(async (event, stream, context) => {
    try {
      await handler(event, stream, context)
    } catch (error) {
      const state = event.state as ApiEvent['state'] | undefined
      if (!stream.destroyed || !state || state.streamError !== undefined) throw error
      state.log.info('the client disconnected')
    }
  })

function toResponse(result: unknown, state: ApiEvent['state']): ApiResponse {
  if (result instanceof StreamedResponse) {
    state.finished = result.finished
    const body = Readable.from(observeChunks(result.chunks, state), { objectMode: false, highWaterMark: 0 })
    // nginx waits for the end of an answer without it: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
    return { statusCode: 200, headers: { ...result.headers, 'x-accel-buffering': 'no' }, body }
  }
  const body = JSON.stringify(state.contract.response.parse(result))
  return { statusCode: 200, headers: { ...jsonHeaders }, body }
}

/**
 * The Lambda handler of a function: verifies the token, counts the call, validates the body, calls the route's handler, validates and
 * serialises the result, turns errors into responses and logs one line.
 * @param functionName name in the route table; decides whether the function streams
 * @param contracts of its routes
 * @param handlers one per route
 */
export function apiFunction<FunctionName extends ApiFunctionName>(
  functionName: FunctionName,
  contracts: ApiContracts<FunctionName>,
  handlers: ApiHandlers<FunctionName>,
  guardOptions: GuardOptions<FunctionRoutes<FunctionName>> = {},
) {
  const { streaming } = apiFunctions[functionName]
  const call = async (event: ApiEvent, context: Context): Promise<ApiResponse> => {
    const { state } = event
    const handler = handlers[state.name as FunctionRoutes<FunctionName>] as (
      input: unknown,
    ) => Promise<unknown>
    const input = {
      params: event.pathParameters ?? {},
      query: state.query,
      body: state.body,
      file: state.file,
      user: state.user,
      headers: state.headers,
      requestId: getRequestId(event, context),
      receivedAtMs: event.requestContext.requestTimeEpoch,
      remainingMs: () => context.getRemainingTimeInMillis(),
      log: state.log,
      guard: state.guard,
    }
    const result = await guardBeforeFailing(state, () => handler(input))
    if (!state.isGuarded) throw new Error(`${state.name} responded without its guard`)
    return toResponse(result, state)
  }
  const handler = middy<ApiEvent, ApiResponse>({
    executionMode: streaming ? executionModeStreamifyResponse : executionModeStandard,
    // runs have their own deadline; everything else is far shorter than the function's timeout
    timeoutEarlyInMillis: 0,
    // awaited after the body is written, also if the client disconnected
    requestEnd: (request: { event: unknown }) => (request.event as ApiEvent).state?.finished,
  })
    .before(resolveRoute(functionName, contracts))
    .before(guard(functionName, guardOptions))
    .before(validate)
    .after(logRequest)
    .onError(logRequest)
    .onError(setErrorResponse)
    .handler(call)
  return streaming
    ? (ignoreDisconnects(handler as unknown as StreamingHandler) as unknown as typeof handler)
    : handler
}
