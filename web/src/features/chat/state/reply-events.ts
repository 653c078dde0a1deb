import { plural, t } from '@lingui/core/macro'
import type { Failure } from '#shared/contracts/chat.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { Attachment, DocumentReading } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { isCallEnded, toToolCall } from '#shared/reply/reply-state.ts'
import { isDataUrl } from '../../../lib/browser/data-url.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { isLasting, toStreamFailure } from './chat-failure.ts'
import { toChatMessage, type ChatMessage } from './chat-message.ts'
import { finishReply, withLocal, type ConversationParts, type ShownError } from './conversation-parts.ts'
import {
  createPendingReply,
  getActiveReply,
  hasContent,
  isWaiting,
  updateReply,
  type ActiveReply,
} from './pending-reply.ts'
import { isActiveRun } from './stored-conversation.ts'

/**
 * Applies an event of the reply stream.
 * @param timestamp milliseconds since 1970
 */
export function applyEvent(chat: ConversationParts, event: ChatEvent, timestamp: number): ConversationParts {
  const { stored } = chat
  if (event.type === 'data-session') {
    // the assistant may have got a new version since the message was sent, or have been withdrawn
    const { title, assistant } = event.data
    return stored ? { ...chat, stored: { ...stored, title, assistant } } : chat
  }
  // events after the end are ignored
  const reply = getActiveReply(chat.local.pending)
  if (!reply) return chat
  switch (event.type) {
    case 'start': {
      // the server decides whether the chat is stored: the user's setting may have changed elsewhere
      const { kept = true } = event.messageMetadata
      return withLocal(chat, { pending: applyReplyEvent(reply, event), isTemporary: !kept })
    }
    case 'data-reply': {
      const { messages, run } = event.data
      return isActiveRun(run) ? chat : finishReply(chat, reply, messages.map(toChatMessage))
    }
    case 'abort':
      return stopReply(chat, timestamp)
    case 'error':
      return failReply(chat, toReplyError(reply, { ...event, error: event.errorText }, timestamp))
    case 'finish': {
      // the stream has ended, but the reply waits
      if (isWaiting(reply)) return chat
      const { success, error } = event.messageMetadata
      if (!success && error !== null)
        return failReply(chat, toReplyError(reply, { ...event.messageMetadata, error }, timestamp))
      return finishReply(chat, reply, toFinishedMessages(reply, event.messageMetadata, timestamp))
    }
    default: {
      const pending = applyReplyEvent(reply, event)
      return pending === reply ? chat : withLocal(chat, { pending })
    }
  }
}

/** Converts a reply that is complete to its message; none if it has no text, files or calls. */
function toFinishedMessages(
  reply: ActiveReply,
  final: Extract<ChatEvent, { type: 'finish' }>['messageMetadata'],
  timestamp: number,
): ChatMessage[] {
  const { notices, reasoning, sources, incompleteReason: incomplete_reason } = final
  const content = final.content || reply.text
  const attachments = joinAttachments(final.attachments, reply.attachments)
  if (content.trim() === '' && attachments.length === 0 && final.toolCalls.length === 0) return []
  return [
    {
      ...toMessage(reply, { content, timestamp, ended: reply.ended }),
      tool_calls: final.toolCalls,
      attachments: [...attachments],
      // the event has those of the whole reply, of which this stream may have had only the end
      ...(notices && { notices }),
      ...(reasoning && { reasoning }),
      ...(sources && { sources }),
      ...(incomplete_reason && { incomplete_reason }),
    },
  ]
}

/** The files of the final event, and those of a temporary chat, which only earlier events have. */
function joinAttachments(
  final: readonly Attachment[] | undefined,
  received: readonly Attachment[],
): readonly Attachment[] {
  if (!final || final.length === 0) return received
  return [...final, ...received.filter(({ url }) => isDataUrl(url))]
}

const toReplyError = (reply: ActiveReply, failure: Failure, timestamp: number): ShownError => ({
  ...toStreamFailure(failure),
  id: `${reply.messageId}-${timestamp}`,
  timestamp,
})

/** Applies an event that does not end the reply. */
function applyReplyEvent(reply: ActiveReply, event: ChatEvent): ActiveReply {
  const folded = foldReply(reply, event)
  if (folded === reply) return reply
  const { messageId, userMessage, request, deciding } = reply
  if (event.type === 'data-reading')
    return updateReply(reply, { ...folded, userMessage: userMessage && withReading(userMessage, event.data) })
  if (event.type !== 'start') return updateReply(reply, folded)
  const next = {
    ...createPendingReply(messageId, userMessage && withoutUnacknowledged(userMessage), request),
    ...folded,
    // kept, because the stream may have been opened again without an answer to the decision
    deciding,
  }
  return reply.phase === 'stopping' ? { ...next, phase: 'stopping', visibleText: '' } : updateReply(next, {})
}

