import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import type { PendingCall, Run, Transcript } from '../store/run.ts'

/**
 * Parks a run until the user has decided on its approval requests; `runs.resume` continues it. Writes are retried.
 * @returns the waiting run
 * @throws RunOwnershipLost when another run owns the conversation
 */
export async function parkRun(
  { runs }: Pick<ConversationStores, 'runs'>,
  run: Run,
  { pending, transcript }: { pending: PendingCall[]; transcript: Transcript },
): Promise<Run> {
  const { persist, wasRetried } = retriedWrites()
  try {
    return await persist(() => runs.park(run, pending, transcript))
  } catch (error) {
    // the response to the first attempt may have been lost
    const current =
      error instanceof RunOwnershipLost && wasRetried() ? await runs.find(run.sub, run.sessionId) : undefined
    if (current?.runId === run.runId && current.epoch === run.epoch && current.status === 'waiting')
      return current
    throw error
  }
}
