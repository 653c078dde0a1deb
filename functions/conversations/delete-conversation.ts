import type { Stores } from './stores.ts'

/**
 * Deletes a conversation (HIST-26, DEC-006): tombstone first, so that it is listed no more and no run can write to it; then
 * its links, which nobody can open from then on; the run, whose writer finds itself without an item and stops; then the files that no other conversation uses, messages and
 * checkpoints. Every step can be repeated; the tombstone remembers when all were done.
 * @throws SessionNotFound when the caller has no such conversation, ObjectStoreUnavailable
 */
export async function deleteSession(
  { sessions, messages, runs, logs, files, shares }: Stores,
  { sub, sessionId }: { sub: string; sessionId: string },
): Promise<void> {
  await sessions.bury(sub, sessionId, Date.now())
  await shares.removeAll(sub, sessionId)
  await runs.remove(sub, sessionId)
  await files.remove(sub, sessionId)
  await messages.clear(sub, sessionId)
  await logs.clearAll({ sub, sessionId })
  await sessions.clear(sub, sessionId)
}
