import type { Session } from '#shared/contracts/sessions.ts'
import { recount } from '../sessions/recount.ts'
import type { Stores } from '../sessions/stores.ts'
import type { Run } from './run.ts'

/** Ends that leave a reply to show for what was replaced. */
const hasReply = ({ status }: Run) => status === 'done' || status === 'stopped' || status === 'incomplete'

/**
 * Removes what a message took the place of, once its own reply exists. Can be repeated, and is by the next reader when a crash
 * came in between; a run that ended without a reply leaves everything as it was.
 * @returns the conversation with what is left of it, or undefined when there was nothing to do
 * @throws SessionNotFound
 */
export async function removeReplaced(
  { sessions, messages, runs }: Pick<Stores, 'sessions' | 'messages' | 'runs'>,
  run: Run,
): Promise<Session | undefined> {
  const { sub, sessionId, turn, replaces } = run
  if (!replaces || !hasReply(run) || !(await messages.hasReply(sub, sessionId, turn))) return undefined
  await messages.removeTurns(sub, sessionId, { first: replaces.turn, last: turn - 1 })
  // counted anew: a repeat finds gone what the one that was cut has not counted
  const session = await recount({ sessions, messages }, run)
  await runs.replaced(run)
  return session
}
