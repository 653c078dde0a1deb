import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../platform/logger.ts'
import { RunLost } from '../runs/errors.ts'
import type { ReplyLog } from '../runs/reply-log.ts'
import type { Run } from '../runs/run.ts'
import type { Stores } from '../sessions/stores.ts'

const tickMs = 500
const lookEveryMs = 1_000
const heartbeatEveryMs = 4_000
const checkpointEveryMs = 2_000
const watchedCheckpointEveryMs = 500

export interface KeptRun {
  /** aborted with a `StopRequested` or `RunLost` */
  signal: AbortSignal
  /** whether checkpoints were written, which the stored reply makes superfluous */
  logged: () => boolean
  /** writes what is not yet in the table, for a run that waits or is left to others */
  checkpoint: () => Promise<void>
  /** ends the keeping; resolves when its last write is through */
  release: () => Promise<void>
}

/** The user wants no more of this reply. */
export class StopRequested extends Error {}

/**
 * Keeps a run alive while its reply is written: a heartbeat, a look for a stop each second, and checkpoints of the reply
 * about every 2 s, or every 500 ms while somebody watches from elsewhere. Nothing of it is written before the question is stored.
 */
export function keepRun(
  { runs, logs }: Pick<Stores, 'runs' | 'logs'>,
  {
    run,
    reply,
    stored,
    log,
  }: { run: Run; reply: ReplyLog; stored: Promise<unknown> | undefined; log: Logger },
): KeptRun {
  const abort = new AbortController()
  const over = new AbortController()
  let written = run.transcript?.position ?? 0
  let logged = run.transcript !== undefined
  let lookedAtMs = Date.now()
  let beatAtMs = Date.now()
  let checkpointAtMs = Date.now()
  let watchedUntilMs = 0

  const heed = (now: Run | undefined) => {
    if (now?.runId !== run.runId || now.status !== 'running')
      abort.abort(new RunLost(`run ${run.runId} is gone`))
    else if (now.cancel) abort.abort(new StopRequested('the user stopped the reply'))
    watchedUntilMs = now?.watchedUntilMs ?? 0
  }

  const checkpoint = async () => {
    // what is not kept is written nowhere
    if (!run.kept) return
    const parts = reply.after(written)
    const to = parts.at(-1)?.to
    if (to === undefined) return
    await logs.append(run, parts)
    written = to
    logged = true
  }

  const tick = async (nowMs: number) => {
    if (nowMs - beatAtMs >= heartbeatEveryMs) {
      beatAtMs = nowMs
      lookedAtMs = nowMs
      heed(await runs.beat(run, nowMs))
    } else if (nowMs - lookedAtMs >= lookEveryMs) {
      lookedAtMs = nowMs
      heed(await runs.find(run.sub, run.sessionId))
    }
    const every = watchedUntilMs > nowMs ? watchedCheckpointEveryMs : checkpointEveryMs
    if (!abort.signal.aborted && nowMs - checkpointAtMs >= every) {
      checkpointAtMs = nowMs
      await checkpoint()
    }
  }

  const keep = async () => {
    try {
      await stored
    } catch (error) {
      abort.abort(error)
    }
    while (!over.signal.aborted && !abort.signal.aborted) {
      try {
        await sleep(tickMs, undefined, { signal: over.signal })
        await tick(Date.now())
      } catch (error) {
        if (over.signal.aborted) return
        if (error instanceof RunLost) abort.abort(error)
        // a table that falters for a moment must not cost the reply: the next tick tries again
        else log.warn('a run could not be kept this time', { runId: run.runId, error })
      }
    }
  }
  const keeping = keep()

  return {
    signal: abort.signal,
    logged: () => logged,
    checkpoint,
    release: async () => {
      over.abort()
      await keeping
    },
  }
}
