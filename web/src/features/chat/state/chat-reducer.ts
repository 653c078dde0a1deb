import type { Reading } from '#shared/contracts/files.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import type { ChatMessage } from './chat-message.ts'
import {
  applyStoredRun,
  beginReply,
  finishReply,
  getVisibleMessages,
  withLocal,
  type Chat,
  type ShownError,
} from './chat.ts'
import {
  getActiveReply,
  createPendingReply,
  continueReply,
  getVisibleText,
  withDecision,
  updateReply,
  type ActiveReply,
} from './pending-reply.ts'
import { prependEarlier } from './stored-conversation.ts'

/** The actions on a conversation. */
export type ChatAction =
  /** its run decides whether the pending reply ends, goes on or waits */
  | { type: 'stored-conversation-loaded' }
  | { type: 'earlier-loaded'; page: Pick<SessionRead, 'messages' | 'earlier'> }
  /** does nothing once the chat has messages */
  | { type: 'temporary-chosen'; isTemporary: boolean }
  /** shown at once; its documents are analysed before it is sent */
  | { type: 'message-submitted'; message: ChatMessage }
  | { type: 'document-progress'; name: string; done: number; total: number }
  | { type: 'document-analyzed'; attachmentId: string; reading: Reading }
  | { type: 'documents-analyzed' }
  /** the page gives up the pending reply; the user message stays, and a run is not stopped */
  | { type: 'reply-dropped' }
  | { type: 'unacknowledged-message-removed'; messageId: string }
  /** the incomplete last reply is continued */
  | { type: 'reply-continued'; message: ChatMessage; partial: ChatMessage }
  /** the server has accepted a decision */
  | { type: 'decided'; callId: string; approved: boolean }
  | { type: 'stream-connection-changed'; isConnected: boolean }
  | { type: 'stop-requested' }
  | { type: 'stop-failed' }
  /** the conversation could not be loaded, or the pending reply failed before its stream was open */
  | { type: 'reply-failed'; error: ShownError }
  | { type: 'error-cleared'; errorId: string }

/** Applies an action to a conversation. */
export function chatReducer(chat: Chat, action: ChatAction): Chat {
  const reply = getActiveReply(chat.local.pending)
  switch (action.type) {
    case 'stored-conversation-loaded':
      return applyStoredRun(chat)
    case 'earlier-loaded':
      return chat.stored ? { ...chat, stored: prependEarlier(chat.stored, action.page) } : chat
    case 'temporary-chosen':
      return isEmptyChat(chat) ? withLocal(chat, { isTemporary: action.isTemporary }) : chat
    case 'message-submitted':
      return beginReply(chat, createPendingReply(action.message.id, action.message))
    case 'reply-continued':
      return beginReply(chat, continueReply(action.message, action.partial))
    case 'unacknowledged-message-removed':
      return withLocal(chat, {
        unsaved: chat.local.unsaved.filter(({ id }) => id !== action.messageId),
      })
    case 'error-cleared':
      return chat.local.error?.id === action.errorId ? withLocal(chat, { error: null }) : chat
    case 'reply-failed': {
      const endedChat = reply ? finishReply(chat, reply, []) : chat
      return withLocal(endedChat, { error: action.error })
    }
    default:
      return reply ? applyReplyAction(chat, reply, action) : chat
  }
}

type ReplyAction = Extract<
  ChatAction,
  {
    type:
      | 'document-progress'
      | 'document-analyzed'
      | 'documents-analyzed'
      | 'reply-dropped'
      | 'decided'
      | 'stream-connection-changed'
      | 'stop-requested'
      | 'stop-failed'
  }
>

function applyReplyAction(chat: Chat, reply: ActiveReply, action: ReplyAction): Chat {
  const withPending = (pending: ActiveReply) => withLocal(chat, { pending })
  switch (action.type) {
    case 'document-progress': {
      const { name, done, total } = action
      return withPending({ ...reply, status: 'analyzing-documents', progress: { name, done, total } })
    }
    case 'document-analyzed':
      return withPending({
        ...reply,
        userMessage: reply.userMessage && withReading(reply.userMessage, action),
      })
    case 'documents-analyzed':
      return withPending(updateReply(reply, {}))
    case 'reply-dropped':
      return finishReply(chat, reply, [])
    case 'decided':
      return withPending(withDecision(reply, action.callId, action.approved))
    case 'stream-connection-changed': {
      const { isConnected } = action
      return reply.isConnected === isConnected ? chat : withPending({ ...reply, isConnected })
    }
    case 'stop-requested':
      return withPending({ ...reply, status: 'stopping', visibleText: getVisibleText(reply) })
    case 'stop-failed':
      return withPending(updateReply({ ...reply, status: 'thinking' }, {}))
  }
}

/** Whether the conversation is loaded, has no messages, and is not stored: a stored one has a title. */
const isEmptyChat = (chat: Chat) =>
  chat.stored !== undefined && chat.stored.title === null && getVisibleMessages(chat).length === 0

function withReading(
  message: ChatMessage,
  { attachmentId, reading }: { attachmentId: string; reading: Reading },
): ChatMessage {
  const attachments = message.attachments.map((each) =>
    each.id === attachmentId ? { ...each, reading } : each,
  )
  return { ...message, attachments }
}
