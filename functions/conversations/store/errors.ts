import { AppError } from '../../platform/errors.ts'

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
/** Another reply of this conversation is in progress, or waits for approval. */
export class RunInProgress extends AppError {
  readonly code = 'run_in_progress'
  readonly status = 409
  readonly userMessage =
    'A reply is still being written in this conversation. Wait for it, or stop it, then try again.'
}

/** The conversation has as many versions as its run's row may list. */
export class TooManyVersions extends AppError {
  readonly code = 'too_many_versions'
  readonly status = 409
  readonly userMessage =
    'This conversation has too many versions. Please start a new conversation, or continue from the newest version.'
}

/** The conversation has no such run, or the run does not wait for the decision. */
export class RunNotFound extends AppError {
  readonly code = 'run_not_found'
  readonly status = 404
  readonly userMessage = 'There is no such reply in this conversation.'
}

/** Another request changed the run between reading and writing it: read again, and give up after a few attempts or where a decision collides. */
export class RunChanged extends AppError {
  readonly code = 'run_changed'
  readonly status = 409
  readonly userMessage = 'This conversation changed at the same moment. Please try again.'
}

/** Another run owns the conversation, or it was deleted: the writer stops and leaves nothing behind. */
export class RunOwnershipLost extends AppError {
  readonly code = 'run_lost'
  readonly status = 409
  readonly userMessage = 'This reply was replaced by a newer one.'
}
