import { afterEach, expect, it, vi } from 'vitest'
import { formatDateTime, formatTime } from '../../../lib/text/dates.ts'
import { ApiError, ConfigError, NetworkError, NotSignedInError } from '../../../lib/api/api-errors.ts'
import { toRunFailure, toStreamFailure, toChatFailure, getFailureTitle, isNotice } from './chat-failure.ts'

const apiError = (status: number, code = 'any', userMessage = 'Slow down.') =>
  new ApiError({ status, code, userMessage })
const connectionMessage =
  "I'm having trouble connecting to the chat service. Please try refreshing the page or signing in again."
const sessionExpiredMessage = 'Your session has expired. Please refresh the page and sign in again.'
const authenticationFailedMessage = 'Authentication failed. Please refresh the page and sign in again.'
const notAuthorized = Object.assign(new Error('revoked'), { name: 'NotAuthorizedException' })

it.each<[string, Error, string, string]>([
  [
    'ERR-02 no user is signed in',
    new NotSignedInError('none'),
    'authentication',
    'Please sign in again to continue chatting',
  ],
  ['ERR-03 a refused token', apiError(401), 'authentication', sessionExpiredMessage],
  [
    'ERR-03 a refused refresh',
    new NotSignedInError('x', { cause: notAuthorized }),
    'authentication',
    sessionExpiredMessage,
  ],
  ['ERR-04 DEC-018 a forbidden request', apiError(403), 'authentication', authenticationFailedMessage],
  [
    'ERR-04 a failed session read',
    new NotSignedInError('x', { cause: new Error('y') }),
    'authentication',
    authenticationFailedMessage,
  ],
  ['ERR-05 DEC-109 an error response', apiError(409), 'service', 'Service error: Slow down.'],
  ['ERR-05 an internal error of the service', apiError(500), 'service', 'Service error: Slow down.'],
  ['ERR-06 no response', new NetworkError(), 'connection', connectionMessage],
  ['ERR-06 an unreadable response', apiError(502, 'unreadable'), 'connection', connectionMessage],
  ['ERR-06 anything else', new Error('?'), 'connection', connectionMessage],
  [
    'ERR-07 DEC-108 no configuration',
    new ConfigError('x'),
    'setup',
    'Chat service not initialized. Please refresh the page.',
  ],
])('%s', (_, error, kind, message) => {
  expect(toChatFailure(error)).toMatchObject({ kind, message })
})

it('DEC-017 decides by kind: a service error that mentions sessions does not ask for a sign-in', () => {
  const { kind } = toStreamFailure({
    error: 'Service error: Your session with the provider is over, sign in there.',
  })
  expect(kind).toBe('service')
  expect(getFailureTitle(kind)).toBe('Chat Error')
  expect(toChatFailure(apiError(400, 'x', 'No such session, sign in again.')).kind).toBe('service')
})

it.each([
  "You have reached today's limit for replies.",
  'Service error: Please sign in again.',
  'The connection was lost.',
  'The reply was not stored.',
])('a failure of a release before codes is one of the service, whatever its words are: %s', (error) => {
  expect(toStreamFailure({ error })).toMatchObject({ kind: 'service', message: error })
})

it('ERR-08 ERR-10 the title depends on the kind', () => {
  expect(getFailureTitle('connection')).toBe('Chat Error')
})

it("HIST-27 a conversation that could not be created has the title 'Oops! Couldn't create chat'", () => {
  const error = new ApiError({
    status: 503,
    code: 'session_not_created',
    userMessage: 'It could not be created.',
  })
  expect(getFailureTitle(toChatFailure(error).kind)).toBe("Oops! Couldn't create chat")
})

const createBudgetMessage = (retryAfterSeconds: number) =>
  toChatFailure(
    new ApiError({
      status: 429,
      code: 'budget',
      userMessage: 'Used up until midnight (UTC).',
      retryAfterSeconds,
    }),
  ).message

afterEach(() => {
  vi.useRealTimers()
})

