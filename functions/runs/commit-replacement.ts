import type { Session } from '#shared/contracts/sessions.ts'
import { recount } from '../conversations/recount-messages.ts'
import type { Stores } from '../conversations/stores.ts'
import { addVersion } from './branches.ts'
import type { Run } from './run.ts'

/** Ends that leave a reply to show for what was replaced. */
const hasReply = ({ status }: Run) => status === 'done' || status === 'stopped' || status === 'incomplete'

/**
 * Makes what a message took the place of an earlier version of its turn, once the message's own reply exists: one write, after which the
 * new version is shown. Can be repeated, and is by the next reader when a crash came in between; a run that ended without a reply leaves
 * everything as it was.
 * @param run any run
 * @returns the run as it stands now, and the conversation with its messages counted; undefined when there was nothing to do
 * @throws SessionNotFound
 */
export async function endReplacement(
  { sessions, messages, runs }: Pick<Stores, 'sessions' | 'messages' | 'runs'>,
  run: Run,
): Promise<{ run: Run; session: Session } | undefined> {
  const { sub, sessionId, turn, replaces, branches: earlier } = run
  if (!replaces || !hasReply(run) || !(await messages.hasReply(sub, sessionId, turn))) return undefined
  const branches = addVersion(earlier, turn, replaces.turn)
  // before the run is marked: a repeat finds the mark gone, and would not count
  const session = await recount({ sessions, messages }, { sub, sessionId, branches })
  await runs.replaced(run, branches)
  const { replaces: _, ...over } = run
  return { run: { ...over, branches }, session }
}
