import { conversationSentences } from '#shared/sentences/conversations.ts'
import { maxCopiedMegabytes, maxCopiedMessages } from '../../platform/limits.ts'
import { defineErrors, defineLimits } from '../../platform/errors.ts'

export const {
  ConversationNotCreated,
  MessageNotFound,
  VersionNotFound,
  ReplyNotRated,
  ConversationNotFound,
  RunInProgress,
  TooManyVersions,
  RunNotFound,
  RunChanged,
  RunOwnershipLost,
  ConversationTooLong,
} = defineErrors(conversationSentences, {
  /** The first message of a conversation could not be stored. */
  ConversationNotCreated: [503, 'session_not_created'],
  /** The message to be replaced is not there (any more). */
  MessageNotFound: [404, 'message_not_found'],
  /** The message has fewer versions. */
  VersionNotFound: [404, 'version_not_found'],
  /** A message of the user, a reply of another product that was imported, or one that failed. */
  ReplyNotRated: [409, 'reply_not_rated'],
  /** Unknown, deleted or another user's: the response does not say which. */
  ConversationNotFound: [404, 'session_not_found'],
  /** Another reply of this conversation is in progress, or waits for approval. */
  RunInProgress: [409, 'run_in_progress'],
  /** The conversation has as many versions as its run's row may list. */
  TooManyVersions: [409, 'too_many_versions'],
  /** The conversation has no such run, or the run does not wait for the decision. */
  RunNotFound: [404, 'run_not_found'],
  /** Another request changed the run between reading and writing it: read again, and give up after a few attempts or where a decision collides. */
  RunChanged: [409, 'run_changed'],
  /** Another run owns the conversation, or it was deleted: the writer stops and leaves nothing behind. */
  RunOwnershipLost: [409, 'run_lost'],
  /** More messages than one request can copy. */
  ConversationTooLong: [
    409,
    'session_too_long.copy',
    { params: { messages: maxCopiedMessages, megabytes: maxCopiedMegabytes } },
  ],
})

export const { TooManyCopiesToday, TooManyImportsToday } = defineLimits(conversationSentences, {
  TooManyCopiesToday: 'too_many_copies_today',
  TooManyImportsToday: 'too_many_imports_today',
})
