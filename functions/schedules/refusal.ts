import { logger } from '../platform/telemetry/logger.ts'
import type { ScheduleRepository } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

/** Pauses that no run has caused, but a decision of the owner or an administrator. */
const chosenPauses: readonly string[] = ['user', 'administrator', 'restored']
/** Skipped runs that the owner knows of: the run before asked them, or they have paused the schedule. */
const knownSkips: readonly string[] = ['waiting', 'paused']

/** Ends of runs whose writer died, so that it could not tell of them. `broken_off` has left nothing. */
const untoldEnds: readonly string[] = ['broken_off', 'interrupted']

/**
 * A schedule did nothing at its last time: it was paused, or the run was skipped; or the run failed, and its writer could not tell of it any
 * more. `cause` is a code: a `PauseReason`, a `RunReason`, or of an error.
 */
export interface Refusal {
  kind: 'paused' | 'skipped' | 'failed'
  cause: string
}

/**
 * Finds what the owner of a schedule has to be told.
 * @returns undefined if they know it, or if the last run has a reply, which has its own notification
 */
export function findRefusal({
  paused_because: paused,
  last_run,
}: Pick<ScheduleRow, 'paused_because' | 'last_run'>): Refusal | undefined {
  if (paused !== undefined && !chosenPauses.includes(paused)) return { kind: 'paused', cause: paused }
  const cause = last_run?.because
  if (cause === undefined || knownSkips.includes(cause)) return undefined
  const hasTold = last_run?.message_id !== undefined && !untoldEnds.includes(cause)
  return hasTold ? undefined : { kind: cause === 'interrupted' ? 'failed' : 'skipped', cause }
}

export interface AnnounceDeps {
  schedules: Pick<ScheduleRepository, 'change'>
  /** asks the notifier to tell the owner by the schedule's channels; false: not now. Never throws */
  announce: (sub: string, scheduleId: string) => Promise<boolean>
}

/** Whether the owner of a schedule has still to be told of a refusal: their quiet hours were not over when it was stored. */
export function isUntold(row: ScheduleRow): boolean {
  const refusal = findRefusal(row)
  return refusal !== undefined && row.announced_cause !== refusal.cause && row.notify.length > 0
}

/**
 * Announces a refusal to the owner of a schedule, once for each cause, until a run succeeds or the owner resumes the schedule. Never throws:
 * the end of the run is stored by then.
 * @param row as it was stored with the refusal
 */
export async function announceOnce(
  { schedules, announce }: AnnounceDeps,
  sub: string,
  row: ScheduleRow,
): Promise<void> {
  const refusal = findRefusal(row)
  if (!refusal || !isUntold(row)) return
  try {
    if (!(await announce(sub, row.id))) return
    const { cause } = refusal
    await schedules.change(sub, row.id, (now) =>
      findRefusal(now)?.cause === cause && now.announced_cause !== cause
        ? { announced_cause: cause }
        : undefined,
    )
  } catch (error) {
    logger.warn('it could not be stored that a person was told about a schedule', { error })
  }
}
