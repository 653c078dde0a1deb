import { readDraftPart } from '../../../lib/drafts.ts'
import { isStoredFile, withoutLinks } from '../attachments/upload-queues.ts'
import { newMessage, type ChatMessage } from './chat-message.ts'
import type { ShownConversation } from './shown-conversation.ts'

/** The message that the server has not acknowledged; undefined in a temporary chat, which leaves no trace in this browser. */
export function findUnacknowledged({
  isTemporary,
  messages,
}: Pick<ShownConversation, 'isTemporary' | 'messages'>): ChatMessage | undefined {
  return isTemporary ? undefined : messages.findLast(({ unacknowledged }) => unacknowledged)
}

/** The stored form of an unacknowledged message. */
export function serializeUnacknowledged({ id, content, attachments, created_at, replaces }: ChatMessage) {
  return { id, content, attachments: attachments.map(withoutLinks), created_at, replaces }
}

/**
 * Loads the unacknowledged message from before a reload.
 * @param draftKey identifies the user and the conversation
 * @returns undefined when there is none, or it is invalid
 */
export function loadUnacknowledged(draftKey: string, sessionId: string): ChatMessage | undefined {
  const stored = readDraftPart(draftKey, 'unacknowledged')
  if (typeof stored !== 'object' || stored === null) return undefined
  const { id, content, attachments, created_at, replaces } = stored as Record<string, unknown>
  if (typeof id !== 'string' || typeof content !== 'string' || !Array.isArray(attachments)) return undefined
  const timestamp = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  if (Number.isNaN(timestamp)) return undefined
  return {
    ...newMessage(sessionId, content, attachments.filter(isStoredFile)),
    id,
    timestamp,
    created_at: new Date(timestamp).toISOString(),
    ...(typeof replaces === 'string' && { replaces }),
  }
}
