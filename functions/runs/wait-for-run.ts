import { setTimeout as sleep } from 'node:timers/promises'
import type { Stores } from '../conversations/stores.ts'
import { lostAfterMs } from './liveness.ts'
import { recoverRun } from './recover-run.ts'
import type { Run } from './run.ts'

const pollMs = 500
/** Every lost run is known as such by then, and recovered. */
const patienceMs = lostAfterMs + 2_000

/**
 * Waits until it is clear what becomes of a running run: it ends, as one does that was asked to stop; its writer gives a sign of life
 * and goes on with it; or it gives none, and is recovered as lost. A live one that nobody asked to stop is known by its next
 * heartbeat.
 * @param run as read
 * @returns the conversation's run then; one that is still running is alive
 */
export async function waitForRun(stores: Stores, run: Run): Promise<Run | undefined> {
  const untilMs = Date.now() + patienceMs
  let now: Run | undefined = run
  while (now?.runId === run.runId && now.status === 'running' && Date.now() < untilMs) {
    const goesOn = now.heartbeatAtMs > run.heartbeatAtMs && now.stopRequestedAtMs === undefined
    if (goesOn) return now
    await sleep(pollMs)
    const found = await stores.runs.find(run.sub, run.sessionId)
    now = found && (await recoverRun(stores, found))
  }
  return now
}
