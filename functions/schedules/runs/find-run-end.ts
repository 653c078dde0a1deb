import type { ConversationStores } from '../../conversations/store/conversation-stores.ts'
import { showNewest, findPath } from '../../conversations/store/branches.ts'
import type { Run } from '../../conversations/store/run.ts'
import { recoverRun } from '../../conversations/turns/recover-run.ts'
import { pageBytes } from '../../platform/limits.ts'
import type { RunOutcome } from '../schedule-repository.ts'

/** How a run ended, or waits for its owner. */
export type RunEnd = Pick<RunOutcome, 'status' | 'because'> | 'running'

/** The newest messages, among which an older run is searched for. */
const searchedMessages = { maxMessages: 200, maxCharacters: 1_000_000, maxBytes: pageBytes }

/** Maps the status of a run of the chat to that of the schedule’s run. */
export function toRunEnd({ status, errorCode }: Pick<Run, 'status' | 'errorCode'>): RunEnd {
  switch (status) {
    case 'running':
      return 'running'
    case 'waiting':
      return { status: 'waiting' }
    case 'done':
    // its owner has stopped it
    case 'stopped':
      return { status: 'done' }
    case 'failed':
    case 'incomplete':
    case 'interrupted':
      return { status: 'failed', because: errorCode?.code ?? status }
    default:
      status satisfies never
      return { status: 'failed' }
  }
}

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
