import type { ConversationStores } from '../../conversations/store/conversation-stores.ts'
import { showNewest, findPath } from '../../conversations/store/branches.ts'
import { recoverRun } from '../../conversations/turns/recover-run.ts'
import { pageBytes } from '../../platform/limits.ts'
import { toRunEnd, type RunEnd } from '../run-end.ts'

/** The newest messages, among which an older run is searched for. */
const searchedMessages = { maxMessages: 200, maxCharacters: 1_000_000, maxBytes: pageBytes }

/** Finds how the run of a message ended; a run without a writer is ended first. @returns undefined if the conversation does not have the message */
export async function findRunEnd(
  stores: ConversationStores,
  sub: string,
  sessionId: string,
  messageId: string,
): Promise<RunEnd | undefined> {
  const found = await stores.runs.find(sub, sessionId)
  const run = found && (await recoverRun(stores, found))
  if (run?.messageId === messageId) return toRunEnd(run)
  // its owner has sent another message since
  const { messages } = await stores.messages.loadNewest(sub, sessionId, {
    ...searchedMessages,
    path: findPath(showNewest(run?.branches)),
  })
  const message = messages.find(({ id }) => id === messageId)
  if (!message) return undefined
  const reply = messages.find(({ turn, kind }) => turn === message.turn && kind === 'reply')
  return toRunEnd({ status: reply ? (reply.ended ?? 'done') : 'failed' })
}
