import type { ConversationStores } from '../../conversations/store/conversation-stores.ts'
import { showNewest, findPath } from '../../conversations/store/branches.ts'
import type { Run } from '../../conversations/store/run.ts'
import { recoverRun } from '../../conversations/turns/recover-run.ts'
import { pageBytes } from '../../platform/limits.ts'
import { toRunEnd, type RunEnd } from '../run-end.ts'

/** The newest messages, among which an older run is searched for. */
const searchedMessages = { maxMessages: 200, maxCharacters: 1_000_000, maxBytes: pageBytes }

const loadMessages = async ({ messages }: ConversationStores, sub: string, sessionId: string, run?: Run) =>
  (
    await messages.loadNewest(sub, sessionId, {
      ...searchedMessages,
      path: findPath(showNewest(run?.branches)),
    })
  ).messages

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
  const messages = await loadMessages(stores, sub, sessionId, run)
  const message = messages.find(({ id }) => id === messageId)
  if (!message) return undefined
  const reply = messages.find(({ turn, kind }) => turn === message.turn && kind === 'reply')
  return toRunEnd({ status: reply ? (reply.ended ?? 'done') : 'failed' })
}

/**
 * Finds the error of a run that failed before it had written or done anything, so that its message may be sent again.
 * @returns undefined for every other run, and if the conversation has gone on
 */
export async function findEmptyFailure(
  stores: ConversationStores,
  sub: string,
  sessionId: string,
  messageId: string,
): Promise<Run['errorCode']> {
  const run = await stores.runs.find(sub, sessionId)
  if (run?.messageId !== messageId || run.status !== 'failed' || !run.errorCode) return undefined
  const messages = await loadMessages(stores, sub, sessionId, run)
  // a reply is stored once it has text, a file or a call
  return messages.some(({ turn, kind }) => turn === run.turn && kind === 'reply') ? undefined : run.errorCode
}
