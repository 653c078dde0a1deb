import { chatErrors, serviceError } from '#shared/chat-texts.ts'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import { AppError } from '../../platform/errors.ts'

/** How a reply ended; content of the last event and of the JSON response. */
export interface ReplyResult extends ChatResponse {
  /** the error behind `error`; decides the status of the JSON response */
  cause?: unknown
}

/** The sentence for the user, and its cause for the status of the response. */
export const describeFailure = (cause: unknown) => ({
  error: cause instanceof AppError ? serviceError(cause.userMessage) : chatErrors.connection,
  cause,
})
