import { readDraftPart } from '../../../lib/drafts.ts'
import { isStoredFile, withoutLinks } from '../attachments/attachment-queues.ts'
import type { ChatMessage } from './chat-message.ts'
import { newMessage } from './chat-request.ts'
import type { ChatState } from './chat-state.ts'

/** The message that the service has not acknowledged yet; a temporary chat leaves no trace in this browser. */
export function findUnsent({
  isSaved,
  messages,
}: Pick<ChatState, 'isSaved' | 'messages'>): ChatMessage | undefined {
  return isSaved ? messages.findLast(({ local }) => local) : undefined
}

/** What is stored of such a message until the service acknowledges it. */
export function serializeUnsent({ id, content, attachments, created_at, replaces }: ChatMessage) {
  return { id, content, attachments: attachments.map(withoutLinks), created_at, replaces }
}

/**
 * Reads the message that an earlier page sent and that no answer came to.
 * @param draftKey names the user and the conversation
 * @returns undefined when there is none, or what is stored is not readable
 */
export function restoreUnsent(draftKey: string, sessionId: string): ChatMessage | undefined {
  const stored = readDraftPart(draftKey, 'unsent')
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
