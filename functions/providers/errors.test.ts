import { expect, it } from 'vitest'
import { toProviderError, type ApiFailure } from './errors.ts'

const toAcmeError = (
  status: number,
  body?: unknown,
  { headers = {}, failure }: { headers?: Record<string, string>; failure?: ApiFailure } = {},
) => toProviderError('Acme', { status, body, headers: new Headers(headers), failure })

it('keeps the status, and reports it if there are no words', () => {
  const error = toAcmeError(422)
  expect(error.message).toBe('Acme refused the request (422).')
  expect(error.status).toBe(422)
})

it.each<[string, unknown]>([
  ['message', { message: 'No' }],
  ['error.message', { error: { message: 'No', code: 5 } }],
  ['error_description', { error: 'invalid_grant', error_description: 'No' }],
  ['error_summary', { error_summary: 'No' }],
  ['detail', { title: 'Invalid Resource', detail: 'No' }],
  ['description', { code: 'X', description: 'No' }],
  ['err', { status: 400, err: 'No' }],
  ['errors[].message', { errors: [{ message: 'No' }, { message: 'Other' }] }],
  ['error.errors[].message', { error: { errors: [{ message: 'No' }] } }],
  ['errorMessages', { errorMessages: ['No'], errors: {} }],
  ['errors as an object', { errorMessages: [], errors: { summary: 'No' } }],
  ['error as a text', { error: 'No' }],
  ['a list', [{ message: 'No', errorCode: 'X' }]],
  ['an empty text before it', { message: '', detail: 'No' }],
])('finds the provider’s words in %s', (_, body) => {
  expect(toAcmeError(400, body).message).toBe('Acme refused the request (400). It said: "No"')
})

it.each([[undefined], [null], ['text'], [7], [[]], [{ message: 7 }], [{ error: null, errors: 'x' }]])(
  'finds no words in %j',
  (body) => expect(toAcmeError(400, body).message).toBe('Acme refused the request (400).'),
)

it('shortens the provider’s words to one line', () => {
  expect(toAcmeError(400, { message: ' a\n\tb\u202e  c\u0000 ' }).message).toContain('It said: "a b c"')
  expect(toAcmeError(400, { message: 'x'.repeat(201) }).message).toContain(`"${'x'.repeat(199)}…"`)
})

it('prefers the provider’s own error format to the body', () => {
  const failure = { status: 400, message: 'not in channel' }
  expect(toAcmeError(400, { message: 'Other' }, { failure }).message).toContain('It said: "not in channel"')
})

it.each([
  [404, 'Acme has no such thing, or it is not visible to this account.'],
  [403, 'Acme does not allow this.'],
  [499, 'Acme refused the request (499).'],
  [500, 'Acme has a fault of its own (500). Please try again later.'],
  [429, 'Acme takes no more requests right now. Please try again in a moment.'],
])('explains the status %i', (status, message) => {
  expect(toAcmeError(status).message).toBe(message)
})

it('reports a server error and a rate limit without the provider’s words', () => {
  expect(toAcmeError(502, { message: 'Bad gateway' }).message).not.toContain('Bad gateway')
  expect(toAcmeError(429, { message: 'Slow down' }).message).not.toContain('Slow down')
})

it('names no status that the provider has not sent', () => {
  const failure = { status: 400, message: 'no text' }
  expect(toAcmeError(400, {}, { failure }).message).toBe('Acme refused the request. It said: "no text"')
  expect(toAcmeError(503, {}, { failure: { ...failure, status: 503 } }).message).toBe(
    'Acme has a fault of its own. Please try again later.',
  )
})

it.each([
  ['7', 'in 7 seconds'],
  ['3600', 'in 60 minutes'],
  ['0', 'in a moment'],
  ['Fri, 20 Nov 2026 12:00:00 GMT', 'in a moment'],
  ['7 apples', 'in a moment'],
])('a rate limit with Retry-After %j ends %s', (after, when) => {
  expect(toAcmeError(429, {}, { headers: { 'retry-after': after } }).message).toBe(
    `Acme takes no more requests right now. Please try again ${when}.`,
  )
})

it.each<[string, unknown, Record<string, string>?]>([
  ['a reason', { error: { errors: [{ reason: 'rateLimitExceeded' }] } }],
  ['a reason in its details', { error: { details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] } }],
  ['an error code', [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'x' }]],
  ['a category', { category: 'DAILY_quota', message: 'x' }],
  ['a status', { error: { status: 'dailyLimit' } }],
  ['a header', {}, { 'x-ratelimit-remaining': '0' }],
])('403 is a rate limit by %s', (_, body, headers = {}) => {
  expect(toAcmeError(403, body, { headers }).message).toContain('takes no more requests right now')
  expect(toAcmeError(400, body, { headers }).message).toContain('refused the request')
})

it('403 is no rate limit while requests are left', () => {
  expect(toAcmeError(403, {}, { headers: { 'x-ratelimit-remaining': '10' } }).message).toBe(
    'Acme does not allow this.',
  )
})

const buildScopeMessage = (scopes = '') =>
  `Acme needs a permission that was not granted${scopes}. The user can grant it on the integrations page: disconnect Acme, connect it again, and allow everything that is asked for.`

it.each<[string, unknown, string]>([
  ['words about scopes', { message: 'Missing scope' }, `${buildScopeMessage()} It said: "Missing scope"`],
  [
    'words about privileges',
    { message: 'Insufficient privileges to complete' },
    `${buildScopeMessage()} It said: "Insufficient privileges to complete"`,
  ],
  ['its reason', { error: { errors: [{ reason: 'insufficientPermissions' }] } }, buildScopeMessage()],
  [
    'the scopes that it names',
    { errors: [{ message: 'No', context: { requiredGranularScopes: ['a.read', 'b\n.read', 7] } }] },
    `${buildScopeMessage(' (a.read, b .read, )')} It said: "No"`,
  ],
  [
    'the scopes that it names at the top',
    { message: 'No', context: { missingScopes: ['a.read'] } },
    `${buildScopeMessage(' (a.read)')} It said: "No"`,
  ],
])('403 is a missing permission by %s', (_, body, message) => {
  expect(toAcmeError(403, body).message).toBe(message)
})

it('403 is a missing permission by its challenge', () => {
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:read  files:write"' }
  expect(toAcmeError(403, undefined, { headers }).message).toBe(
    buildScopeMessage(' (files:read, files:write)'),
  )
  const otherParameter = { 'www-authenticate': 'Bearer error="insufficient_scope", xscope="files:read"' }
  expect(toAcmeError(403, undefined, { headers: otherParameter }).message).toBe('Acme does not allow this.')
})

it('prefers the scopes of the provider’s own error format', () => {
  const headers = { 'www-authenticate': 'Bearer scope="other"' }
  const failure = { status: 403, message: 'missing scope', scopes: ['one', 'two'] }
  expect(toAcmeError(403, undefined, { headers, failure }).message).toBe(
    `${buildScopeMessage(' (one, two)')} It said: "missing scope"`,
  )
})
