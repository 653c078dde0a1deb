import { expect, it } from 'vitest'
import type { ApiRequest, ConnectedApi } from './api.ts'
import { graphql } from './schemas.ts'
import { tools as slack } from './slack/tools.ts'

/** An API that records its requests and returns a usable response. */
function createRecordingApi(response: unknown) {
  const requests: ApiRequest[] = []
  const api: ConnectedApi = {
    call(_, request) {
      requests.push(request)
      return Promise.resolve(response)
    },
  }
  return { api, requests }
}
const { signal } = new AbortController()

const findSlackFailure = async (body: unknown) => {
  const { api, requests } = createRecordingApi({ ok: true, channels: [] })
  await slack.find(({ id }) => id === 'list_channels')?.run(api, { limit: 1 }, signal)
  return requests[0]?.toFailure?.(body)
}

it.each<[string, object]>([
  ['invalid_auth', { status: 401, message: 'invalid auth' }],
  ['not_authed', { status: 401 }],
  ['token_expired', { status: 401 }],
  ['token_revoked', { status: 401 }],
  ['account_inactive', { status: 401 }],
  // words that only contain one of these
  ['app_token_expired', { status: 400, message: 'app token expired' }],
  ['token_expired_soon', { status: 400 }],
  ['ratelimited', { status: 429 }],
  ['rate_limited', { status: 429 }],
  ['not_in_channel', { status: 403 }],
  ['fatal_error', { status: 503, message: 'fatal error' }],
  ['channel_not_found', { status: 404, message: 'channel not found' }],
  ['not_found_yet', { status: 400 }],
])('maps Slack’s error %s to %j', async (error, failure) => {
  expect(await findSlackFailure({ ok: false, error })).toMatchObject(failure)
})

it('reads the missing permissions from Slack’s error, and finds no failure in responses without an error code', async () => {
  expect(
    await findSlackFailure({ ok: false, error: 'missing_scope', needed: 'chat:write,files:read' }),
  ).toEqual({
    status: 403,
    message: 'missing scope',
    scopes: ['chat:write', 'files:read'],
  })
  expect(await findSlackFailure({ ok: false, error: 'missing_scope' })).toMatchObject({ scopes: [] })
  for (const body of [{ ok: true, error: 'warning' }, { ok: false }, null, 'text'])
    expect(await findSlackFailure(body)).toBeUndefined()
})

it.each<[string | undefined, number]>([
  ['RATELIMITED', 429],
  ['THROTTLED', 429],
  ['AUTHENTICATION_ERROR', 401],
  ['FORBIDDEN', 403],
  ['ACCESS_DENIED', 403],
  ['INTERNAL_SERVER_ERROR', 500],
  ['ANOTHER', 400],
  [undefined, 400],
])('maps the GraphQL error %s to status %i', async (code, status) => {
  const { api, requests } = createRecordingApi({ data: { viewer: 'ann' } })
  const operation = { query: 'query { viewer }', variables: { first: 1 }, reads: true }
  expect(await graphql(api, operation, signal)).toEqual({ viewer: 'ann' })
  const [request] = requests
  expect(request).toMatchObject({
    method: 'POST',
    json: { query: 'query { viewer }', variables: { first: 1 } },
    reads: true,
  })
  const errors = [
    { message: 'no', ...(code !== undefined && { extensions: { code } }) },
    { message: 'second' },
  ]
  expect(request?.toFailure?.({ errors })).toEqual({ status, message: 'no' })
  for (const body of [{ data: {} }, { errors: [] }, undefined])
    expect(request?.toFailure?.(body)).toBeUndefined()
})
