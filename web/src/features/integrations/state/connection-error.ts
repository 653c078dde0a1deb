import { ApiError, NotSignedInError } from '../../../lib/api-errors.ts'
import * as texts from '../texts.ts'

/** An error with a message for the user, detected on the client. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionRefused'
}

/**
 * The message of an error that the API returned, as opposed to a network error.
 * @param fallback for responses without a readable message
 * @returns undefined for other errors
 */
export function getReturnedError(error: unknown, fallback: string): string | undefined {
  if (error instanceof ConnectionError) return error.message
  if (error instanceof NotSignedInError) return texts.notAuthenticated
  if (!(error instanceof ApiError)) return undefined
  return error.code === 'unreadable' ? fallback : error.userMessage
}
