import type { Session } from '#shared/contracts/sessions.ts'
import { isRealContent } from '#shared/message-content.ts'
import { findPath, type Branches } from '../runs/branches.ts'
import type { Stores } from './stores.ts'

/**
 * Counts a conversation's messages of real content anew, in the branch that is shown. Counts are kept by adding, so a crash
 * between a message and its row leaves one out; whoever finds a turn that was cut short calls this, and who shows another branch.
 * @throws SessionNotFound when the conversation has no row
 */
export async function recount(
  { sessions, messages }: Pick<Stores, 'sessions' | 'messages'>,
  { sub, sessionId, branches }: { sub: string; sessionId: string; branches?: Branches | undefined },
): Promise<Session> {
  const contents = await messages.contents(sub, sessionId, findPath(branches))
  return sessions.setCount(sub, sessionId, contents.filter(isRealContent).length)
}
