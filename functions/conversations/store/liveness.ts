import { stopPatienceMs } from '#shared/limits.ts'

/*
 * When a run counts as lost. The numbers depend on each other: a few heartbeats may fail, and after Stop a lost run is detected before
 * the page gives up.
 */

/** Interval of the writer's timer. */
export const tickMs = 500
/** How often the writer polls its run for a stop request, or readers that follow the reply: checkpoints are then more frequent. */
export const pollEveryMs = 1_000
/** How often the writer sends a heartbeat, until its reply is stored. */
export const heartbeatEveryMs = 4_000
/** A running run whose newest heartbeat is older has lost its writer: four heartbeats may fail. */
export const lostAfterMs = 20_000
/**
 * The same after a stop request, counted from the request or from a later heartbeat: one heartbeat may fail, and the run is recovered before
 * the page gives up.
 */
const lostAfterStopMs = stopPatienceMs - 2_000

interface Liveness {
  status: string
  heartbeatAtMs: number
  stopRequestedAtMs?: number | undefined
}

/** Whether a run has lost its writer. */
export function isLost({ status, heartbeatAtMs, stopRequestedAtMs }: Liveness, nowMs: number): boolean {
  return status === 'running' && nowMs > lostAtMs({ heartbeatAtMs, stopRequestedAtMs })
}

/** From when on a running run counts as lost, if it gives no sign of life until then. */
function lostAtMs({ heartbeatAtMs, stopRequestedAtMs }: Omit<Liveness, 'status'>): number {
  const atMs = heartbeatAtMs + lostAfterMs
  if (stopRequestedAtMs === undefined) return atMs
  return Math.min(atMs, Math.max(heartbeatAtMs, stopRequestedAtMs) + lostAfterStopMs)
}

/** A run ends this long before the function's timeout. */
export const deadlineMarginMs = 10_000
