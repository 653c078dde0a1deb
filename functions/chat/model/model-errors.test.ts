import { describe, expect, it } from 'vitest'
import { isUnbilled, modelErrors, ModelError, rejectionError, unexpectedError } from './model-errors.ts'

const buildRejection = (
  status: number | undefined,
  message: string,
  { code = '', param = '', hasStarted = false } = {},
) => rejectionError({ status, message, code, param }, hasStarted)

it('each kind of error has its own code and message', () => {
  const kinds = Object.values(modelErrors)
  for (const name of ['code', 'userMessage'] as const) {
    const values = kinds.map((kind) => kind[name])
    expect(new Set(values).size).toBe(kinds.length)
    expect(values).not.toContain('')
  }
})

describe('a rejection', () => {
  it.each<[string, number, string, { code?: string; param?: string }]>([
    ['retired', 404, 'The model m has been retired', {}],
    ['retired', 400, 'model m was shutdown', {}],
    ['retired', 400, 'The model m was shut down', {}],
    ['retired', 410, 'model m is at end of life', {}],
    ['retired', 410, 'model m has reached the end of its life', {}],
    ['retired', 400, 'model m is no longer available', {}],
    ['retired', 400, 'Model m is no longer supported', {}],
    ['unknownModel', 410, 'Gone', {}],
    ['tooLong', 400, 'the context length is 8192', {}],
    ['tooLong', 400, 'it exceeds the context window', {}],
    ['tooLong', 400, 'over the maximum context', {}],
    ['tooLong', 400, 'prompt is too long', {}],
    ['tooLong', 400, 'Input is too long', {}],
    ['filtered', 400, 'no', { code: 'content_policy_violation' }],
    ['filtered', 400, 'by the content management policy', {}],
    ['filtered', 400, 'no', { code: 'invalid_prompt' }],
    ['notPermitted', 403, 'not you', { code: 'AccessDeniedException' }],
    ['key', 403, 'not you', { code: 'Exception.Access' }],
    ['refused', 400, 'not here', { code: 'ValidationException' }],
    ['effort', 400, 'Unrecognized argument: reasoning_effort', {}],
    ['effort', 400, 'unsupported:\nreasoning.effort', {}],
    ['effort', 400, 'unknown field reasoning_effort', {}],
    ['effort', 400, 'invalid value of reasoning.effort', {}],
    ['effort', 400, 'no', { param: 'reasoning_effort' }],
    ['effort', 400, 'no', { param: 'output_config.effort' }],
    ['refused', 400, 'no', { param: 'my_reasoning_effort' }],
    ['refused', 400, 'no', { param: 'reasoning_effort_2' }],
    ['refused', 400, 'reasoning_effort is fine', {}],
    ['busy', 429, 'prompt is too long', {}],
    ['broken', 500, 'prompt is too long', {}],
  ])('is %s: %i %s %j', (kind, status, message, details) => {
    expect(buildRejection(status, message, details)).toMatchObject(
      modelErrors[kind as keyof typeof modelErrors],
    )
  })

  it.each<[string, string, { code?: string; hasStarted?: boolean }]>([
    ['busy', 'Overloaded', {}],
    ['busy', 'throttled', {}],
    ['busy', 'no', { code: 'rate_limit_exceeded' }],
    ['cut', 'Overloaded', { hasStarted: true }],
    ['tooLong', 'no', { code: 'context_length_exceeded' }],
    ['tooLong', 'no', { code: 'context_length_exceeded', hasStarted: true }],
    ['broken', 'prompt is too long', {}],
    ['cut', 'no', { hasStarted: true }],
  ])('in a stream is %s: %s %j', (kind, message, details) => {
    expect(buildRejection(undefined, message, details)).toMatchObject(
      modelErrors[kind as keyof typeof modelErrors],
    )
  })

  it('is logged with its status and the server’s message', () => {
    const cause = new Error('400 no')
    const error = rejectionError({ status: 400, message: 'no', code: 'c', param: 'p' }, false, cause)
    expect(error).toMatchObject({
      message: 'the model answered 400',
      rejection: { status: 400, message: 'no', code: 'c', param: 'p' },
      cause,
    })
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
