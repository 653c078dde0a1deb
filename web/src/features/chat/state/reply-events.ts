import type { ChatEvent } from '#shared/chat-events.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { foldReply, toToolCall } from '#shared/reply/fold-reply.ts'
import { isCallEnded } from '#shared/reply/reply-state.ts'
import { isDataUrl } from '../../../lib/data-url.ts'
import { isLasting, parseStreamFailure } from './chat-failure.ts'
import { toChatMessage, type ChatMessage } from './chat-message.ts'
import { finishReply, withLocal, type ConversationParts, type ShownError } from './conversation-parts.ts'
import {
  getActiveReply,
  createPendingReply,
  hasContent,
  updateReply,
  type ActiveReply,
} from './pending-reply.ts'
import { isActiveRun } from './stored-conversation.ts'
import * as texts from './reply-texts.ts'

/**
 * Applies an event of the reply stream.
 * @param timestamp milliseconds since 1970
 */
export function applyEvent(chat: ConversationParts, event: ChatEvent, timestamp: number): ConversationParts {
  const { stored } = chat
  if (event.type === 'data-session')
    return stored ? { ...chat, stored: { ...stored, title: event.data.title } } : chat
  // events after the end are ignored
  const reply = getActiveReply(chat.local.pending)
  if (!reply) return chat
  switch (event.type) {
    case 'start': {
      // the setting may have changed elsewhere: the server decides
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
      return failReply(chat, toShownError(reply, event.errorText, timestamp))
    case 'finish': {
      // only the stream has ended
      if (reply.approvals.length > 0) return chat
      const { success, content, error, toolCalls, attachments, notices, reasoning, sources } =
        event.messageMetadata
      if (!success && error !== null) return failReply(chat, toShownError(reply, error, timestamp))
      const text = content || reply.text
      const replyAttachments = joinAttachments(attachments, reply.attachments)
      if (text === '' && replyAttachments.length === 0) return finishReply(chat, reply, [])
      const message = toMessage(reply, { content: text, timestamp, ended: reply.ended })
      return finishReply(chat, reply, [
        {
          ...message,
          tool_calls: toolCalls,
          attachments: [...replyAttachments],
          // those of the whole reply: this stream may have had only its end
          ...(notices && { notices }),
          ...(reasoning && { reasoning }),
          ...(sources && { sources }),
        },
      ])
    }
    default: {
      const pending = applyReplyEvent(reply, event)
      return pending === reply ? chat : withLocal(chat, { pending })
    }
  }
}

/** The files of the final event, and those of a temporary chat, which only earlier events have. */
function joinAttachments(
  final: readonly Attachment[] | undefined,
  received: readonly Attachment[],
): readonly Attachment[] {
  if (!final || final.length === 0) return received
  return [...final, ...received.filter(({ url }) => isDataUrl(url))]
}

/** Ends a stopped reply: what it has stays, if anything. @param timestamp milliseconds since 1970 */
export function stopReply(chat: ConversationParts, timestamp: number): ConversationParts {
  const reply = getActiveReply(chat.local.pending)
  if (!reply) return chat
  return finishReply(chat, reply, [toMessage(reply, { content: reply.text, timestamp, ended: 'stopped' })])
}

/** Ends a failed reply: its text stays and can be retried. */
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

/** Keeps with a message that was not acknowledged why not: the error itself is gone with the next message. */
function markRefused({ reply, error }: { reply: ActiveReply; error: ShownError }) {
  const { userMessage } = reply
  return userMessage?.unacknowledged && isLasting(error)
    ? { error, reply: { ...reply, userMessage: { ...userMessage, refusal: error.message } } }
    : { error, reply }
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
    error: { ...error, message: texts.filesDeleted(deletedFiles.map(({ name }) => name)) },
  }
}

const toShownError = (reply: ActiveReply, errorText: string, timestamp: number): ShownError => ({
  ...parseStreamFailure(errorText),
  id: `${reply.messageId}-${timestamp}`,
  timestamp,
})

/** Applies an event that does not end the reply. */
function applyReplyEvent(reply: ActiveReply, event: ChatEvent): ActiveReply {
  const folded = foldReply(reply, event)
  if (folded === reply) return reply
  if (event.type !== 'start') return updateReply(reply, folded)
  const { messageId, userMessage, request } = reply
  const next = {
    ...createPendingReply(messageId, userMessage && withoutUnacknowledged(userMessage), request),
    ...folded,
  }
  return reply.phase === 'stopping' ? { ...next, phase: 'stopping', visibleText: '' } : updateReply(next, {})
}

function withoutUnacknowledged(message: ChatMessage): ChatMessage {
  if (!message.unacknowledged) return message
  const { unacknowledged: _unacknowledged, ...acknowledged } = message
  return acknowledged
}

/** Converts the reply to a message. */
function toMessage(
  reply: ActiveReply,
  { content, timestamp, ended }: { content: string; timestamp: number; ended: Message['ended'] },
): ChatMessage {
  return {
    id: reply.replyId ?? `${reply.messageId}-reply`,
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
