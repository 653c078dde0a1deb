/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routeContracts, type RouteContract } from '#shared/contracts/route-contracts.ts'
import { type RouteName, routes } from '#shared/routes.ts'
import { type Identifiers, createBelongings } from '../support/belongings.ts'
import { arbitraryText, fc, divideRuns, mutatedJson } from '../support/fuzz.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { type RequestParts, listRequestsWithIds } from '../support/requests-with-ids.ts'
import { sendRaw } from '../support/raw-http.ts'
import { valuesFor } from '../support/schema-values.ts'
import type { StackUser } from '../support/stack-user.ts'
import { waitLimitMs } from '../support/time-limits.ts'

const allRoutes = Object.keys(routes) as RouteName[]

let stack: LocalStack
let ann: StackUser
/** a user who repeatedly signs out and erases their account */
let leavingUser: StackUser
let identifiers: Identifiers
beforeAll(async () => {
  stack = await startStack({ env: { RATE_LIMIT_FACTOR: '100000', DEMO_TOKENS_PER_SECOND: '100000' } })
  ;[ann, leavingUser] = await Promise.all([stack.newUser(), stack.newUser()])
  identifiers = await createBelongings(stack, ann)
})
afterAll(() => stack.stop())

/** Errors of other services, reported as such. */
const foreignErrorCodes = new Set([
  'outbound_failed',
  'mcp_server_failed',
  'unexpected_response',
  'sign_in_unavailable',
  'drive_failed',
])

/** Path segments, encoded and not. */
const segment = fc.oneof(
  arbitraryText(30).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    '%',
    '%ff',
    '%00',
    '..',
    '.',
    '%2e%2e',
    'a%2Fb',
    '__proto__',
    'constructor',
    '{id}',
    'x'.repeat(65),
    '*',
  ),
)
const header = fc.tuple(
  fc.constantFrom(
    'accept',
    'content-type',
    'last-event-id',
    'x-forwarded-for',
    'origin',
    'cookie',
    'range',
    'if-none-match',
    'x-amzn-trace-id',
    'accept-encoding',
    'x-http-method-override',
    'constructor',
  ),
  fc.oneof(
    fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{0,40}$/),
    fc.constantFrom(
      'text/event-stream',
      '-1',
      '999999999',
      '1e9',
      'application/xml',
      'gzip',
      'text/event-stream;q=0, */*',
      'DELETE',
    ),
  ),
)

interface RandomRequest {
  segments: string[]
  query: string
  headers: [string, string][]
  body: string | Uint8Array | undefined
}

/** A request of this route with unusual parts that no client sends. */
function arbitraryRequest(name: RouteName): fc.Arbitrary<RandomRequest> {
  const { request, query } = routeContracts[name] as RouteContract
  const knownRequests = listRequestsWithIds(identifiers, stack.origin)[name]
  const seed = fc.constantFrom(...knownRequests)
  const parameters = routes[name].path.match(/\{\w+\}/g) ?? []
  const pathParameters = (one: RequestParts) =>
    parameters.map((token) => (one.params ?? {})[token.slice(1, -1)] ?? 'x')
  const body = request
    ? fc.oneof(
        valuesFor(request).map((value) => JSON.stringify(value)),
        fc
          .oneof(
            seed.map((one) => one.body ?? {}),
            valuesFor(request),
          )
          .chain((value) => mutatedJson(JSON.parse(JSON.stringify(value))))
          .map(json),
        arbitraryText(100),
        fc.uint8Array({ maxLength: 60 }),
      )
    : fc.constantFrom(undefined, undefined, '{}', 'x')
  const queryText = fc.oneof(
    query
      ? (valuesFor(query) as fc.Arbitrary<Record<string, string>>).map((value) =>
          new URLSearchParams(value).toString(),
        )
      : fc.constant(''),
    fc
      .dictionary(
        fc.constantFrom(
          'before',
          'after',
          'cursor',
          'since',
          'limit',
          'page',
          'offset',
          'format',
          'term',
          '__proto__',
        ),
        arbitraryText(40),
      )
      .map((value) =>
        new URLSearchParams(Object.entries(value).map(([key, one]) => [key, one.toWellFormed()])).toString(),
      ),
    seed.map((one) => new URLSearchParams(one.query).toString()),
    fc.constantFrom('%', '&&=&', '?', '%ff=%00'),
  )
  return fc.record({
    segments: fc.oneof(
      { arbitrary: seed.map(pathParameters), weight: 3 },
      { arbitrary: fc.tuple(...parameters.map(() => segment)), weight: 1 },
    ),
    query: queryText,
    headers: fc.array(header, { maxLength: 2 }),
    body,
  })
}

