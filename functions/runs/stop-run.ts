import type { RunView } from '#shared/contracts/sessions.ts'
import type { Stores } from '../conversations/stores.ts'
import { RunLost, RunNotFound } from './errors.ts'
import { finishRun } from './finish-run.ts'
import { recoverRun } from './recover-run.ts'
import { isActive, viewOf } from './run.ts'

/**
 * Stops a run (CHAT-47). A running one is asked, and its writer ends it within 3 s; one that has lost its writer without anybody
 * knowing is ended by whoever looks next. A waiting one has no writer and is ended here. Stopping what is over already changes
 * nothing and is no error: the reader just wanted it to end.
 * @param runId when given, only that run
 * @throws RunNotFound when the conversation has no such run
 */
export async function stopRun(
  stores: Stores,
  { sub, sessionId, runId }: { sub: string; sessionId: string; runId?: string | undefined },
): Promise<RunView> {
  const found = await stores.runs.find(sub, sessionId)
  if (!found || (runId !== undefined && found.runId !== runId))
    throw new RunNotFound(`no run ${runId ?? ''} in ${sessionId}`)
  const run = (await recoverRun(stores, found)) ?? found
  if (!isActive(run)) return viewOf(run)
  try {
    if (run.status === 'running') return viewOf(await stores.runs.requestStop(run, Date.now()))
    const { content = '', toolCalls = [], attachments = [] } = run.transcript ?? {}
    await finishRun(stores, run, { status: 'stopped', content, toolCalls, attachments, logged: true })
    return viewOf({ ...run, status: 'stopped' })
  } catch (error) {
    // it ended between our reading and writing
    if (!(error instanceof RunLost)) throw error
    return viewOf((await stores.runs.find(sub, sessionId)) ?? run)
  }
}