/** Shows with a file how far it has been read. */
const withReading = (message: ChatMessage, { id, reading }: DocumentReading): ChatMessage => ({
  ...message,
  attachments: message.attachments.map((file) => (file.id === id ? { ...file, reading } : file)),
})

function withoutUnacknowledged(message: ChatMessage): ChatMessage {
  if (!message.unacknowledged) return message
  const { unacknowledged: _unacknowledged, ...acknowledged } = message
  return acknowledged
}

/** Ends a stopped reply. What has arrived of it stays. @param timestamp milliseconds since 1970 */
export function stopReply(chat: ConversationParts, timestamp: number): ConversationParts {
  const reply = getActiveReply(chat.local.pending)
  if (!reply) return chat
  return finishReply(chat, reply, [toMessage(reply, { content: reply.text, timestamp, ended: 'stopped' })])
}

/** Ends a failed reply. Its text stays, and its message can be sent again. */
export function failReply(chat: ConversationParts, failure: ShownError): ConversationParts {
  const activeReply = getActiveReply(chat.local.pending)
  if (!activeReply) return withLocal(chat, { error: failure })
  const { reply, error } = markRefused(markDeletedFiles(activeReply, failure))
  const { timestamp } = error
  // a continued reply that never started stays as it was
  const hasNewContent = hasContent(reply) && (reply.runId !== undefined || reply.ended !== 'incomplete')
  if (error.kind === 'not-stored' && hasNewContent) {
    const message = toMessage(reply, { content: reply.text, timestamp, ended: reply.ended })
    return finishReply(chat, reply, [{ ...message, notStored: true }])
  }
  const message = toMessage(reply, { content: reply.text, timestamp, ended: reply.ended ?? 'failed' })
  return withLocal(finishReply(chat, reply, hasNewContent ? [message] : []), {
    error: { ...error, messageId: reply.messageId },
  })
}

/** Stores the reason with a message that was not acknowledged, or is an attempt, because the next message removes the error. */
function markRefused({ reply, error }: { reply: ActiveReply; error: ShownError }) {
  const { userMessage } = reply
  if (!userMessage || !(userMessage.unacknowledged || userMessage.replaces !== undefined))
    return { error, reply }
  const refused = {
    ...userMessage,
    failure: error.details,
    ...(isLasting(error) && { refusal: error.message }),
  }
  return { error, reply: { ...reply, userMessage: refused } }
}

/**
 * Marks the files of the message that do not exist any more, and names them in the error. A message that had nothing else is removed:
 * there is nothing left to send.
 */
function markDeletedFiles(reply: ActiveReply, error: ShownError): { reply: ActiveReply; error: ShownError } {
  const { userMessage } = reply
  const ids = new Set(error.attachmentIds)
  const deletedFiles = userMessage?.attachments.filter(({ id }) => ids.has(id)) ?? []
  if (!userMessage || deletedFiles.length === 0) return { reply, error }
  const attachments = userMessage.attachments.map((file) =>
    deletedFiles.includes(file) ? { ...file, isDeleted: true } : file,
  )
  const isEmpty = userMessage.content === '' && deletedFiles.length === attachments.length
  return {
    reply: { ...reply, userMessage: isEmpty ? undefined : { ...userMessage, attachments } },
    error: { ...error, message: describeDeletedFiles(deletedFiles.map(({ name }) => name)) },
  }
}

function describeDeletedFiles(names: readonly string[]) {
  const count = names.length
  const list = formatList(names.map((name) => t`“${name}”`))
  return plural(count, {
    1: `${list} was deleted, so your message was not sent.`,
    other: `${list} were deleted, so your message was not sent.`,
  })
}

/** Converts a reply to the message that the list shows. Calls that have not ended are left out. */
function toMessage(
  reply: ActiveReply,
  { content, timestamp, ended }: { content: string; timestamp: number; ended: Message['ended'] },
): ChatMessage {
  return {
    id: reply.replyId ?? `${reply.messageId}-reply`,
    // nobody reads it from a reply: the conversation knows its id
    session_id: '',
    role: 'assistant',
    content,
    attachments: [...reply.attachments],
    tool_calls: reply.toolCalls.filter(isCallEnded).map((call) => toToolCall(call)),
    created_at: new Date(timestamp).toISOString(),
    timestamp,
    ...(ended && { ended }),
    ...(reply.notices.length > 0 && { notices: [...reply.notices] }),
    ...(reply.reasoning && { reasoning: reply.reasoning }),
    ...(reply.sources.length > 0 && { sources: [...reply.sources] }),
    ...(reply.usage && { usage: reply.usage }),
  }
}