/** JSON that is too deep for `JSON.stringify` is sent as text of the same depth. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
  }
}

async function expectAnswered(
  name: RouteName,
  { segments, query, headers, body }: RandomRequest,
): Promise<void> {
  const unusedSegments = [...segments]
  const path = routes[name].path.replaceAll(/\{\w+\}/g, () => unusedSegments.shift() ?? 'x')
  const endsAccount =
    name === 'account.erase' || name === 'account.signOutEverywhere' || name === 'account.forgetConversations'
  const { accessToken } = endsAccount ? leavingUser : ann
  const sending = sendRaw(stack.origin, {
    method: routes[name].method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...Object.fromEntries(headers), authorization: `Bearer ${accessToken}` },
    body,
  })
  const timeout = AbortSignal.timeout(waitLimitMs)
  const reply = await Promise.race([
    sending,
    new Promise<never>((_, reject) =>
      timeout.addEventListener('abort', () => reject(new Error('no answer'))),
    ),
  ])
  const { status, text } = reply
  if (status >= 500) {
    expect(status, `${path} ${text}`).not.toBe(500)
    expect(
      foreignErrorCodes.has((JSON.parse(text) as { code: string }).code),
      `${path} ${status} ${text}`,
    ).toBe(true)
  } else if (status >= 400) {
    const { success, error, code, requestId } = JSON.parse(text) as Record<string, unknown>
    expect({ path, success, code, requestId }).toMatchObject({
      success: false,
      code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) as string,
      requestId: expect.stringMatching(/^[\w-]{8,}$/) as string,
    })
    // one readable line, without internal words
    expect(error).toMatch(/^[A-Za-z][^\p{Cc}]{8,400}$/u)
    expect(text).not.toMatch(/ZodError|Exception|node_modules|\.ts:/)
  } else if (reply.headers['content-type']?.startsWith('application/json')) JSON.parse(text)
}

describe('random requests to', () => {
  it.each(allRoutes)(
    '%s: a response or an error in the common format, in time',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryRequest(name), { minLength: 1, maxLength: 6 }),
          async (requests) => {
            await Promise.all(requests.map((request) => expectAnswered(name, request)))
          },
        ),
        { ...divideRuns(25), endOnFailure: true },
      )
    },
    600_000,
  )
})

it('arguments that a user edited to an endless length are refused, and the request stays open', async () => {
  const { user, ids } = await askForApproval()
  const response = (body: string) =>
    user.send('runs.answer', {
      params: { sessionId: ids.waitingId },
      body: {
        runId: ids.runId,
        callId: ids.callId,
        approved: true,
        arguments: { name: 'a.txt', content: body },
      },
    })
  expect(await response('x'.repeat(450_000))).toMatchObject({ status: 400 })
  expect(await response('short')).toMatchObject({ status: 200 })
})

/** A user with a waiting approval request. */
async function askForApproval(): Promise<{ user: StackUser; ids: Identifiers }> {
  const user = await stack.newUser()
  return { user, ids: await createBelongings(stack, user) }
}

it('afterwards the server still works, and has logged no error of its own', async () => {
  // with many inputs the tokens of the others have expired
  const user = await stack.newUser()
  expect(await user.send('health')).toMatchObject({ status: 200 })
  expect(await user.send('sessions.list')).toMatchObject({ status: 200 })
  expect(stack.output()).not.toMatch(/unhandled|internal_error|FunctionFailed/)
})
