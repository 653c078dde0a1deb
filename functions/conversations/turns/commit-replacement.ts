import type { Session } from '#shared/contracts/messages.ts'
import { recountMessages } from '../store/recount-messages.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { addVersion } from '../store/branches.ts'
import { isActive, type Run } from '../store/run.ts'

/**
 * Turns a replaced message into an earlier version, once the new message has its reply: one write, after which the new version is shown.
 * Can be repeated; the next reader does so after a crash. A run that ended without a word changes nothing, and one that failed after some words
 * has a reply.
 * @param run any run
 * @returns the current run, and the conversation with its messages counted; undefined when there was nothing to do
 * @throws ConversationNotFound
 */
export async function commitReplacement(
  { conversations, messages, runs }: Pick<ConversationStores, 'conversations' | 'messages' | 'runs'>,
  run: Run,
): Promise<{ run: Run; session: Session } | undefined> {
  const { sub, sessionId, turn, replaces, branches: earlier } = run
  if (!replaces || isActive(run) || !(await messages.hasReply(sub, sessionId, turn))) return undefined
  const branches = addVersion(earlier, turn, replaces.turn)
  // before the run is marked: a repeat finds the mark gone, and would not count
  const session = await recountMessages({ conversations, messages }, { sub, sessionId, branches })
  const { title = session.title } = replaces
  if (
    title !== session.title &&
    (await conversations.replaceTitle(sub, sessionId, { title, seen: session.title }))
  )
    session.title = title
  await runs.recordEarlierVersion(run, branches)
  const { replaces: _, ...committed } = run
  return { run: { ...committed, branches }, session }
}
