import { describe, expect, it } from 'vitest'
import { isUnbilled, modelErrors, ModelError } from './model-errors.ts'
import { connectionError, isWorthRetrying, rejectionError, toModelError } from './request-errors.ts'

const buildRejection = (
  status: number | undefined,
  message: string,
  { code = '', hasStarted = false } = {},
) => rejectionError({ status, message, code, param: '' }, hasStarted)

it('each kind of error has its own code and message', () => {
  const kinds = Object.values(modelErrors).map(({ sentence }) => sentence)
  for (const name of ['code', 'text'] as const) {
    const values = kinds.map((kind) => kind[name])
    expect(new Set(values).size).toBe(kinds.length)
    expect(values).not.toContain('')
  }
})

describe('a rejection', () => {
  it.each<[string, string, { code?: string; hasStarted?: boolean }]>([
    ['busy', 'Overloaded', {}],
    ['tooLong', 'no', { code: 'context_length_exceeded' }],
    ['tooLong', 'no', { code: 'context_length_exceeded', hasStarted: true }],
    ['broken', 'no', {}],
    ['cut', 'no', { hasStarted: true }],
  ])('in a stream is %s: %s %j', (kind, message, details) => {
    expect(buildRejection(undefined, message, details)).toMatchObject(
      modelErrors[kind as keyof typeof modelErrors],
    )
  })

  it.each([
    ['Overloaded', "The reply was cut off: the assistant's model is busy. Please try again in a moment."],
    [
      'Overloaded. Retry in 34.07s',
      "The reply was cut off: the assistant's model is busy. Please try again in 35 seconds.",
    ],
  ])('of a busy server after some text says so: %s', (message, userMessage) => {
    expect(buildRejection(undefined, message, { hasStarted: true })).toMatchObject({
      code: 'model_cut',
      userMessage,
    })
  })

  it('is logged with its status and the server’s cleaned message', () => {
    const error = rejectionError({ status: 400, message: 'no "Ann"', code: 'c', param: 'p' }, false)
    expect(error).toMatchObject({
      message: 'the model answered 400, code c, param p: no "…"',
      rejection: { status: 400, message: 'no "Ann"', code: 'c', param: 'p' },
    })
  })

  it.each([
    ['20', 20],
    ['0', undefined],
    [null, undefined],
  ])('that says to wait %j passes on %s seconds', (retryAfter, seconds) => {
    const rejection = { status: 429, message: '', code: '', param: '', retryAfter }
    expect(rejectionError(rejection, false).retryAfterSeconds).toBe(seconds)
  })
})

describe('a failed request is unbilled', () => {
  const unbilledKinds = [
    'key',
    'notPermitted',
    'unknownModel',
    'retired',
    'noCredit',
    'spendLimit',
    'suspended',
    'policy',
    'memory',
    'loading',
    'region',
    'notModelServer',
    'effort',
    'tooLong',
    'busy',
    'refused',
  ]

  it.each(Object.entries(modelErrors))('if the model cannot have started: %s', (kind, properties) => {
    expect(isUnbilled(new ModelError(properties, kind))).toBe(unbilledKinds.includes(kind))
  })

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET'])(
    'if no connection was made, not if one was lost: %s',
    (code) => {
      const cause = new Error('fetch failed', { cause: Object.assign(new Error('no'), { code }) })
      expect(isUnbilled(new ModelError(modelErrors.unreachable, 'x', { cause }))).toBe(code !== 'ECONNRESET')
      expect(isUnbilled(cause)).toBe(false)
    },
  )
})

it('a rejection is cut to 4,000 characters', () => {
  const long = (letter: string, length = 4_001) => letter.repeat(length)
  const rejection = { status: 400, message: long('m'), code: long('c'), param: long('p') }
  expect(rejectionError(rejection, false).rejection).toEqual({
    status: 400,
    message: long('m', 4_000),
    code: long('c', 4_000),
    param: long('p', 4_000),
  })
})

describe('a failure', () => {
  const withCause = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })

  it.each<[string, unknown, keyof typeof modelErrors]>([
    ['a server that is not there', withCause('ECONNREFUSED'), 'unreachable'],
    ['a server that begins no answer', withCause('UND_ERR_HEADERS_TIMEOUT'), 'silent'],
    ['credentials that are missing', new Error('no credentials'), 'broken'],
  ])('of a request: %s', (_, cause, kind) => {
    expect(connectionError(cause)).toMatchObject({ ...modelErrors[kind], cause })
  })

  it.each<[string, unknown, keyof typeof modelErrors]>([
    ['a lost connection', withCause('UND_ERR_SOCKET'), 'broken'],
    ['an answer that goes on no more', withCause('UND_ERR_BODY_TIMEOUT'), 'silent'],
    ['a fault in the code', new Error('x'), 'broken'],
    ['what is no error', 'x', 'broken'],
  ])('of an answer, which is cut once it has begun: %s', (_, cause, kind) => {
    expect(toModelError(cause, false)).toMatchObject({ ...modelErrors[kind], cause })
    expect(toModelError(cause, true)).toMatchObject({ ...modelErrors.cut, cause })
  })

  it('that is known stays as it is', () => {
    const known = new ModelError(modelErrors.filtered, 'x')
    expect(toModelError(known, true)).toBe(known)
    expect(connectionError(known)).toBe(known)
  })
})

it.each([
  [429, true],
  [500, true],
  [503, true],
  [504, true],
  [408, true],
  [400, false],
  [401, false],
  [404, false],
  [413, false],
])('a request that failed with %i may succeed in a moment: %s', (status, isWorth) => {
  expect(isWorthRetrying({ status, message: '', code: '', param: '' })).toBe(isWorth)
})

it.each([
  ['20', 'Rate limit reached.', 'in 20 seconds'],
  [undefined, 'Rate limit reached for gpt-x. Please try again in 20s. Visit …', 'in 20 seconds'],
  [undefined, 'Please try again in 6m30s.', 'in 7 minutes'],
  [undefined, 'Please try again in 345ms.', 'in 1 second'],
  [undefined, 'Please try again in a while.', 'in a moment'],
])('a busy server’s wait (%s, %j) reaches the user: %s', (retryAfter, message, wait) => {
  const rejection = { status: 429, message, code: '', param: '', ...(retryAfter && { retryAfter }) }
  expect(rejectionError(rejection as never, false).userMessage).toBe(
    `The assistant's model is busy. Please try again ${wait}.`,
  )
})
