import type { ChatEvent } from '#shared/chat-events.ts'
import { connectionLost, toServiceFailure } from '#shared/chat-texts.ts'
import type { ChatResponse, Failure } from '#shared/contracts/chat.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReplyParts } from '../turns/stored-reply.ts'

/** How a reply ended; content of the last event and of the JSON response. */
export interface ReplyResult extends ChatResponse {
  /** the error behind `error`; decides the status of the JSON response */
  cause?: unknown
}

/** The sentence for the user, what it says, and its cause for the status of the response. */
export const describeFailure = (cause: unknown) => ({
  ...(cause instanceof AppError ? toServiceFailure(cause.sentence) : connectionLost),
  cause,
})

/** The event that tells the readers of a stream. */
export const toErrorEvent = ({ error, code, params, requestId }: Failure): ChatEvent => ({
  type: 'error',
  errorText: error,
  ...(code !== undefined && { code }),
  ...(params && { params }),
  ...(requestId !== undefined && { requestId }),
})

/** The JSON form of a reply. @param failure if it failed */
export function toChatResponse(
  { content, toolCalls, attachments, notices, reasoning, sources }: ReplyParts,
  failure: Failure | null,
): ChatResponse {
  return {
    success: failure === null,
    content,
    toolCalls,
    error: null,
    ...failure,
    ...(attachments.length > 0 && { attachments }),
    ...(notices && { notices }),
    ...(reasoning && { reasoning }),
    ...(sources && { sources }),
  }
}
