import { defineSentences } from './to-sentence.ts'

/** Errors of conversations and their runs. */
export const conversationSentences = {
  session_not_created: 'The conversation could not be created. Please try again.',
  message_not_found: 'This message does not exist any more. Reload the conversation and try again.',
  version_not_found: 'This version does not exist any more. Reload the conversation and try again.',
  reply_not_rated: 'Only a reply of a model of this installation can be rated, and not one that failed.',
  session_not_found: 'This conversation does not exist, or it was deleted.',
  run_in_progress:
    'A reply is still being written in this conversation. Wait for it, or stop it, then try again.',
  too_many_versions:
    'This conversation has too many versions. Please start a new conversation, or continue from the newest version.',
  run_not_found: 'There is no such reply in this conversation.',
  run_changed: 'This conversation changed at the same moment. Please try again.',
  message_superseded:
    'This message was not answered, and the conversation has continued. Please send it again.',
  run_lost: 'This reply was replaced by a newer one.',
  'session_too_long.copy':
    'A conversation of more than {messages, number} messages, or of more than {megabytes} MB, cannot be copied.',
  too_many_copies_today:
    'You have continued as many conversations in new chats as one day allows. Please try again tomorrow.',
  too_many_imports_today:
    'You have imported as much as one day allows. Please choose the same file again {seconds, wait}: what is here already is not imported twice.',
  'bad_request.list_cursor': 'The cursor is not one of this list.',
  'bad_request.search_cursor': 'The cursor is not one of this search.',
} as const

export const sayConversation = defineSentences(conversationSentences)
