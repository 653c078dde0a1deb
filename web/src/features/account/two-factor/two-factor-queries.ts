import { queryOptions } from '@tanstack/react-query'
import { ApiError, NetworkError, NotSignedInError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'

/** Hashing ten codes takes the function a moment, more so after a cold start. */
export const setupTimeoutMs = 20_000

/** The factor as the sign-in service itself tells it (MFA-05, MFA-32). */
export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: ({ signal }) => callApi('mfa.status', {}, { signal }),
  retry: 1,
})

/** What to say about a call that failed (MFA-17, MFA-18). */
export function twoFactorSentence(error: unknown): string {
  if (error instanceof NotSignedInError || (error instanceof ApiError && error.status === 401))
    return 'Not authenticated'
  if (error instanceof ApiError) return error.userMessage
  if (error instanceof NetworkError) return 'No answer came. Check your connection and try again.'
  return 'Something went wrong. Please try again.'
}

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code
