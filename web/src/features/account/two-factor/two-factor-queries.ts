import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, NetworkError, NotSignedInError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'

/** The service hashes each backup code slowly on purpose, and may have to start first. */
export const setupTimeoutMs = 20_000

/** Whether two-factor is on, and how many backup codes are left. */
export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: ({ signal }) => callApi('mfa.status', {}, { signal }),
  // once: the settings have a button to try again
  retry: 1,
})

/** The message for a failed call, or a failed set-up. */
export function describeTwoFactorError(error: unknown): string {
  if (error instanceof NotSignedInError || (error instanceof ApiError && error.status === 401))
    return t`Not authenticated`
  if (error instanceof ApiError) return error.userMessage
  if (error instanceof NetworkError) return t`No response. Check your connection and try again.`
  return t`Something went wrong. Please try again.`
}
