import { wait } from '../../platform/clock.ts'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import { heartbeatEveryMs, pollEveryMs, tickMs } from '../store/liveness.ts'
import type { LogPart, ReplyLog } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'

const checkpointEveryMs = 2_000
const watchedCheckpointEveryMs = 500

export interface Supervision {
  /** aborted with a `StopRequested` or `RunOwnershipLost` */
  signal: AbortSignal
  /** whether checkpoints were written; they are deleted when the reply is stored */
  hasCheckpoints: () => boolean
  /** writes the checkpoints that are not stored yet, before the run waits */
  checkpoint: () => Promise<void>
  /** to be called when the reply is written: after that only heartbeats are sent. Resolves when the last checkpoint is stored */
  finishWriting: () => Promise<void>
  /** ends the supervision; resolves when its last write is done */
  stop: () => Promise<void>
}

/** The user has stopped the reply. */
export class StopRequested extends Error {}

/**
 * Supervises a run while its reply is written and stored: a heartbeat until the end, and while it is written a check for a stop request each
 * second, and checkpoints of the reply about every 2 s, or every 500 ms while another invocation follows it.
 */
export function superviseRun(
  { runs, logs }: Pick<ConversationStores, 'runs' | 'logs'>,
  { run, events, log }: { run: Run; events: ReplyLog; log: Logger },
): Supervision {
  const abort = new AbortController()
  const supervisionEnd = new AbortController()
  // what a run has written before it waited is in the table
  let writtenTo = events.start
  let hasCheckpoints = events.start > 0
  let failedParts: LogPart[] | undefined
  let polledAtMs = Date.now()
  let heartbeatAtMs = Date.now()
  let checkpointAtMs = Date.now()
  let watchedUntilMs = 0
  let isWritten = false
  let ticking = Promise.resolve()

  const onRunState = (current: Run | undefined) => {
    const isOwner = current?.runId === run.runId && current.epoch === run.epoch
    if (!isOwner || current.status !== 'running')
      abort.abort(new RunOwnershipLost(`run ${run.runId} is gone`))
    else if (current.stopRequestedAtMs !== undefined)
      abort.abort(new StopRequested('the user stopped the reply'))
    watchedUntilMs = current?.watchedUntilMs ?? 0
  }

  const checkpoint = async () => {
    // temporary runs have no checkpoints
    if (!run.isSaved) return
    // a write that failed may have been done, and read: its repeat has the same parts
    if (failedParts) await append(failedParts)
    const parts = events.readAfter(writtenTo)
    if (parts.length > 0) await append(parts)
  }

  const append = async (parts: LogPart[]) => {
    failedParts = parts
    hasCheckpoints = true
    await logs.append(run, parts)
    failedParts = undefined
    writtenTo = parts.at(-1)?.to ?? writtenTo
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
    const intervalMs = watchedUntilMs > nowMs ? watchedCheckpointEveryMs : checkpointEveryMs
    if (isWriting() && nowMs - checkpointAtMs >= intervalMs) {
      checkpointAtMs = nowMs
      await checkpoint()
    }
  }

  const supervise = async () => {
    while (!supervisionEnd.signal.aborted && !(abort.signal.reason instanceof RunOwnershipLost)) {
      try {
        await wait(tickMs, { signal: supervisionEnd.signal })
        ticking = tick(Date.now())
        await ticking
      } catch (error) {
        if (supervisionEnd.signal.aborted) return
        if (error instanceof RunOwnershipLost) abort.abort(error)
        // a brief failure of the table must not end the reply: the next tick retries
        else log.warn('run heartbeat or checkpoint failed', { runId: run.runId, error })
      }
    }
  }
  const supervising = supervise()

  return {
    signal: abort.signal,
    hasCheckpoints: () => hasCheckpoints,
    checkpoint: () => retriedWrites().persist(checkpoint),
    finishWriting: async () => {
      isWritten = true
      await ticking.catch(() => undefined)
    },
    stop: async () => {
      supervisionEnd.abort()
      await supervising
    },
  }
}
