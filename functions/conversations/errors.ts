import { AppError } from '../platform/errors.ts'

/** The first message of a conversation could not be stored. */
export class SessionNotCreated extends AppError {
  readonly code = 'session_not_created'
  readonly status = 503
  readonly sentence = 'The conversation could not be created. Please try again.'
}

/** The message to be replaced is not there (any more). */
export class MessageNotFound extends AppError {
  readonly code = 'message_not_found'
  readonly status = 404
  readonly sentence = 'This message does not exist any more. Reload the conversation and try again.'
}

/** The message has fewer versions. */
export class VersionNotFound extends AppError {
  readonly code = 'version_not_found'
  readonly status = 404
  readonly sentence = 'This version does not exist any more. Reload the conversation and try again.'
}

/** Unknown, deleted, or somebody else's: the caller is told no difference. */
export class SessionNotFound extends AppError {
  readonly code = 'session_not_found'
  readonly status = 404
  readonly sentence = 'This conversation does not exist, or it was deleted.'
}
