import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/core/error'
import { describe, expect, it } from 'vitest'
import { ModelError, modelErrors } from '../model-errors.ts'
import { toMessagesError } from './messages-errors.ts'

const rejects = (
  status: number | undefined,
  message: string,
  { headers = {}, param }: { headers?: Record<string, string>; param?: string } = {},
) =>
  new APIError(
    status,
    { error: { message, ...(param !== undefined && { param }) } },
    '',
    new Headers(headers),
  )

it('an error of the product stays as it is', () => {
  const error = new ModelError(modelErrors.filtered, 'x')
  expect(toMessagesError(error, true)).toBe(error)
})

it.each<[string, unknown, string, string]>([
  ['no answer in time', new APIConnectionTimeoutError(), 'silent', 'silent'],
  ['a lost connection', new APIConnectionError({ message: 'x' }), 'unreachable', 'cut'],
  ['a fault in the code', new Error('x'), 'broken', 'cut'],
  ['what is no JSON', new SyntaxError('x'), 'unreadable', 'unreadable'],
  ['an overload', rejects(529, 'Overloaded'), 'busy', 'cut'],
  ['an overload in the stream', rejects(undefined, 'Overloaded'), 'busy', 'cut'],
  ['a refused key', rejects(401, 'no'), 'key', 'key'],
  ['words without a body', new APIError(undefined, undefined, 'Overloaded', undefined), 'busy', 'cut'],
])('%s has its own error, before and after the first text', (_, error, before, after) => {
  const codes = [false, true].map((hasStarted) => toMessagesError(error, hasStarted).code)
  expect(codes).toEqual([before, after].map((kind) => modelErrors[kind as keyof typeof modelErrors].code))
})

describe('a rejection', () => {
  it('has the words of the server, and is the cause', () => {
    const cause = rejects(429, 'slow down', { headers: { 'retry-after': '20' } })
    expect(toMessagesError(cause, false)).toMatchObject({
      cause,
      retryAfterSeconds: 20,
      rejection: { status: 429, message: 'slow down', param: '', retryAfter: '20' },
    })
  })

  // https://platform.claude.com/docs/en/api/errors: the API names no parameter beside its message
  it.each([
    ["effort: Input should be 'low'", undefined, 'output_config.effort'],
    ['no effort here', undefined, 'output_config.effort'],
    ['effortless', undefined, ''],
    ['an effort', 'thinking', 'thinking'],
  ])('"%s" of the parameter %s is about %s', (message, param, named) => {
    const error = rejects(400, message, param === undefined ? {} : { param })
    expect(toMessagesError(error, false).rejection?.param).toBe(named)
  })
})
