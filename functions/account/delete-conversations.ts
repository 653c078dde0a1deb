import { deleteConversation } from '../conversations/delete-conversation.ts'
import { ConversationNotFound } from '../conversations/store/errors.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'

/**
 * Deletes all conversations of a user, one by one; can be repeated.
 * @param isTimeUp whether the time of this call is used up
 * @returns how many are deleted, and how many are left for the next call
 */
export async function deleteConversations(
  stores: ConversationStores,
  sub: string,
  isTimeUp: () => boolean,
): Promise<{ deleted: number; remaining: number }> {
  const ids = await stores.conversations.listIds(sub)
  let deleted = 0
  for (const sessionId of ids) {
    if (isTimeUp()) break
    try {
      await deleteConversation(stores, { sub, sessionId })
    } catch (error) {
      // already deleted, and its tombstone has expired
      if (!(error instanceof ConversationNotFound)) throw error
    }
    deleted += 1
  }
  return { deleted, remaining: ids.length - deleted }
}
