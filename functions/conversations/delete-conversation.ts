import type { ConversationStores } from './store/conversation-stores.ts'
import { ConversationNotFound } from './store/errors.ts'

/** The files of a user are read once for so many; when the time is up, the rest of them is still deleted. */
const conversationsAtOnce = 10

/**
 * Deletes a conversation; can be repeated.
 * @throws ConversationNotFound when the caller has no such conversation, ObjectStoreUnavailable
 */
export async function deleteConversation(
  stores: ConversationStores,
  { sub, sessionId }: { sub: string; sessionId: string },
): Promise<void> {
  await stores.conversations.markDeleted(sub, sessionId, Date.now())
  await deleteMarked(stores, sub, [sessionId])
  await deleteAbandonedCopies(stores, sub, new Set([sessionId]))
}

/** No function works longer on a copy. */
const copyTimeoutMs = 15 * 60_000

/**
 * Deletes copies whose making was interrupted, which are not listed; can be repeated.
 * @param sources conversations that were deleted: a copy of one goes although it is still being made
 * @throws ObjectStoreUnavailable
 */
export async function deleteAbandonedCopies(
  stores: ConversationStores,
  sub: string,
  sources: ReadonlySet<string> = new Set(),
): Promise<void> {
  const nowMs = Date.now()
  for (const { id, of, openedAtMs } of await stores.copies.listOpen(sub)) {
    if (!sources.has(of) && nowMs - openedAtMs < copyTimeoutMs) continue
    await stores.conversations.markDeleted(sub, id, nowMs)
    await deleteMarked(stores, sub, [id])
  }
}

/**
 * Deletes conversations; can be repeated.
 * @param isTimeUp whether the time of this call is used up
 * @returns how many are deleted, and how many are left for the next call
 * @throws ObjectStoreUnavailable
 */
export async function deleteConversations(
  stores: ConversationStores,
  { sub, sessionIds }: { sub: string; sessionIds: readonly string[] },
  isTimeUp: () => boolean,
): Promise<{ deleted: number; remaining: number }> {
  let deleted = 0
  for (let isOver = false; !isOver && deleted < sessionIds.length;) {
    const marked: string[] = []
    for (const sessionId of sessionIds.slice(deleted, deleted + conversationsAtOnce)) {
      isOver = isTimeUp()
      if (isOver) break
      deleted += 1
      try {
        await stores.conversations.markDeleted(sub, sessionId, Date.now())
        marked.push(sessionId)
      } catch (error) {
        // already deleted, and its tombstone has expired
        if (!(error instanceof ConversationNotFound)) throw error
      }
    }
    if (marked.length > 0) await deleteMarked(stores, sub, marked)
  }
  if (deleted > 0) await deleteAbandonedCopies(stores, sub, new Set(sessionIds.slice(0, deleted)))
  return { deleted, remaining: sessionIds.length - deleted }
}

/**
 * Deletes what conversations with tombstones leave: these are no longer listed, and no run can write to them. Every step can be repeated;
 * the tombstone records that all are done. Order:
 * 1. schedules are paused
 * 2. shared links, and runs, so that their writers stop
 * 3. files that no other conversation uses
 * 4. entries of the list
 * 5. messages, summaries, transcripts, ratings and checkpoints
 * 6. their part of the user's storage
 */
async function deleteMarked(
  stores: ConversationStores,
  sub: string,
  sessionIds: readonly string[],
): Promise<void> {
  const { conversations, messages, runs, logs, files, texts, shares, summaries, transcripts } = stores
  await stores.schedules.pause(sub, { sessionIds })
  for (const sessionId of sessionIds) {
    await shares.removeAll(sub, sessionId)
    await runs.remove(sub, sessionId)
  }
  await files.deleteConversationFiles(sub, sessionIds)
  await conversations.removeEntries(sub, sessionIds)
  for (const sessionId of sessionIds) {
    await messages.deleteAll(sub, sessionId)
    await summaries.remove(sub, sessionId)
    await transcripts.deleteAll(sub, sessionId)
    await stores.feedback.removeConversation(sub, sessionId)
    await logs.deleteConversation({ sub, sessionId })
    await texts.releaseText(sub, sessionId)
    await conversations.markPurged(sub, sessionId)
  }
}
