import { readDraftPart } from '../../../lib/drafts.ts'
import { isStoredFile, withoutLinks } from '../attachments/upload-queues.ts'
import { isErrorDetails, toErrorDetails } from '../../../lib/error-details.ts'
import { newMessage, type ChatMessage } from './chat-message.ts'
import type { ConversationState } from './conversation-state.ts'

/** The messages to store because the server has not acknowledged them; none of a temporary chat, which leaves no trace in this browser. */
export function findUnacknowledged({
  isTemporary,
  messages,
  attempts,
}: Pick<ConversationState, 'isTemporary' | 'messages' | 'attempts'>): readonly ChatMessage[] {
  return isTemporary ? [] : [...messages, ...attempts].filter(({ unacknowledged }) => unacknowledged)
}

/** The stored form of an unacknowledged message. */
export function serializeUnacknowledged({
  id,
  content,
  attachments,
  created_at,
  replaces,
  after,
  failure,
}: ChatMessage) {
  return { id, content, attachments: attachments.map(withoutLinks), created_at, replaces, after, failure }
}

/**
 * Loads the unacknowledged messages from before a reload. Invalid ones are left out.
 * @param draftKey identifies the user and the conversation
 */
export function loadUnacknowledged(draftKey: string, sessionId: string): ChatMessage[] {
  // earlier releases stored one message, not a list
  return [readDraftPart(draftKey, 'unacknowledged')]
    .flat()
    .flatMap((stored) => parse(stored, sessionId) ?? [])
}

function parse(stored: unknown, sessionId: string): ChatMessage | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { id, content, attachments, created_at, replaces, after, failure } = stored as Record<string, unknown>
  if (typeof id !== 'string' || typeof content !== 'string' || !Array.isArray(attachments)) return undefined
  const timestamp = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  if (Number.isNaN(timestamp)) return undefined
  return {
    ...newMessage(sessionId, content, attachments.filter(isStoredFile)),
    id,
    timestamp,
    created_at: new Date(timestamp).toISOString(),
    ...(typeof replaces === 'string' && { replaces }),
    ...(typeof after === 'string' && { after }),
    ...(isErrorDetails(failure) && { failure: toErrorDetails(failure) }),
  }
}
