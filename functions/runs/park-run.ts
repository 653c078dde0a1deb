import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import type { Stores } from '../conversations/stores.ts'
import { RunLost } from './errors.ts'
import type { PendingCall, Run, Transcript } from './run.ts'

/**
 * Parks a run until the user has answered its questions: no function holds it, and `runs.resume` lets it go on. A table that
 * falters is tried on.
 * @returns the run as it waits
 * @throws RunLost when the run is not ours any more
 */
export async function parkRun(
  { runs }: Pick<Stores, 'runs'>,
  run: Run,
  { pending, transcript }: { pending: PendingCall[]; transcript: Transcript },
): Promise<Run> {
  const { persist, wasRetried: repeated } = retriedWrites()
  try {
    return await persist(() => runs.wait(run, pending, transcript))
  } catch (error) {
    // the answer to the first try may have been lost, and nobody else parks a run
    const now = error instanceof RunLost && repeated() ? await runs.find(run.sub, run.sessionId) : undefined
    if (now?.runId === run.runId && now.status === 'waiting') return now
    throw error
  }
}
