import type { Message, MessageWithVersions } from '#shared/contracts/messages.ts'

/** A message in the state of the page. */
export interface ChatMessage extends MessageWithVersions {
  /** milliseconds since 1970 */
  timestamp: number
  /** id of the user message that this one replaces once it has a reply */
  replaces?: string
  /** sent by this page, and not acknowledged by the server yet */
  unacknowledged?: true
  /** a complete reply that the server could not store */
  notStored?: true
  /** hides the message. test/spec/requirements.md demands the field, but nothing in the product sets or stores it */
  actionResult?: unknown
}

/** Whether the server may not have the message. */
export const isUnsaved = ({ unacknowledged, notStored }: ChatMessage) =>
  unacknowledged === true || notStored === true

/** Whether a reply has a beginning that can be continued: it is incomplete, or was cut by an error. */
export const isContinuable = ({ ended, content }: ChatMessage) =>
  ended === 'incomplete' || (ended === 'failed' && content !== '')

/** The message without its deleted files, which cannot be sent. */
export const withoutDeletedFiles = (message: ChatMessage): ChatMessage => ({
  ...message,
  attachments: message.attachments.filter(({ isDeleted }) => !isDeleted),
})

/** Converts a message of the API. */
export function toChatMessage(message: MessageWithVersions): ChatMessage {
  return { ...message, timestamp: Date.parse(message.created_at) }
}

/** The messages that are not in `known`. */
export function withoutKnown<Item extends Message>(
  messages: readonly Item[],
  known: readonly Message[],
): Item[] {
  const ids = new Set(known.map(({ id }) => id))
  return messages.filter(({ id }) => !ids.has(id))
}
