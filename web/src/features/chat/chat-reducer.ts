import type { ChatEvent } from '#shared/chat-events.ts'
import type { Reading } from '#shared/contracts/files.ts'
import type { Message, SessionRead } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { failureFromStream, type ChatFailure } from './chat-failure.ts'
import { isUnsaved, withoutKnown, type ChatMessage } from './chat-message.ts'
import {
  activeReply,
  awaitReply,
  continueReply,
  hasContent,
  idle,
  replyAfter,
  replyMessage,
  resumeReply,
  textToShow,
  withAnswer,
  withParts,
  type ActiveReply,
  type PendingReply,
} from './pending-reply.ts'
import { isOpen, withEarlier, withMessage, type StoredConversation } from './stored-conversation.ts'

export interface ShownError extends ChatFailure {
  id: string
  at: number
}

/** What this page alone knows of a conversation. */
export interface LocalChat {
  pending: PendingReply
  /** messages that the server may not have: they stand at the end until it does */
  unsaved: readonly ChatMessage[]
  error: ShownError | null
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  kept: boolean
}

/** A conversation: what is stored, in the query cache, and what this page adds to it. */
export interface Chat {
  /** undefined until it was read */
  stored: StoredConversation | undefined
  local: LocalChat
}

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

/** CHAT-41: a reply that is pending holds the conversation until it is finished. */
function begin({ stored, local }: Chat, pending: ActiveReply): Chat {
  const others = local.unsaved.filter(({ id }) => id !== pending.messageId)
  return {
    // what was left unsaved is part of what was said before
    stored: stored && others.reduce(withMessage, stored),
    local: { ...local, pending, unsaved: stored ? [] : others, error: null },
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

/**
 * The one end of a pending reply: what came of it takes its place after the message that it answers, in what is stored, or beside
 * it as long as that was not read. Without anything the message stands at the end, and what it was to replace stands as before.
 * @param replies the messages that the reply became
 */
function finish({ stored, local }: Chat, reply: ActiveReply, replies: readonly ChatMessage[]): Chat {
  const asked = reply.message ?? stored?.messages.find(({ id }) => id === reply.messageId)
  const turn = [...(asked ? [asked] : []), ...withoutKnown(replies, asked ? [asked] : [])]
  const next = { ...local, pending: idle }
  if (!stored || (replies.length === 0 && asked?.local))
    return { stored, local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...turn] } }
  if (replies.length === 0)
    return { stored: { ...(asked ? withMessage(stored, asked) : stored), run: null }, local: next }
  const messages = [
    ...messagesBefore(stored.messages, reply),
    ...turn.filter(({ unsaved }) => unsaved !== true),
  ]
  const unsaved = turn.filter((message) => message.unsaved)
  return {
    stored: { ...stored, messages, run: null },
    local: { ...next, unsaved: [...withoutKnown(local.unsaved, turn), ...unsaved] },
  }
}

/** What was read last wins: a reply that is over is not pending any more, one that runs elsewhere is. */
function adopt(chat: Chat): Chat {
  const { stored, local } = chat
  if (!stored) return chat
  const { messages, run } = stored
  const reply = activeReply(local.pending)
  if (!run || !isOpen(run)) {
    const unsaved = withoutKnown(local.unsaved, messages).filter(isUnsaved)
    const asked = reply?.message?.local ? withoutKnown([reply.message], messages) : []
    return withLocal(chat, { pending: idle, unsaved: [...unsaved, ...asked] })
  }
  // what is being filled in on the page stays as it is
  if (reply && reply.questions.length > 0 && run.questions && reply.runId === run.run_id)
    return withLocal(chat, { pending: withParts(reply, { questions: run.questions }) })
  const asked = messages.find(({ id }) => id === run.message_id)
  return withLocal(chat, {
    pending: resumeReply(run, asked),
    unsaved: withoutKnown(local.unsaved, messages).filter(isUnsaved),
    error: null,
  })
}

/** The messages that stand before a pending reply's own one: without it, what it replaces, and what followed. */
function messagesBefore(
  messages: readonly ChatMessage[],
  { messageId, message, replyId }: ActiveReply,
): readonly ChatMessage[] {
  const replaced = messages.findIndex(({ id }) => id === message?.replaces)
  const end = replaced < 0 ? messages.findIndex(({ id }) => id === messageId) : replaced
  return end < 0 ? messages.filter(({ id }) => id !== replyId) : messages.slice(0, end)
}

/** All messages to show: what is stored, what may not be, and the message that a pending reply answers. */
export function messagesToShow({ stored, local }: Chat): readonly ChatMessage[] {
  const saved = stored?.messages ?? []
  const added = withoutKnown(local.unsaved, saved)
  const known = added.length === 0 ? saved : [...saved, ...added]
  const reply = activeReply(local.pending)
  if (!reply) return known
  const before = messagesBefore(known, reply)
  return reply.message ? [...before, reply.message] : before
}

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

const withLocal = (chat: Chat, change: Partial<LocalChat>): Chat => ({
  ...chat,
  local: { ...chat.local, ...change },
})
