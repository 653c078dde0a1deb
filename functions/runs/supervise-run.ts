import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../platform/telemetry/logger.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import type { ConversationStores } from '../conversations/conversation-stores.ts'
import { RunLost } from './errors.ts'
import { heartbeatEveryMs, pollEveryMs, tickMs } from './liveness.ts'
import type { ReplyLog } from './reply-log.ts'
import type { Run } from './run.ts'

const checkpointEveryMs = 2_000
const watchedCheckpointEveryMs = 500

export interface Supervision {
  /** aborted with a `StopRequested` or `RunLost` */
  signal: AbortSignal
  /** whether checkpoints were written, which the stored reply makes superfluous */
  logged: () => boolean
  /** writes the checkpoints that are not stored yet, before the run waits */
  checkpoint: () => Promise<void>
  /** the reply is written: from here on there are heartbeats alone. Resolves when the last checkpoint is through */
  finishWriting: () => Promise<void>
  /** ends the supervision; resolves when its last write is through */
  stop: () => Promise<void>
}

/** The user wants no more of this reply. */
export class StopRequested extends Error {}

/**
 * Supervises a run while its reply is written and stored: a heartbeat until the end, and while it is written a look for a stop each
 * second, and checkpoints of the reply about every 2 s, or every 500 ms while another invocation follows it.
 */
export function superviseRun(
  { runs, logs }: Pick<ConversationStores, 'runs' | 'logs'>,
  { run, events, log }: { run: Run; events: ReplyLog; log: Logger },
): Supervision {
  const abort = new AbortController()
  const over = new AbortController()
  // what a run has written before it waited is in the table
  let written = events.start
  let logged = events.start > 0
  let polledAtMs = Date.now()
  let heartbeatAtMs = Date.now()
  let checkpointAtMs = Date.now()
  let watchedUntilMs = 0
  let isWritten = false
  let ticking = Promise.resolve()

  const onRunState = (now: Run | undefined) => {
    if (now?.runId !== run.runId || now.status !== 'running')
      abort.abort(new RunLost(`run ${run.runId} is gone`))
    else if (now.stopRequestedAtMs !== undefined) abort.abort(new StopRequested('the user stopped the reply'))
    watchedUntilMs = now?.watchedUntilMs ?? 0
  }

  const checkpoint = async () => {
    // temporary runs have no checkpoints
    if (!run.isSaved) return
    const parts = events.readAfter(written)
    const to = parts.at(-1)?.to
    if (to === undefined) return
    await logs.append(run, parts)
    written = to
    logged = true
  }

  const isWriting = () => !isWritten && !abort.signal.aborted

  const tick = async (nowMs: number) => {
    if (nowMs - heartbeatAtMs >= heartbeatEveryMs) {
      heartbeatAtMs = nowMs
      polledAtMs = nowMs
      onRunState(await runs.heartbeat(run, nowMs))
    } else if (isWriting() && nowMs - polledAtMs >= pollEveryMs) {
      polledAtMs = nowMs
      onRunState(await runs.find(run.sub, run.sessionId))
    }
    const every = watchedUntilMs > nowMs ? watchedCheckpointEveryMs : checkpointEveryMs
    if (isWriting() && nowMs - checkpointAtMs >= every) {
      checkpointAtMs = nowMs
      await checkpoint()
    }
  }

  const supervise = async () => {
    while (!over.signal.aborted && !(abort.signal.reason instanceof RunLost)) {
      try {
        await sleep(tickMs, undefined, { signal: over.signal })
        ticking = tick(Date.now())
        await ticking
      } catch (error) {
        if (over.signal.aborted) return
        if (error instanceof RunLost) abort.abort(error)
        // a brief failure of the table must not end the reply: the next tick retries
        else log.warn('run heartbeat or checkpoint failed', { runId: run.runId, error })
      }
    }
  }
  const supervising = supervise()

  return {
    signal: abort.signal,
    logged: () => logged,
    checkpoint: () => retriedWrites().persist(checkpoint),
    finishWriting: async () => {
      isWritten = true
      await ticking.catch(() => undefined)
    },
    stop: async () => {
      over.abort()
      await supervising
    },
  }
}
