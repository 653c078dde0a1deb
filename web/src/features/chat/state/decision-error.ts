import { ApiError, hasErrorName, NetworkError } from '../../../lib/api-errors.ts'
import { toChatFailure } from './chat-failure.ts'
import * as texts from './texts.ts'

/** The message for a decision that failed; undefined when the new state explains it. */
export function decisionErrorMessage(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.status === 404 ? undefined : toChatFailure(error).message
  if (error instanceof NetworkError) return texts.decisionNotSent
  return hasErrorName(error, 'AbortError') ? undefined : toChatFailure(error).message
}
