import { chatErrors, serviceError } from '#shared/chat-texts.ts'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReplyParts } from '../turns/stored-reply.ts'

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

/** The JSON form of a reply. @param error the sentence for the user if it failed */
export function toChatResponse(
  { content, toolCalls, attachments, notices, reasoning, sources }: ReplyParts,
  error: string | null,
): ChatResponse {
  return {
    success: error === null,
    content,
    toolCalls,
    error,
    ...(attachments.length > 0 && { attachments }),
    ...(notices && { notices }),
    ...(reasoning && { reasoning }),
    ...(sources && { sources }),
  }
}
