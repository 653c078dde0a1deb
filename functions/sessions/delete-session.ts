import type { LogRepository } from '../runs/log-repository.ts'
import type { RunRepository } from '../runs/run-repository.ts'
import type { MessageRepository } from './message-repository.ts'
import type { SessionRepository } from './session-repository.ts'

export interface SessionStores {
  sessions: Pick<SessionRepository, 'bury'>
  messages: Pick<MessageRepository, 'clear'>
  runs: Pick<RunRepository, 'remove'>
  logs: Pick<LogRepository, 'clear'>
}

/**
 * Deletes a conversation (HIST-26, DEC-006): tombstone first, so that it is listed no more and no run can write to it; then
 * the run, whose writer finds itself without an item and stops; then messages and checkpoints. Every step can be repeated.
 * @throws SessionNotFound when the caller has no such conversation
 */
export async function deleteSession(
  { sessions, messages, runs, logs }: SessionStores,
  { sub, sessionId }: { sub: string; sessionId: string },
): Promise<void> {
  await sessions.bury(sub, sessionId, Date.now())
  await runs.remove(sub, sessionId)
  await messages.clear(sub, sessionId)
  await logs.clear({ sub, sessionId })
}
