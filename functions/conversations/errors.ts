import { AppError } from '../platform/errors.ts'

/** The first message of a conversation could not be stored. */
export class ConversationNotCreated extends AppError {
  readonly code = 'session_not_created'
  readonly status = 503
  readonly userMessage = 'The conversation could not be created. Please try again.'
}

/** The message to be replaced is not there (any more). */
export class MessageNotFound extends AppError {
  readonly code = 'message_not_found'
  readonly status = 404
  readonly userMessage = 'This message does not exist any more. Reload the conversation and try again.'
}

/** The message has fewer versions. */
export class VersionNotFound extends AppError {
  readonly code = 'version_not_found'
  readonly status = 404
  readonly userMessage = 'This version does not exist any more. Reload the conversation and try again.'
}

/** Unknown, deleted or another user's: the response does not say which. */
export class ConversationNotFound extends AppError {
  readonly code = 'session_not_found'
  readonly status = 404
  readonly userMessage = 'This conversation does not exist, or it was deleted.'
}
