import { t } from '@lingui/core/macro'
import { ApiError, NotSignedInError } from '../../../lib/api/api-errors.ts'

/** An error with a message for the user, detected on the client. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** What is said of an error without a message. */
const unreachable = t`The service could not be reached. Please try again.`

/** As `findErrorMessage`; an error without a message means that the service could not be reached. */
export const describeError = (error: unknown, fallback = unreachable): string =>
  findErrorMessage(error, fallback) ?? unreachable

/**
 * The message of an error for the user.
 * @param fallback for API errors without a readable message
 * @returns undefined for errors without a message, such as network errors
 */
export function findErrorMessage(error: unknown, fallback: string): string | undefined {
  if (error instanceof ConnectionError) return error.message
  if (error instanceof NotSignedInError) return t`User not authenticated`
  if (!(error instanceof ApiError)) return undefined
  return error.code === 'unreadable' ? fallback : error.userMessage
}
