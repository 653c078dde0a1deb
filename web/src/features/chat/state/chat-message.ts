import type { Message, MessageWithVersions } from '#shared/contracts/sessions.ts'

/** DATA-04, DEC-013: a message as the page holds it. */
export interface ChatMessage extends MessageWithVersions {
  /** milliseconds since 1970 */
  timestamp: number
  /** id of the user's message that this one takes the place of once it is answered */
  replaces?: string
  /** sent by this page, and nothing has been heard of it yet: the server may not know it */
  local?: true
  /** DEC-049: a whole reply that the server could not store */
  unsaved?: true
  /** set by the page for a message that was acted upon; it shows nothing then and is never stored */
  actionResult?: unknown
}

/** DEC-049: the server may not have it. */
export const isUnsaved = ({ local, unsaved }: ChatMessage) => local === true || unsaved === true

/** A stored message as the page holds it. */
export function shown(message: MessageWithVersions): ChatMessage {
  return { ...message, timestamp: Date.parse(message.created_at) }
}

/** The messages that are not among the known ones. */
export function withoutKnown<Part extends Message>(
  messages: readonly Part[],
  known: readonly Message[],
): Part[] {
  const ids = new Set(known.map(({ id }) => id))
  return messages.filter(({ id }) => !ids.has(id))
}
