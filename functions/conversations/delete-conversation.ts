import type { ConversationStores } from './store/conversation-stores.ts'

/**
 * Deletes a conversation. Order: tombstone, so that it is no longer listed and no run can write to it; shared links; the run, whose writer
 * then stops; files that no other conversation uses; messages and their summary; checkpoints. Every step can be repeated; the tombstone records that all
 * are done.
 * @throws ConversationNotFound when the caller has no such conversation, ObjectStoreUnavailable
 */
export async function deleteConversation(
  { conversations, messages, runs, logs, files, shares, summaries }: ConversationStores,
  { sub, sessionId }: { sub: string; sessionId: string },
): Promise<void> {
  await conversations.markDeleted(sub, sessionId, Date.now())
  await shares.removeAll(sub, sessionId)
  await runs.remove(sub, sessionId)
  await files.deleteConversationFiles(sub, sessionId)
  await messages.deleteAll(sub, sessionId)
  await summaries.remove(sub, sessionId)
  await logs.deleteConversation({ sub, sessionId })
  await conversations.markPurged(sub, sessionId)
}
