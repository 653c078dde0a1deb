import type { Attachment } from '#shared/contracts/files.ts'
import type { ErrorDetails } from '../../../lib/api/error-details.ts'
import type { Message, MessageWithVersions } from '#shared/contracts/messages.ts'

/** A message in the state of the page. */
export interface ChatMessage extends MessageWithVersions {
  /** milliseconds since 1970 */
  timestamp: number
  /** id of the user message that this one replaces once it has a reply; without one it is an attempt (`findAttempts`) */
  replaces?: string
  /** sent by this page, and not acknowledged by the server yet */
  unacknowledged?: true
  /** only of an unacknowledged message that later ones follow: the id of the message that it was sent after; empty for the first one */
  after?: string
  /** why the server refused it, or why it has no reply, a sentence for the user; not stored with an unacknowledged message */
  refusal?: string
  /** of the error that refused it, or by which it may not have arrived */
  failure?: ErrorDetails | undefined
  /** a complete reply that the server could not store */
  notStored?: true
}

/** Whether the server may not have the message. */
export const isUnsaved = ({ unacknowledged, notStored }: ChatMessage) =>
  unacknowledged === true || notStored === true

/** Whether a reply is unfinished and can be continued: it has text, or reached a limit. */
export const isContinuable = ({ ended, content }: ChatMessage) =>
  ended === 'incomplete' || (ended !== undefined && content !== '')

/** The message without its deleted files, which cannot be sent. */
export const withoutDeletedFiles = (message: ChatMessage): ChatMessage => ({
  ...message,
  attachments: message.attachments.filter(({ isDeleted }) => !isDeleted),
})

/** Creates a user message that the server has not acknowledged yet. */
export function newMessage(
  sessionId: string,
  content: string,
  attachments: readonly Attachment[],
  id: string = crypto.randomUUID(),
): ChatMessage {
  const timestamp = Date.now()
  return {
    id,
    session_id: sessionId,
    role: 'user',
    content,
    attachments: [...attachments],
    tool_calls: [],
    created_at: new Date(timestamp).toISOString(),
    timestamp,
    unacknowledged: true,
  }
}

/** Creates a new version of a user message, with another text, other files, or for another reply. */
export function newVersion(
  original: ChatMessage,
  content: string,
  attachments: readonly Attachment[],
): ChatMessage {
  // the server does not know an unacknowledged message, so the new version replaces what that one was meant to replace
  const replaces = original.unacknowledged ? original.replaces : original.id
  return {
    ...newMessage(original.session_id, content, attachments),
    ...(replaces !== undefined && { replaces }),
  }
}

/** Converts a message of the API. */
export function toChatMessage(message: MessageWithVersions): ChatMessage {
  return { ...message, timestamp: Date.parse(message.created_at) }
}

export function withoutKnown<Item extends Message>(
  messages: readonly Item[],
  known: readonly Message[],
): Item[] {
  const ids = new Set(known.map(({ id }) => id))
  return messages.filter(({ id }) => !ids.has(id))
}
