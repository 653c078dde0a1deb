import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationStores } from '../conversations/conversation-stores.ts'
import { lostAfterMs } from './liveness.ts'
import { recoverRun } from './recover-run.ts'
import type { Run } from './run.ts'

const pollMs = 500
/** By then every lost run is detected and recovered. */
const timeoutMs = lostAfterMs + 2_000

/**
 * Waits until a running run ends, shows its next heartbeat, or counts as lost and is recovered. A heartbeat does not count after a stop
 * request, which ends the run soon.
 * @param run as read
 * @returns the conversation's run then; one that is still running is alive
 */
export async function waitForRun(stores: ConversationStores, run: Run): Promise<Run | undefined> {
  const untilMs = Date.now() + timeoutMs
  let now: Run | undefined = run
  while (now?.runId === run.runId && now.status === 'running' && Date.now() < untilMs) {
    const isAlive = now.heartbeatAtMs > run.heartbeatAtMs && now.stopRequestedAtMs === undefined
    if (isAlive) return now
    await sleep(pollMs)
    const found = await stores.runs.find(run.sub, run.sessionId)
    now = found && (await recoverRun(stores, found))
  }
  return now
}
