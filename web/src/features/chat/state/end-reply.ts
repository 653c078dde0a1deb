import { plural, t } from '@lingui/core/macro'
import { formatList } from '../../../lib/locale.ts'
import type { Message } from '#shared/contracts/messages.ts'
import { isCallEnded, toToolCall } from '#shared/reply/reply-state.ts'
import { isLasting } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import { finishReply, withLocal, type ConversationParts, type ShownError } from './conversation-parts.ts'
import { getActiveReply, hasContent, type ActiveReply } from './pending-reply.ts'

function describeDeletedFiles(names: readonly string[]) {
  const count = names.length
  const list = formatList(names.map((name) => t`“${name}”`))
  return plural(count, {
    1: `${list} was deleted, so your message was not sent.`,
    other: `${list} were deleted, so your message was not sent.`,
  })
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

/** Converts a reply to the message that the list shows. Calls that have not ended are left out. */
export function toMessage(
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
