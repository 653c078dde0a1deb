import type { Attachment } from '#shared/contracts/files.ts'
import { maxMessagesPerRequest } from '#shared/limits.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import type { ChatState } from './chat-state.ts'

/** A message of the user's, as it is before the server has heard of it. */
export function newMessage(
  sessionId: string,
  content: string,
  attachments: readonly Attachment[],
): ChatMessage {
  const at = Date.now()
  return {
    id: crypto.randomUUID(),
    session_id: sessionId,
    role: 'user',
    content,
    attachments: [...attachments],
    tool_calls: [],
    created_at: new Date(at).toISOString(),
    timestamp: at,
    local: true,
  }
}

/** A message as a request carries it; files go by their ids. */
function sayingOf({ role, content, attachments }: ChatMessage) {
  const files = attachments.map(({ id, name, type, size }) => ({ id, name, type, size }))
  return { role, content, ...(files.length > 0 && { attachments: files }) }
}

/**
 * CHAT-51: the server reads the rest from its own table; a chat that is not kept is in none, and goes along.
 * @param partial the incomplete reply to the message, which is to go on
 * @param connections what the page knows of the user's connections (CAP-10, CAP-12)
 */
export function requestOf(
  sessionId: string,
  message: ChatMessage,
  { kept, messages }: ChatState,
  partial?: ChatMessage,
  connections?: KnownConnections,
): ChatRequest {
  const { id, replaces } = message
  const at = messages.findLastIndex((one) => one.id === id)
  const before = kept ? [] : messages.slice(0, at).slice(2 - maxMessagesPerRequest)
  return {
    messages: [...before, message, ...(partial && !kept ? [partial] : [])].map(sayingOf),
    ...(!kept && { keep: false }),
    ...(partial && { continues: true }),
    sessionId,
    messageId: id,
    // nothing known narrows nothing (DEC-099)
    connectedTools: connections?.connectedTools ?? [],
    ...(connections && { integrationContext: connections.integrationContext }),
    // what is in no table is replaced on this page alone
    ...(kept && replaces !== undefined && { replaces }),
  }
}
