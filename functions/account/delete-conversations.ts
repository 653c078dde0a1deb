import { deleteSession } from '../conversations/delete-conversation.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import type { Stores } from '../conversations/stores.ts'

/**
 * Deletes all conversations of a user, one after the other, as if each had been deleted by hand (DEC-006); can be repeated.
 * @param isOver whether the time of this call is used up
 * @returns how many are gone, and how many are left for the next call
 */
export async function forgetConversations(
  stores: Stores,
  sub: string,
  isOver: () => boolean,
): Promise<{ deleted: number; remaining: number }> {
  const ids = await stores.sessions.ids(sub)
  let deleted = 0
  for (const sessionId of ids) {
    if (isOver()) break
    try {
      await deleteSession(stores, { sub, sessionId })
    } catch (error) {
      // somebody else deleted it, and its tombstone is gone
      if (!(error instanceof SessionNotFound)) throw error
    }
    deleted += 1
  }
  return { deleted, remaining: ids.length - deleted }
}