it('DEC-106 a used-up budget says when it resets, in local time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T18:00:00.700Z') })
  const localTime = formatTime(Date.parse('2026-11-21T00:00:00Z'))
  expect(createBudgetMessage(6 * 3_600)).toBe(
    `Used up until midnight (UTC). In your time zone it resets at ${localTime}.`,
  )
  expect(createBudgetMessage(10)).toBe('Used up until midnight (UTC).')
})

it('DEC-106 a used-up budget of the month says on which day it resets, in local time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T18:00:00Z') })
  const localTime = formatDateTime(Date.parse('2026-12-01T00:00:00Z'))
  expect(createBudgetMessage((10 * 24 + 6) * 3_600)).toContain(`it resets at ${localTime}.`)
})

it.each([
  [
    'the rate',
    apiError(429, 'too_many_requests', 'Too many requests. Please wait 20 seconds and try again.'),
  ],
  ['replies at once', apiError(429, 'budget', 'Too many replies are being written for you at once.')],
])('DEC-109 a limit of %s says what it is, not that the service failed', (_, error) => {
  const { kind, message } = toChatFailure(error)
  expect([message, getFailureTitle(kind)]).toEqual([error.userMessage, 'Limit reached'])
})

it('DEC-109 a limit that ends a reply is the same', () => {
  const sentence =
    "You have reached today's limit for replies. It is 5 tokens, cached ones counted in full, and resets at midnight (UTC)."
  expect(toStreamFailure({ error: `Service error: ${sentence}`, code: 'budget' })).toMatchObject({
    kind: 'limit',
    message: sentence,
  })
})

it('a right that a group lacks is no sign-in, and a stop of all replies no error of the service', () => {
  const forbidden = toChatFailure(apiError(403, 'not_allowed', 'Your groups may not chat without saving.'))
  expect(forbidden).toMatchObject({
    kind: 'service',
    message: expect.stringContaining('may not chat') as string,
  })
  const stopped = apiError(503, 'replies_stopped', 'An administrator has stopped all replies.')
  const notice = { kind: 'stopped', message: 'An administrator has stopped all replies.' }
  expect(toChatFailure(stopped)).toMatchObject(notice)
  expect(toStreamFailure({ error: notice.message, code: 'replies_stopped' })).toMatchObject(notice)
  expect([getFailureTitle('stopped'), isNotice('stopped'), isNotice('service')]).toEqual([
    'Replies are stopped',
    true,
    false,
  ])
})

it('a right that is missing asks for no sign-in', () => {
  expect(toChatFailure(apiError(403, 'model_not_allowed', 'You may not use Large.'))).toMatchObject({
    kind: 'service',
    message: 'Service error: You may not use Large.',
  })
})

it('a disabled account is called so when its tokens are refused', () => {
  const cause = Object.assign(new Error('User is disabled.'), { name: 'NotAuthorizedException' })
  expect(toChatFailure(new NotSignedInError('x', { cause }))).toMatchObject({
    kind: 'authentication',
    message: 'This account is disabled. Ask the person who runs the site.',
  })
})

it('ERR-06 DEC-154 does not ask the user to refresh the page while offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { kind, message: userMessage } = toChatFailure(new NetworkError())
  expect([kind, userMessage]).toEqual([
    'connection',
    'You are offline. Press Retry when the connection is back.',
  ])
  expect(toChatFailure(apiError(502, 'unreadable')).message).toBe(connectionMessage)
})

it('a failure has the time, the code and the request id of its error', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_000 })
  const refused = new ApiError({ status: 500, code: 'internal_error', userMessage: 'x', requestId: 'r-1' })
  const network = new NetworkError({ hasTimedOut: true })
  const stored = { run_id: 'r', message_id: 'm', reply_id: 'a', status: 'failed' } as const
  const run = {
    ...stored,
    error: 'x',
    code: 'model_busy',
    request_id: 'r-2',
    failed_at: '2026-11-20T18:00:00Z',
  }
  expect(
    [toChatFailure(refused), toChatFailure(network), toRunFailure(run)].map((failure) => failure?.details),
  ).toEqual([
    { atMs: 5_000, code: 'internal_error', requestId: 'r-1' },
    { atMs: 5_000, code: 'timed_out' },
    { atMs: Date.parse('2026-11-20T18:00:00Z'), code: 'model_busy', requestId: 'r-2' },
  ])
})
