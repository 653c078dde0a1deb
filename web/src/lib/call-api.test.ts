import { beforeEach, expect, it, vi } from 'vitest'
import { authorizedFetch, callApi } from './call-api.ts'
import { NotSignedInError } from './api-errors.ts'
import { onAuthEvent } from './auth-events.ts'

const session = vi.hoisted(() => ({
  getAccessToken: vi.fn<() => Promise<string>>(),
  replaceAccessToken: vi.fn<(refused: string) => Promise<string>>(),
  hasStoredTokens: vi.fn<() => Promise<boolean>>(),
}))
vi.mock('./auth-tokens.ts', () => session)

const fetched = vi.fn<typeof fetch>()
const refusal = { success: false, error: 'Not yours.', code: 'session_not_found', attachmentIds: ['a'] }
const sent = (call = 0) => {
  const [url, init] = fetched.mock.calls[call] ?? []
  return {
    url,
    method: init?.method,
    body: init?.body,
    headers: Object.fromEntries(new Headers(init?.headers)),
  }
}

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
  session.getAccessToken.mockReset().mockResolvedValue('token-1')
  session.replaceAccessToken.mockReset().mockResolvedValue('token-2')
})

it('sends method, path, query and the bearer token of the route table', async () => {
  fetched.mockResolvedValueOnce(Response.json({ session: {}, messages: [], earlier: null, run: null }))
  await callApi('sessions.read', { params: { sessionId: 'a/b' }, query: { before: 'x y' } })
  expect(sent()).toEqual({
    url: '/api/sessions/a%2Fb?before=x+y',
    method: 'GET',
    body: undefined,
    headers: { accept: 'application/json', authorization: 'Bearer token-1' },
  })
})

it('sends a body as JSON, and no token to public routes', async () => {
  fetched.mockResolvedValueOnce(Response.json({ success: true, run: {} }))
  await callApi('runs.stop', { params: { sessionId: 's' }, body: { runId: 'r' } })
  expect(sent()).toMatchObject({
    method: 'POST',
    body: '{"runId":"r"}',
    headers: { 'content-type': 'application/json' },
  })
  fetched.mockResolvedValueOnce(Response.json({ ok: true, version: '1' }))
  expect(await callApi('health', {})).toEqual({ ok: true, version: '1' })
  expect(sent(1).headers).toEqual({ accept: 'application/json' })
})

it.each([
  [false, undefined],
  [true, 'Bearer token-1'],
])('sends a token where it is optional only when there is one: %s', async (stored, authorization) => {
  session.hasStoredTokens.mockResolvedValue(stored)
  fetched.mockResolvedValueOnce(Response.json({ success: true }))
  await callApi('mfa.verify', { body: { token: '1', isBackupCode: true } })
  expect(sent().headers['authorization']).toBe(authorization)
})

it('throws the API’s own error with its sentence, code and wait', async () => {
  fetched.mockResolvedValueOnce(Response.json(refusal, { status: 429, headers: { 'retry-after': '17' } }))
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
])('calls %s unreadable', async (_, answer, status) => {
  fetched.mockResolvedValueOnce(answer)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'ApiError',
    code: 'unreadable',
    status,
  })
})

it('refreshes a refused token once and sends the request again', async () => {
  fetched.mockResolvedValueOnce(Response.json(refusal, { status: 401 }))
  fetched.mockResolvedValueOnce(Response.json({ sessions: [] }))
  expect(await callApi('sessions.list', {})).toEqual({ sessions: [] })
  expect(session.replaceAccessToken).toHaveBeenCalledExactlyOnceWith('token-1')
  expect(sent(1).headers['authorization']).toBe('Bearer token-2')
})

it('gives up when the refreshed token is refused too', async () => {
  fetched.mockImplementation(async () => Response.json(refusal, { status: 401 }))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ status: 401 })
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('a session that was ended elsewhere is announced, and not renewed (M1)', async () => {
  fetched.mockImplementation(async () =>
    Response.json({ ...refusal, code: 'session_ended' }, { status: 401 }),
  )
  const onEvent = vi.fn<(event: string) => void>()
  const stop = onAuthEvent(onEvent)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ status: 401, code: 'session_ended' })
  stop()
  expect(onEvent.mock.calls).toEqual([['revoked']])
  expect(session.replaceAccessToken).not.toHaveBeenCalled()
  expect(fetched).toHaveBeenCalledOnce()
})

it('ERR-03 a session that has ended meanwhile leaves the refusal as the answer', async () => {
  fetched.mockImplementation(async () => Response.json(refusal, { status: 401 }))
  session.replaceAccessToken.mockRejectedValueOnce(new NotSignedInError('ended'))
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ name: 'ApiError', status: 401 })
})

it('makes a lost connection a NetworkError that keeps the cause', async () => {
  const cause = new TypeError('Failed to fetch')
  fetched.mockRejectedValueOnce(cause)
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({
    name: 'NetworkError',
    timedOut: false,
    cause,
  })
})

it('LIB-17 gives up after 10 s', async () => {
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
  fetched.mockImplementation(async (_, init) => {
    init?.signal?.throwIfAborted()
    return Response.json({})
  })
  await expect(callApi('sessions.list', {})).rejects.toMatchObject({ name: 'NetworkError', timedOut: true })
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
})

it('passes on the caller’s own abort, and sets no timeout on streams', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  fetched.mockImplementation(async (_, init) => {
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
  expect(sent().headers['accept']).toBe('text/event-stream')
})
