import { afterEach, expect, it, vi } from 'vitest'
import {
  ApiError,
  ConfigError,
  errorMessage,
  isRetryable,
  NetworkError,
  NotSignedInError,
} from './api-errors.ts'

const answered = (status: number) => new ApiError({ status, code: 'x', userMessage: `answered ${status}` })

afterEach(() => vi.restoreAllMocks())

it.each([
  [answered(400), false],
  [answered(404), false],
  [answered(429), true],
  [answered(500), true],
  [answered(503), true],
  [new NetworkError(false), true],
  [new TypeError('cut'), true],
  [new NotSignedInError('signed out'), false],
  [new ConfigError('no config.json'), false],
])('tells whether the call that threw %s may succeed later: %s', (error, expected) => {
  expect(isRetryable(error)).toBe(expected)
})

it('shows the sentence of the service, and says whose connection is gone', () => {
  expect(errorMessage(answered(409))).toBe('answered 409')
  expect(errorMessage(new NetworkError(true))).toBe('The service could not be reached. Please try again.')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(errorMessage(new NetworkError(false))).toBe('You are offline. Please try again when you are back.')
})
