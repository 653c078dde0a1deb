import { beforeEach, expect, it, vi } from 'vitest'
import { authorizedFetch, callApi } from './call-api.ts'
import { NotSignedInError } from './api-errors.ts'
import { onAuthEvent } from './auth-events.ts'
import { serverNow } from '../browser/server-clock.ts'

const session = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string>>(),
  replaceAccessToken: vi.fn<(refused: string) => Promise<string>>(),
  hasStoredTokens: vi.fn<() => Promise<boolean>>(),
}))
vi.mock('./auth-tokens.ts', () => session)

const fetchMock = vi.fn<typeof fetch>()
const errorBody = { success: false, error: 'Not yours.', code: 'session_not_found', attachmentIds: ['a'] }
const getRequest = (call = 0) => {
  const [url, init] = fetchMock.mock.calls[call] ?? []
  return {
    url,
    method: init?.method,
    body: init?.body,
    headers: Object.fromEntries(new Headers(init?.headers)),
  }
}

beforeEach(() => {
  fetchMock.mockReset()
  vi.stubGlobal('fetch', fetchMock)
  session.getAccessToken.mockReset().mockResolvedValue('token-1')
  session.replaceAccessToken.mockReset().mockResolvedValue('token-2')
})

it('sends method, path, query and the bearer token of the route table', async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ session: {}, messages: [], earlier: null, run: null }))
  await callApi('sessions.read', { params: { sessionId: 'a/b' }, query: { before: 'x y' } })
  expect(getRequest()).toEqual({
    url: '/api/sessions/a%2Fb?before=x+y',
    method: 'GET',
    body: undefined,
    headers: { accept: 'application/json', authorization: 'Bearer token-1' },
  })
})

it('sends a body as JSON, and no token to public routes', async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ success: true, run: {} }))
  await callApi('runs.stop', { params: { sessionId: 's' }, body: { runId: 'r' } })
  expect(getRequest()).toMatchObject({
    method: 'POST',
    body: '{"runId":"r"}',
    headers: { 'content-type': 'application/json' },
  })
  fetchMock.mockResolvedValueOnce(Response.json({ ok: true, version: '1' }))
  expect(await callApi('health', {})).toEqual({ ok: true, version: '1' })
  expect(getRequest(1).headers).toEqual({ accept: 'application/json' })
})

it.each([
  [false, undefined],
  [true, 'Bearer token-1'],
])('sends an optional token only if there is one: %s', async (hasToken, authorization) => {
  session.hasStoredTokens.mockResolvedValue(hasToken)
  fetchMock.mockResolvedValueOnce(Response.json({ success: true }))
  await callApi('mfa.verify', { body: { token: '1', isBackupCode: true } })
  expect(getRequest().headers['authorization']).toBe(authorization)
})

it('throws the API’s error with its message, code and retry delay', async () => {
  fetchMock.mockResolvedValueOnce(Response.json(errorBody, { status: 429, headers: { 'retry-after': '17' } }))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'ApiError',
    status: 429,
    code: 'session_not_found',
    userMessage: 'Not yours.',
    attachmentIds: ['a'],
    retryAfterSeconds: 17,
  })
})

it.each([
  ['an error page', new Response('<html>', { status: 502 }), 502],
  ['an error without code', Response.json({ error: 'x' }, { status: 500 }), 500],
  ['a page instead of JSON', new Response('<html>'), 200],
])('throws an “unreadable” error for %s', async (_, response, status) => {
  fetchMock.mockResolvedValueOnce(response)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'ApiError',
    code: 'unreadable',
    status,
  })
})

it('refreshes a rejected token once and repeats the request', async () => {
  fetchMock.mockResolvedValueOnce(Response.json(errorBody, { status: 401 }))
  fetchMock.mockResolvedValueOnce(Response.json({ sessions: [] }))
  expect(await callApi('sessions.list', {})).toEqual({ sessions: [] })
  expect(session.replaceAccessToken).toHaveBeenCalledExactlyOnceWith('token-1')
  expect(getRequest(1).headers['authorization']).toBe('Bearer token-2')
})

it('gives up if the refreshed token is rejected too', async () => {
  fetchMock.mockImplementation(async () => Response.json(errorBody, { status: 401 }))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ status: 401 })
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

it('emits an event for a session that was ended elsewhere, and does not refresh it (M1)', async () => {
  fetchMock.mockImplementation(async () =>
    Response.json({ ...errorBody, code: 'session_ended' }, { status: 401 }),
  )
  const onEvent = vi.fn<(event: string) => void>()
  const unsubscribe = onAuthEvent(onEvent)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ status: 401, code: 'session_ended' })
  unsubscribe()
  expect(onEvent.mock.calls).toEqual([['revoked']])
  expect(session.replaceAccessToken).not.toHaveBeenCalled()
  expect(fetchMock).toHaveBeenCalledOnce()
})

it('ERR-03 throws the API’s error if the session has ended meanwhile', async () => {
  fetchMock.mockImplementation(async () => Response.json(errorBody, { status: 401 }))
  session.replaceAccessToken.mockRejectedValueOnce(new NotSignedInError('ended'))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ name: 'ApiError', status: 401 })
})

it('throws a NetworkError with the cause when the connection is lost', async () => {
  const cause = new TypeError('Failed to fetch')
  fetchMock.mockRejectedValueOnce(cause)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'NetworkError',
    hasTimedOut: false,
    cause,
  })
})

it('LIB-17 times out after 10 s', async () => {
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
  fetchMock.mockImplementation(async (_, init) => {
    init?.signal?.throwIfAborted()
    return Response.json({})
  })
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'NetworkError',
    hasTimedOut: true,
  })
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
})

it.each([
  ['AbortError', { name: 'AbortError' }],
  ['TypeError', { name: 'NetworkError' }],
])('a connection that ends within an error (%s) is no error of the API', async (name, expected) => {
  const body = new ReadableStream({
    start: (controller) => controller.error(Object.assign(new Error('ended'), { name })),
  })
  fetchMock.mockResolvedValueOnce(new Response(body, { status: 503 }))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject(expected)
})

it('can be aborted by the caller, and sets no timeout for streams', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  fetchMock.mockImplementation(async (_, init) => {
    init?.signal?.throwIfAborted()
    return new Response('')
  })
  const call = authorizedFetch(
    'runs.events',
    { params: { sessionId: 's' } },
    { signal: AbortSignal.abort(), headers: { accept: 'text/event-stream' } },
  )
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  expect(timeout).not.toHaveBeenCalled()
  expect(getRequest().headers['accept']).toBe('text/event-stream')
})

it("learns the server's time from responses, refusals included", async () => {
  const date = 'Thu, 26 Nov 2026 12:00:00 GMT'
  fetchMock.mockResolvedValueOnce(Response.json(errorBody, { status: 404, headers: { date } }))
  await expect(callApi('account.read', {})).rejects.toThrow('404 session_not_found')
  expect(Math.abs(serverNow() - Date.parse(date))).toBeLessThan(60_000)
  fetchMock.mockResolvedValueOnce(Response.json({}, { headers: { date: new Date().toUTCString() } }))
  await callApi('account.read', {})
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(60_000)
})
