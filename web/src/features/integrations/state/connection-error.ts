import { ApiError, NotSignedInError } from '../../../lib/api-errors.ts'

/** A failure with a sentence for the reader, found on this side. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused'
}

/**
 * The sentence of a failure that was returned, as opposed to one that was thrown on the way (DEC-081).
 * @param fallback for a returned failure without a readable sentence
 * @returns undefined for what was thrown
 */
export function returnedFailure(error: unknown, fallback: string): string | undefined {
  if (error instanceof ConnectionRefused) return error.message
  // INT-41, INT-65, CUST-15
  if (error instanceof NotSignedInError) return 'User not authenticated'
  if (!(error instanceof ApiError)) return undefined
  return error.code === 'unreadable' ? fallback : error.userMessage
}
