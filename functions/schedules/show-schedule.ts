import type { Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import { findRunSession, type ScheduleRow } from './schedule-row.ts'

/** The newest run of a conversation; undefined if it has none. */
export type FindRun = (
  sub: string,
  sessionId: string,
) => Promise<
  | { messageId: string; status: string; waitState?: { lapsesAtMs?: number | undefined } | undefined }
  | undefined
>

const shownTimes = 3

const failedStatuses = ['failed', 'incomplete', 'interrupted']

const toIso = (time: number) => new Date(time).toISOString()

/** A schedule as its user sees it: what the person has answered since shows in the state of its last run. */
export async function showSchedule(
  findRun: FindRun,
  sub: string,
  row: ScheduleRow,
  now: number,
): Promise<Schedule> {
  const { id, prompt, rule, time_zone, model, effort, project_id, assistant_id, writes, notify } = row
  const { version, created_at, session_id, next_at, handed, begun, last_run, paused_because } = row
  const shownRun = last_run && (await findOutcome(findRun, sub, row, last_run, now))
  return {
    id,
    prompt,
    rule,
    time_zone,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(project_id !== undefined && { project_id }),
    ...(assistant_id !== undefined && { assistant_id }),
    writes: writes === 'ask' ? 'ask' : writes.map(({ name }) => name),
    notify,
    version,
    created_at: toIso(created_at),
    session_id,
    ...(begun?.session_id !== undefined && { has_conversation: begun.session_id === session_id }),
    ...(next_at !== undefined && { next_at: toIso(next_at) }),
    next_times: listTimes(row, now),
    ...(handed && { running_since: toIso(handed.at) }),
    ...(last_run && shownRun && { last_run: { at: toIso(last_run.at), ...shownRun } }),
    ...(paused_because !== undefined && { paused_because }),
  }
}

/** A zone that this release does not know has no times. */
function listTimes({ rule, time_zone }: ScheduleRow, now: number): string[] {
  try {
    return nextTimes(rule, time_zone, now, shownTimes).map(toIso)
  } catch {
    return []
  }
}

/** A run that waited when it was settled may have ended since. */
async function findOutcome(
  findRun: FindRun,
  sub: string,
  row: ScheduleRow,
  { status, because, message_id }: NonNullable<ScheduleRow['last_run']>,
  now: number,
): Promise<{ status: ScheduledRunStatus; because?: string }> {
  if (status !== 'waiting') return { status, ...(because !== undefined && { because }) }
  const run = await findRun(sub, findRunSession(row))
  // the conversation went on, so the wait is over
  if (!run || run.messageId !== message_id) return { status: 'done' }
  // the next run ends it
  if (run.status === 'waiting' && run.waitState?.lapsesAtMs !== undefined && run.waitState.lapsesAtMs <= now)
    return { status: 'failed', because: 'lapsed' }
  if (run.status === 'waiting' || run.status === 'running') return { status: 'waiting' }
  // as a run that did not wait
  return { status: failedStatuses.includes(run.status) ? 'failed' : 'done' }
}
