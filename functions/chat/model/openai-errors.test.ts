import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { expect, it } from 'vitest'
import { ModelError, modelErrors } from './model-errors.ts'
import { toModelError } from './openai-errors.ts'

const rejects = (status: number | undefined, error: object | undefined, headers?: Headers) =>
  new APIError(status, error, 'Overloaded', headers)

it('an error of the product stays as it is', () => {
  const error = new ModelError(modelErrors.filtered, 'x')
  expect(toModelError(error, true)).toBe(error)
})

it.each<[string, unknown, keyof typeof modelErrors, keyof typeof modelErrors]>([
  ['no answer in time', new APIConnectionTimeoutError(), 'silent', 'silent'],
  ['a lost connection', new APIConnectionError({ message: 'x' }), 'unreachable', 'cut'],
  ['a fault in the code', new Error('x'), 'broken', 'cut'],
  ['what is no JSON', new SyntaxError('x'), 'unreadable', 'unreadable'],
  ['an overload', rejects(503, { message: 'Overloaded' }), 'busy', 'cut'],
  ['an overload in the stream', rejects(undefined, { message: 'Overloaded' }), 'busy', 'cut'],
  ['a refused key', rejects(401, {}), 'key', 'key'],
  ['words without a body', rejects(undefined, undefined), 'busy', 'cut'],
])('%s has its own error, before and after the first text', (_, error, before, after) => {
  const codes = [false, true].map((hasStarted) => toModelError(error, hasStarted).code)
  expect(codes).toEqual([modelErrors[before].code, modelErrors[after].code])
})

it('a rejection has the words of the server and its wait, and is the cause', () => {
  const cause = rejects(429, { message: 'slow down', code: 'c' }, new Headers({ 'retry-after': '20' }))
  expect(toModelError(cause, false)).toMatchObject({
    cause,
    retryAfterSeconds: 20,
    rejection: { status: 429, message: 'slow down', code: 'c' },
  })
})
