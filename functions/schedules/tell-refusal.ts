import { logger } from '../platform/telemetry/logger.ts'
import type { ScheduleRepository } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

/** What no run has caused: the person, or an administrator, has done it. */
const chosenPauses: readonly string[] = ['user', 'administrator', 'restored']
/** The person was asked by the run before, or has paused the schedule. */
const knownSkips: readonly string[] = ['waiting', 'paused']

/** That a schedule did nothing at its last time: it is paused since, or this run was left out. `cause`: a code. */
export interface Refusal {
  kind: 'paused' | 'skipped'
  cause: string
}

/** @returns undefined if its last run has left a reply, which tells of itself, or there is nothing that its person does not know */
export function findRefusal({
  paused_because: paused,
  last_run,
}: Pick<ScheduleRow, 'paused_because' | 'last_run'>): Refusal | undefined {
  if (paused !== undefined && !chosenPauses.includes(paused)) return { kind: 'paused', cause: paused }
  const cause = last_run?.because
  if (cause === undefined || knownSkips.includes(cause)) return undefined
  const hasReply = last_run?.message_id !== undefined && cause !== 'broken_off'
  return hasReply ? undefined : { kind: 'skipped', cause }
}

export interface TellDeps {
  schedules: Pick<ScheduleRepository, 'change'>
  /** has the person told by the schedule's channels; false: not now. Never throws */
  tell: (sub: string, scheduleId: string) => Promise<boolean>
}

/**
 * Has a person told once for each cause that a schedule did nothing, until a run succeeds or they let it go on. Never throws: what became of
 * the run is stored by then.
 */
export async function tellRefusal(
  { schedules, tell }: TellDeps,
  sub: string,
  row: ScheduleRow,
): Promise<void> {
  const refusal = findRefusal(row)
  if (!refusal || row.announced_cause === refusal.cause || row.notify.length === 0) return
  try {
    if (!(await tell(sub, row.id))) return
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
