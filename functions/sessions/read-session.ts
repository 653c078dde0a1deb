import type { SessionRead } from '#shared/contracts/sessions.ts'
import { isActive, viewOf, type Run } from '../runs/run.ts'
import { SessionNotFound } from './errors.ts'
import { recoverRun } from './recover-run.ts'
import { removeReplaced } from './remove-replaced.ts'
import type { Stores } from './stores.ts'

/** A run is of interest while it goes on, and when it ended without a reply to show for it. */
const worthTelling = (run: Run | undefined) => run && (isActive(run) || run.status !== 'done')

/**
 * A conversation with its newest messages, or those before a cursor, and how its newest run stands.
 * @throws SessionNotFound for what is unknown, deleted, or somebody else's
 */
export async function readSession(
  stores: Stores,
  { sub, sessionId, before }: { sub: string; sessionId: string; before?: string | undefined },
): Promise<SessionRead> {
  const found = await stores.runs.find(sub, sessionId)
  // first, so that what a lost run left is among the messages
  const run = found && (await recoverRun(stores, found))
  if (run?.replaces && !isActive(run)) await removeReplaced(stores, run)
  const [session, { messages, earlier }] = await Promise.all([
    stores.sessions.find(sub, sessionId),
    stores.messages.newest(sub, sessionId, { before }),
  ])
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  const linked = await stores.links(sub, messages)
  return { session, messages: linked, earlier, run: run && worthTelling(run) ? viewOf(run) : null }
}
