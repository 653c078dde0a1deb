import { waitForAll } from '../../platform/wait-for-all.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunChanged, RunOwnershipLost, RunNotFound } from '../store/errors.ts'
import { finishRun } from './finish-run.ts'
import { recoverRun } from './recover-run.ts'
import { isActive, toRunView, type Run } from '../store/run.ts'
import { toReplyParts } from './stored-reply.ts'

/**
 * Stops a run. The writer of a running one ends it within 3 s; a lost one is ended by the next reader. A waiting one has no writer and is
 * ended here. Stopping a run that has ended changes nothing and is not an error.
 * @param runId when given, only that run
 * @param onWaitingStopped called with a run that waited until now, at once; it never throws
 * @throws RunNotFound when the conversation has no such run
 */
export async function stopRun(
  stores: ConversationStores,
  {
    sub,
    sessionId,
    runId,
    onWaitingStopped,
  }: {
    sub: string
    sessionId: string
    runId?: string | undefined
    onWaitingStopped?: ((run: Run) => Promise<void>) | undefined
  },
): Promise<RunView> {
  const found = await stores.runs.find(sub, sessionId)
  if (!found || (runId !== undefined && found.runId !== runId))
    throw new RunNotFound(`no run ${runId ?? ''} in ${sessionId}`)
  const run = (await recoverRun(stores, found)) ?? found
  if (!isActive(run)) return toRunView(run)
  try {
    if (run.status === 'running') return toRunView(await stores.runs.requestStop(run, Date.now()))
    // one request becomes its writer: neither another stop nor the user's decision can
    const resumed = await stores.runs.resume(run, Date.now())
    const { reply = emptyReply, earlierUsage } = run.transcript ?? {}
    // together: the calls end even if the reply cannot be stored, or the function dies
    await waitForAll([
      finishRun(stores, resumed, {
        ...toReplyParts(reply),
        earlierUsage,
        status: 'stopped',
        hasCheckpoints: true,
      }),
      onWaitingStopped?.(run),
    ])
    return toRunView({ ...run, status: 'stopped' })
  } catch (error) {
    // it ended, began to wait or was resumed, between our reading and writing
    if (!(error instanceof RunOwnershipLost || error instanceof RunChanged)) throw error
    const current = await stores.runs.find(sub, sessionId)
    if (current?.runId !== run.runId || !isActive(current)) return toRunView(current ?? run)
    return stopRun(stores, { sub, sessionId, runId: run.runId, onWaitingStopped })
  }
}
