import { wait } from '../../platform/clock.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { lostAfterMs } from '../store/liveness.ts'
import { recoverRun } from './recover-run.ts'
import type { Run } from '../store/run.ts'

const pollMs = 500
/** By then every lost run is detected and recovered. */
const timeoutMs = lostAfterMs + 2_000

/**
 * Waits until a running run ends, sends its next heartbeat, or counts as lost and is recovered. A heartbeat does not count after a stop
 * request, which ends the run soon.
 * @param run as read
 * @returns the conversation's run then; one that is still running is alive
 */
export async function waitForRun(stores: ConversationStores, run: Run): Promise<Run | undefined> {
  const untilMs = Date.now() + timeoutMs
  let current: Run | undefined = run
  while (current?.runId === run.runId && current.status === 'running' && Date.now() < untilMs) {
    const isAlive = current.heartbeatAtMs > run.heartbeatAtMs && current.stopRequestedAtMs === undefined
    if (isAlive) return current
    await wait(pollMs)
    const found = await stores.runs.find(run.sub, run.sessionId)
    current = found && (await recoverRun(stores, found))
  }
  return current
}
