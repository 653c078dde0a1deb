import type { SessionRead } from '#shared/contracts/sessions.ts'
import { isActive, viewOf, type Run } from '../runs/run.ts'
import type { RunRepository } from '../runs/run-repository.ts'
import { SessionNotFound } from './errors.ts'
import type { MessageRepository } from './message-repository.ts'
import { recoverRun, type RecoveryStores } from './recover-run.ts'
import type { SessionRepository } from './session-repository.ts'

export interface ReadStores extends RecoveryStores {
  sessions: Pick<SessionRepository, 'find' | 'touch'>
  messages: Pick<MessageRepository, 'newest' | 'put'>
  runs: Pick<RunRepository, 'find' | 'interrupt'>
}

/** A run is of interest while it goes on, and when it ended without a reply to show for it. */
const worthTelling = (run: Run | undefined) => run && (isActive(run) || run.status !== 'done')

/**
 * A conversation with its newest messages, or those before a cursor, and how its newest run stands.
 * @throws SessionNotFound for what is unknown, deleted, or somebody else's
 */
export async function readSession(
  stores: ReadStores,
  { sub, sessionId, before }: { sub: string; sessionId: string; before?: string | undefined },
): Promise<SessionRead> {
  const [session, found] = await Promise.all([
    stores.sessions.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
  ])
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  // before the messages are read, so that what a lost run left is among them
  const run = found && (await recoverRun(stores, found))
  const { messages, earlier } = await stores.messages.newest(sub, sessionId, { before })
  return { session, messages, earlier, run: run && worthTelling(run) ? viewOf(run) : null }
}
