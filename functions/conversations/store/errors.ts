import { formatWait } from '#shared/retry-after.ts'
import { maxCopiedMegabytes, maxCopiedMessages } from '../../platform/limits.ts'
import { defineErrors, defineLimits } from '../../platform/errors.ts'

export const {
  ConversationNotCreated,
  MessageNotFound,
  VersionNotFound,
  ConversationNotFound,
  RunInProgress,
  TooManyVersions,
  RunNotFound,
  RunChanged,
  RunOwnershipLost,
  ConversationTooLong,
} = defineErrors({
  /** The first message of a conversation could not be stored. */
  ConversationNotCreated: [
    503,
    'session_not_created',
    'The conversation could not be created. Please try again.',
  ],
  /** The message to be replaced is not there (any more). */
  MessageNotFound: [
    404,
    'message_not_found',
    'This message does not exist any more. Reload the conversation and try again.',
  ],
  /** The message has fewer versions. */
  VersionNotFound: [
    404,
    'version_not_found',
    'This version does not exist any more. Reload the conversation and try again.',
  ],
  /** Unknown, deleted or another user's: the response does not say which. */
  ConversationNotFound: [404, 'session_not_found', 'This conversation does not exist, or it was deleted.'],
  /** Another reply of this conversation is in progress, or waits for approval. */
  RunInProgress: [
    409,
    'run_in_progress',
    'A reply is still being written in this conversation. Wait for it, or stop it, then try again.',
  ],
  /** The conversation has as many versions as its run's row may list. */
  TooManyVersions: [
    409,
    'too_many_versions',
    'This conversation has too many versions. Please start a new conversation, or continue from the newest version.',
  ],
  /** The conversation has no such run, or the run does not wait for the decision. */
  RunNotFound: [404, 'run_not_found', 'There is no such reply in this conversation.'],
  /** Another request changed the run between reading and writing it: read again, and give up after a few attempts or where a decision collides. */
  RunChanged: [409, 'run_changed', 'This conversation changed at the same moment. Please try again.'],
  /** Another run owns the conversation, or it was deleted: the writer stops and leaves nothing behind. */
  RunOwnershipLost: [409, 'run_lost', 'This reply was replaced by a newer one.'],
  /** More messages than one request can copy. */
  ConversationTooLong: [
    409,
    'session_too_long',
    `A conversation of more than ${maxCopiedMessages.toLocaleString('en')} messages, or of more than ${maxCopiedMegabytes} MB, cannot be copied.`,
  ],
})

export const { TooManyCopiesToday, TooManyImportsToday } = defineLimits({
  TooManyCopiesToday: [
    'too_many_copies_today',
    'You have continued as many conversations in new chats as one day allows. Please try again tomorrow.',
  ],
  TooManyImportsToday: [
    'too_many_imports_today',
    (retryAfterSeconds) =>
      `You have imported as much as one day allows. Please choose the same file again ${formatWait(retryAfterSeconds)}: what is here already is not imported twice.`,
  ],
})
