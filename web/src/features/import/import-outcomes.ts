import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { BuiltConversation } from './build-conversation.ts'
import { hasNewer } from './newer-turns.ts'

type Result = RouteResponse<'imports.add'>['conversations'][number]

/** What became of conversations. */
export interface SentCounts {
  /** that were stored */
  imported: number
  /** that were here, and got messages */
  extended: number
  /** that were here, and stay as they are */
  existing: number
  /** that the service does not take */
  rejected: number
  /** at which the service failed */
  failed: number
  /** a reply is written in them now */
  busy: number
  messages: number
  /** messages for whose versions there was no room */
  unplaced: number
}

/** A conversation that is here already, but without the newer messages of its source. */
interface ExtendableConversation {
  conversation: BuiltConversation
  /** the time of its last message that is here */
  until: string
  /** what has become of its newer messages */
  state: 'existing' | 'extended' | 'busy' | 'rejected' | 'failed'
}

/** What the service has done so far with the conversations that are being sent. */
export type Outcomes = ReturnType<typeof createOutcomes>

/**
 * Collects what becomes of conversations.
 * @param countedIds ids, in their source, of the conversations that this import has counted; those that are recorded are added
 */
export function createOutcomes(conversations: readonly BuiltConversation[], countedIds: Set<string>) {
  const counts: SentCounts = {
    imported: 0,
    extended: 0,
    existing: 0,
    rejected: 0,
    failed: 0,
    busy: 0,
    messages: 0,
    unplaced: 0,
  }
  const settledIds = new Set<string>()
  const bySourceId = new Map(conversations.map((conversation) => [conversation.source_id, conversation]))
  const extendable = new Map<string, ExtendableConversation>()

  return {
    /** Whether nothing more is sent of a conversation. */
    isSettled: (id: string) => settledIds.has(id),

    /** Records the service's result for one conversation. */
    record({ source_id: id, state, until, added = 0, unplaced = 0 }: Result): void {
      const conversation = bySourceId.get(id)
      const extendableConversation = extendable.get(id)
      counts.unplaced += unplaced
      if (state === 'extended') {
        counts.messages += added
        if (extendableConversation && added > 0) extendableConversation.state = state
        return
      }
      if (state === 'open') return
      settledIds.add(id)
      if (extendableConversation) {
        if (state === 'busy') extendableConversation.state = state
        return
      }
      if (state === 'existing' && conversation && until !== undefined && hasNewer(conversation, until))
        extendable.set(id, { conversation, until, state })
      // archives that were chosen together may have the same one
      else if (!countedIds.has(id)) {
        counts[state] += 1
        if (state === 'imported') counts.messages += conversation?.messages.length ?? 0
      }
      countedIds.add(id)
    },

    /** Records that a conversation was not stored: the service rejects it, or failed at it. */
    giveUp(id: string, reason: 'rejected' | 'failed'): void {
      const extendableConversation = extendable.get(id)
      if (extendableConversation) extendableConversation.state = reason
      else counts[reason] += 1
      settledIds.add(id)
    },

    /** Lets the newer messages of those that exist be sent. */
    reopenExtendable(): ExtendableConversation[] {
      for (const id of extendable.keys()) settledIds.delete(id)
      return [...extendable.values()]
    },

    /** @returns the counts at the end; a conversation that exists counts once, by what became of its newer messages */
    countAll(): SentCounts {
      const all = { ...counts }
      for (const { state } of extendable.values()) all[state] += 1
      return all
    },
  }
}
