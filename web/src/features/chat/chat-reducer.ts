import type { ChatEvent } from '#shared/chat-events.ts'
import type { Reading } from '#shared/contracts/files.ts'
import type { Message, SessionRead } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { failureFromStream, type ChatFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import { adopt, begin, finish, messagesToShow, withLocal, type Chat, type ShownError } from './chat.ts'
import {
  activeReply,
  awaitReply,
  continueReply,
  hasContent,
  replyAfter,
  replyMessage,
  textToShow,
  withAnswer,
  withParts,
  type ActiveReply,
} from './pending-reply.ts'
import { isOpen, withEarlier } from './stored-conversation.ts'

/** What can happen to a conversation of the page. */
export type ChatAction =
  /** what was just read is in the cache; it counts for the pending reply, too */
  | { type: 'adopted' }
  | { type: 'read-earlier'; read: Pick<SessionRead, 'messages' | 'earlier'> }
  /** `kept` counts for the first message */
  | { type: 'sent'; message: ChatMessage; kept: boolean }
  | { type: 'reading-document'; name: string; done: number; total: number }
  | { type: 'document-read'; attachmentId: string; reading: Reading }
  | { type: 'documents-read' }
  | { type: 'left-unanswered' }
  | { type: 'forgotten'; messageId: string }
  /** the incomplete reply at the end goes on */
  | { type: 'continued'; message: ChatMessage; partial: ChatMessage }
  | { type: 'event'; event: ChatEvent; at: number }
  /** the server has taken the user's answer to a question */
  | { type: 'answered'; callId: string; approved: boolean }
  | { type: 'connection'; open: boolean }
  | { type: 'stop-asked' }
  | { type: 'stop-refused' }
  | { type: 'stopped'; at: number }
  | { type: 'failed'; failure: ChatFailure; errorId: string; at: number }
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
      const kept = isFresh(chat) ? action.kept : chat.local.kept
      const begun = begin(chat, awaitReply(action.message.id, action.message))
      return { ...begun, local: { ...begun.local, kept } }
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
      const error = { ...action.failure, id: action.errorId, at: action.at }
      return reply ? fail(chat, reply, error) : withLocal(chat, { error })
    }
    case 'event':
      return afterEvent(chat, action.event, action.at)
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
      | 'stopped'
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
    case 'stopped':
      return stop(chat, reply, action.at)
  }
}

/** @param at milliseconds since 1970 */
function afterEvent(chat: Chat, event: ChatEvent, at: number): Chat {
  const { stored } = chat
  if (event.type === 'data-session')
    return stored ? { ...chat, stored: { ...stored, title: event.data.title } } : chat
  // DEC-009: whatever follows a finished reply is late, and ignored
  const reply = activeReply(chat.local.pending)
  if (!reply) return chat
  switch (event.type) {
    case 'start': {
      // the setting may have been changed elsewhere: the server decides
      const { kept = true } = event.messageMetadata
      return withLocal(chat, { pending: replyAfter(reply, event), kept })
    }
    case 'data-reply': {
      const { messages, run } = event.data
      return isOpen(run) ? chat : finish(chat, reply, messages.map(shownReply))
    }
    case 'abort':
      return stop(chat, reply, at)
    case 'error':
      return fail(chat, reply, errorOf(reply, event.errorText, at))
    case 'finish': {
      // only the stream has ended
      if (reply.questions.length > 0) return chat
      const { success, content, error, toolCalls, attachments } = event.messageMetadata
      if (!success && error !== null) return fail(chat, reply, errorOf(reply, error, at))
      const text = content || reply.text
      const made = attachments && attachments.length > 0 ? attachments : reply.attachments
      if (text === '' && made.length === 0) return finish(chat, reply, [])
      const message = replyMessage(reply, { content: text, at, ended: reply.ended })
      return finish(chat, reply, [{ ...message, tool_calls: toolCalls, attachments: [...made] }])
    }
    default: {
      const pending = replyAfter(reply, event)
      return pending === reply ? chat : withLocal(chat, { pending })
    }
  }
}

const shownReply = (message: Message): ChatMessage => ({
  ...message,
  timestamp: Date.parse(message.created_at),
})

function stop(chat: Chat, reply: ActiveReply, at: number): Chat {
  const id = `${reply.replyId ?? reply.messageId}-stopped`
  const line = { ...replyMessage(reply, { content: stoppedLine, at, ended: undefined }), id }
  if (!hasContent(reply)) return finish(chat, reply, [line])
  const partial = replyMessage(reply, { content: reply.text, at, ended: 'stopped' })
  return finish(chat, reply, [partial, { ...line, attachments: [], tool_calls: [] }])
}

const errorOf = (reply: ActiveReply, sentence: string, at: number): ShownError => ({
  ...failureFromStream(sentence),
  id: `${reply.messageId}-${at}`,
  at,
})

function fail(chat: Chat, reply: ActiveReply, error: ShownError): Chat {
  const { at } = error
  // a reply that was to go on and never began stands as it was
  const isNew = hasContent(reply) && (reply.runId !== undefined || reply.ended !== 'incomplete')
  if (error.kind === 'unsaved' && isNew) {
    const message = replyMessage(reply, { content: reply.text, at, ended: reply.ended })
    return finish(chat, reply, [{ ...message, unsaved: true }])
  }
  const message = replyMessage(reply, { content: reply.text, at, ended: reply.ended ?? 'failed' })
  return withLocal(finish(chat, reply, isNew ? [message] : []), { error })
}

/** Nothing was said yet, and nothing is stored. */
const isFresh = (chat: Chat) =>
  chat.stored !== undefined && chat.stored.title === null && messagesToShow(chat).length === 0

function withReading(
  message: ChatMessage,
  { attachmentId, reading }: { attachmentId: string; reading: Reading },
): ChatMessage {
  const attachments = message.attachments.map((each) =>
    each.id === attachmentId ? { ...each, reading } : each,
  )
  return { ...message, attachments }
}
