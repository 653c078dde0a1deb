import { expect, it } from 'vitest'
import { errorResponse } from './error-response.ts'
import { AppError, InvalidToken, TooManyCalls } from '../errors.ts'

it('DEC-106 returns the sentence, code and status of a known error, and nothing of its cause', () => {
  const cause = new Error('secret detail')
  const { statusCode, headers, body } = errorResponse(new InvalidToken('bad signature', { cause }), 'r-1')
  expect(statusCode).toBe(401)
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' })
  expect(JSON.parse(body)).toEqual({
    success: false,
    error: 'Your session has expired. Please sign in again.',
    code: 'invalid_token',
    requestId: 'r-1',
  })
})

it('DEC-106 returns when to try again', () => {
  const { statusCode, headers, body } = errorResponse(new TooManyCalls('spent', 17), 'r-2')
  expect(JSON.parse(body)).toMatchObject({
    error: 'Too many requests. Please wait 17 seconds and try again.',
    code: 'too_many_requests',
    params: { seconds: 17 },
  })
  expect(statusCode).toBe(429)
  expect(headers['retry-after']).toBe('17')
})

it('returns the files that the caller has to leave out', () => {
  class FilesDeleted extends AppError {
    readonly status = 404
    override readonly attachmentIds = ['a', 'b']
  }
  const { body } = errorResponse(
    new FilesDeleted({ code: 'files_deleted', text: 'They were deleted.' }, 'no files of the caller'),
    'r-4',
  )
  expect(JSON.parse(body)).toMatchObject({ code: 'files_deleted', attachmentIds: ['a', 'b'] })
})

it('DEC-019 reports an unknown error as internal, without details', () => {
  const { statusCode, body } = errorResponse(new TypeError('x is undefined at /srv/secret.ts'), 'r-3')
  expect(statusCode).toBe(500)
  expect(JSON.parse(body)).toMatchObject({ code: 'internal_error' })
  expect(body).not.toContain('undefined')
})
