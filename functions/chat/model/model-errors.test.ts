import { describe, expect, it, vi } from 'vitest'
import {
  isUnbilled,
  modelErrors,
  ModelError,
  parseRetryAfter,
  rejectionError,
  unexpectedError,
} from './model-errors.ts'

const buildRejection = (
  status: number | undefined,
  message: string,
  { code = '', hasStarted = false } = {},
) => rejectionError({ status, message, code, param: '' }, hasStarted)

it('each kind of error has its own code and message', () => {
  const kinds = Object.values(modelErrors)
  for (const name of ['code', 'userMessage'] as const) {
    const values = kinds.map((kind) => kind[name])
    expect(new Set(values).size).toBe(kinds.length)
    expect(values).not.toContain('')
  }
})

describe('a rejection', () => {
  it.each<[string, string, { code?: string; hasStarted?: boolean }]>([
    ['busy', 'Overloaded', {}],
    ['cut', 'Overloaded', { hasStarted: true }],
    ['tooLong', 'no', { code: 'context_length_exceeded' }],
    ['tooLong', 'no', { code: 'context_length_exceeded', hasStarted: true }],
    ['broken', 'no', {}],
    ['cut', 'no', { hasStarted: true }],
  ])('in a stream is %s: %s %j', (kind, message, details) => {
    expect(buildRejection(undefined, message, details)).toMatchObject(
      modelErrors[kind as keyof typeof modelErrors],
    )
  })

  it('is logged with its status and the server’s cleaned message', () => {
    const cause = new Error('400 no')
    const error = rejectionError({ status: 400, message: 'no "Ann"', code: 'c', param: 'p' }, false, cause)
    expect(error).toMatchObject({
      message: 'the model answered 400, code c, param p: no "…"',
      rejection: { status: 400, message: 'no "Ann"', code: 'c', param: 'p' },
      cause,
    })
  })

  it.each<[string | null, number | undefined]>([
    ['1', 1],
    ['1.2', 2],
    ['3600', 3_600],
    ['3601', undefined],
    ['0', undefined],
    ['soon', undefined],
    [null, undefined],
    ['Wed, 25 Nov 2026 12:00:20 GMT', 20],
    ['Wed, 25 Nov 2026 11:00:00 GMT', undefined],
  ])('that says to wait %j means %s seconds', (header, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T12:00:00Z') })
    expect(parseRetryAfter(header)).toBe(seconds)
    vi.useRealTimers()
  })
})

it('an unknown failure is an error of the model, or ends its reply early', () => {
  const [unreadableError, otherError] = [new SyntaxError('{'), new Error('x')]
  expect(unexpectedError(unreadableError, true)).toMatchObject({
    ...modelErrors.unreadable,
    message: 'not JSON',
    cause: unreadableError,
  })
  const expected = { message: 'the call failed', cause: otherError }
  expect(unexpectedError(otherError, false)).toMatchObject({ ...modelErrors.broken, ...expected })
  expect(unexpectedError(otherError, true)).toMatchObject({ ...modelErrors.cut, ...expected })
})

describe('a failed request is unbilled', () => {
  const unbilledKinds = [
    'key',
    'notPermitted',
    'unknownModel',
    'retired',
    'noCredit',
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
