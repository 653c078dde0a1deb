import { afterEach, expect, it, vi } from 'vitest'
import {
  ApiError,
  ConfigError,
  getErrorMessage,
  isRetryable,
  NetworkError,
  NotSignedInError,
} from './api-errors.ts'

const createApiError = (status: number) =>
  new ApiError({ status, code: 'x', userMessage: `message of ${status}` })

afterEach(() => vi.restoreAllMocks())

it.each([
  [createApiError(400), false],
  [createApiError(404), false],
  [createApiError(429), true],
  [createApiError(500), true],
  [createApiError(503), true],
  [new NetworkError(), true],
  [new TypeError('cut'), true],
  [new NotSignedInError('signed out'), false],
  [new ConfigError('no config.json'), false],
])('tells whether a request that failed with %s may succeed later: %s', (error, expected) => {
  expect(isRetryable(error)).toBe(expected)
})

it('shows the message of the service, or says which connection failed', () => {
  expect(getErrorMessage(createApiError(409))).toBe('message of 409')
  expect(getErrorMessage(new NotSignedInError('gone'))).toBe('Please sign in again.')
  expect(getErrorMessage(new NetworkError({ hasTimedOut: true }))).toBe(
    'The service could not be reached. Please try again.',
  )
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(getErrorMessage(new NetworkError())).toBe('You are offline. Please try again when you are online.')
})
