import type { Extraction } from '#shared/contracts/files.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ChatMessage } from './chat-message.ts'
import { adopt, begin, finish, messagesToShow, withLocal, type Chat, type ShownError } from './chat.ts'
import {
  activeReply,
  awaitReply,
  continueReply,
  textToShow,
  withAnswer,
  withParts,
  type ActiveReply,
} from './pending-reply.ts'
import { withEarlier } from './stored-conversation.ts'

/** What can happen to a conversation of the page. */
export type ChatAction =
  /** what was just read is in the cache; it counts for the pending reply, too */
  | { type: 'adopted' }
  | { type: 'read-earlier'; read: Pick<SessionRead, 'messages' | 'earlier'> }
  /** `kept` counts for the first message */
  | { type: 'sent'; message: ChatMessage; isSaved: boolean }
  | { type: 'reading-document'; name: string; done: number; total: number }
  | { type: 'document-read'; attachmentId: string; reading: Extraction }
  | { type: 'documents-read' }
  | { type: 'left-unanswered' }
  | { type: 'forgotten'; messageId: string }
  /** the incomplete reply at the end goes on */
  | { type: 'continued'; message: ChatMessage; partial: ChatMessage }
  /** the server has taken the user's answer to a question */
  | { type: 'answered'; callId: string; approved: boolean }
  | { type: 'connection'; open: boolean }
  | { type: 'stop-asked' }
  | { type: 'stop-refused' }
  /** nothing came of the pending reply */
  | { type: 'failed'; error: ShownError }
  | { type: 'error-cleared'; errorId: string }

/** What follows from it. */
export function chatReducer(chat: Chat, action: ChatAction): Chat {
  const reply = activeReply(chat.local.pending)
  switch (action.type) {
    case 'adopted':
      return adopt(chat)
    case 'read-earlier':
      return chat.stored ? { ...chat, stored: withEarlier(chat.stored, action.read) } : chat
    case 'sent': {
      const isSaved = isFresh(chat) ? action.isSaved : chat.local.isSaved
      const begun = begin(chat, awaitReply(action.message.id, action.message))
      return { ...begun, local: { ...begun.local, isSaved } }
    }
    case 'continued':
      return begin(chat, continueReply(action.message, action.partial))
    case 'forgotten':
      return withLocal(chat, {
        unsaved: chat.local.unsaved.filter(({ id }) => id !== action.messageId),
      })
    case 'error-cleared':
      return chat.local.error?.id === action.errorId ? withLocal(chat, { error: null }) : chat
    case 'failed': {
      const ended = reply ? finish(chat, reply, []) : chat
      return withLocal(ended, { error: action.error })
    }
    default:
      return reply ? afterAction(chat, reply, action) : chat
  }
}

type ReplyAction = Extract<
  ChatAction,
  {
    type:
      | 'reading-document'
      | 'document-read'
      | 'documents-read'
      | 'left-unanswered'
      | 'answered'
      | 'connection'
      | 'stop-asked'
      | 'stop-refused'
  }
>

/** What follows for the pending reply. */
function afterAction(chat: Chat, reply: ActiveReply, action: ReplyAction): Chat {
  const change = (pending: ActiveReply) => withLocal(chat, { pending })
  switch (action.type) {
    case 'reading-document': {
      const { name, done, total } = action
      return change({ ...reply, status: 'reading-documents', progress: { name, done, total } })
    }
    case 'document-read':
      return change({ ...reply, message: reply.message && withReading(reply.message, action) })
    case 'documents-read':
      return change(withParts(reply, {}))
    case 'left-unanswered':
      return finish(chat, reply, [])
    case 'answered':
      return change(withAnswer(reply, action.callId, action.approved))
    case 'connection':
      return reply.connected === action.open ? chat : change({ ...reply, connected: action.open })
    case 'stop-asked':
      return change({ ...reply, status: 'stopping', shownText: textToShow(reply) })
    case 'stop-refused':
      return change(withParts({ ...reply, status: 'waiting' }, {}))
  }
}

/** Nothing was said yet, and nothing is stored. */
const isFresh = (chat: Chat) =>
  chat.stored !== undefined && chat.stored.title === null && messagesToShow(chat).length === 0

function withReading(
  message: ChatMessage,
  { attachmentId, reading }: { attachmentId: string; reading: Extraction },
): ChatMessage {
  const attachments = message.attachments.map((each) =>
    each.id === attachmentId ? { ...each, reading } : each,
  )
  return { ...message, attachments }
}
