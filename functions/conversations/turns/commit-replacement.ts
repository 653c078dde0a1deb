import type { Session } from '#shared/contracts/messages.ts'
import { recountMessages } from '../store/recount-messages.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { addVersion } from '../store/branches.ts'
import type { Run } from '../store/run.ts'

/** Whether the run ended with a reply, which can take the place of what was replaced. */
const hasEndedWithReply = ({ status }: Run) =>
  status === 'done' || status === 'stopped' || status === 'incomplete'

/**
 * Turns a replaced message into an earlier version, once the new message has its reply: one write, after which the new version is shown.
 * Can be repeated; the next reader does so after a crash. A run that ended without a reply changes nothing.
 * @param run any run
 * @returns the current run, and the conversation with its messages counted; undefined when there was nothing to do
 * @throws ConversationNotFound
 */
export async function commitReplacement(
  { conversations, messages, runs }: Pick<ConversationStores, 'conversations' | 'messages' | 'runs'>,
  run: Run,
): Promise<{ run: Run; session: Session } | undefined> {
  const { sub, sessionId, turn, replaces, branches: earlier } = run
  if (!replaces || !hasEndedWithReply(run) || !(await messages.hasReply(sub, sessionId, turn)))
    return undefined
  const branches = addVersion(earlier, turn, replaces.turn)
  // before the run is marked: a repeat finds the mark gone, and would not count
  const session = await recountMessages({ conversations, messages }, { sub, sessionId, branches })
  await runs.recordEarlierVersion(run, branches)
  const { replaces: _, ...committed } = run
  return { run: { ...committed, branches }, session }
}
