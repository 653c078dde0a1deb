import type { Session } from '#shared/contracts/messages.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import type { RunUsage } from './conversation-repository.ts'
import type { ConversationStores } from './conversation-stores.ts'
import { ConversationNotFound } from './errors.ts'
import { findShownPath, type Run } from './run.ts'

/** Messages may be stored and counted while others are read; more often than this, the next recount is right. */
const maxAttempts = 4

/**
 * Recounts the messages with real content in the shown branch. Counts are incremental, so a crash between a message and its row misses
 * one; called when a turn was cut short, and when another branch is shown.
 * @param used by a run that has ended, to be counted in the same write
 * @param movedUpAtMs when its newest message came, if that may not have moved it up the list
 * @throws ConversationNotFound when the conversation has no row
 */
export async function recountMessages(
  { conversations, messages }: Pick<ConversationStores, 'conversations' | 'messages'>,
  { sub, sessionId, ...run }: Pick<Run, 'sub' | 'sessionId'> & Parameters<typeof findShownPath>[0],
  used?: RunUsage,
  movedUpAtMs?: number,
): Promise<Session> {
  for (let attempt = 1; ; attempt += 1) {
    const revision = attempt < maxAttempts ? await conversations.findRevision(sub, sessionId) : undefined
    const contents = await messages.loadContents(sub, sessionId, findShownPath(run))
    const count = contents.filter(countsAsMessage).length
    const counted = await conversations.setCount(sub, sessionId, count, { used, movedUpAtMs, revision })
    if (counted) return counted
    if (attempt >= maxAttempts) throw new ConversationNotFound(`no conversation ${sessionId}`)
  }
}
