import { deleteConversation } from '../delete-conversation.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { ConversationNotFound } from '../store/errors.ts'
import type { ImportRepository } from './import-repository.ts'

/** Shorter than the 29 seconds after which API Gateway gives up. */
const workMs = 15_000

/**
 * Deletes the conversations of an import that are still there, and nothing else; can be repeated.
 * @returns how many are deleted, and how many are left for the next call
 */
export async function undoImport(
  { stores, imports }: { stores: ConversationStores; imports: Pick<ImportRepository, 'listIds'> },
  { sub, importId }: { sub: string; importId: string },
): Promise<{ deleted: number; remaining: number }> {
  const endsAtMs = Date.now() + workMs
  const ids = await imports.listIds(sub, importId)
  let deleted = 0
  for (const sessionId of ids) {
    if (Date.now() >= endsAtMs) break
    try {
      await deleteConversation(stores, { sub, sessionId })
    } catch (error) {
      // deleted before, and its tombstone has expired
      if (!(error instanceof ConversationNotFound)) throw error
    }
    deleted += 1
  }
  return { deleted, remaining: ids.length - deleted }
}
