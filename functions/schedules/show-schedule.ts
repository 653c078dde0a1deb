import type { Schedule, ScheduledRunStatus } from '#shared/contracts/schedules.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import { toRunEnd, type ChatRunState } from './run-end.ts'
import { findRunSession, type ScheduleRow } from './schedule-row.ts'

/** The newest run of a conversation; undefined if it has none. */
export type FindRun = (
  sub: string,
  sessionId: string,
) => Promise<
  | (ChatRunState & { messageId: string; waitState?: { lapsesAtMs?: number | undefined } | undefined })
  | undefined
>

const shownTimes = 3

const toIso = (time: number) => new Date(time).toISOString()

/** Builds what the user sees of a schedule. A last run that waited for the user is read again: it may have gone on. */
export async function showSchedule(
  findRun: FindRun,
  sub: string,
  row: ScheduleRow,
  now: number,
): Promise<Schedule> {
  const { id, prompt, rule, time_zone, model, effort, project_id, assistant_id, writes, notify } = row
  const { version, created_at, session_id, next_at, handed, begun, last_run, paused_because } = row
  const outcome = last_run && (await findOutcome(findRun, sub, row, last_run, now))
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
    ...(handed?.retry_at !== undefined && handed.retry_at > now && { retry_at: toIso(handed.retry_at) }),
    ...(last_run && outcome && { last_run: toLastRun(last_run.at, outcome) }),
    paused: paused_because !== undefined,
    ...(paused_because !== undefined && { paused_because }),
  }
}

const toLastRun = (
  at: number,
  { status, because }: Awaited<ReturnType<typeof findOutcome>>,
): Schedule['last_run'] => ({ at: toIso(at), status, ...(because !== undefined && { because }) })

/** A zone that this release does not know has no times. */
function listTimes({ rule, time_zone }: ScheduleRow, now: number): string[] {
  try {
    return nextTimes(rule, time_zone, now, shownTimes).map(toIso)
  } catch {
    return []
  }
}

/** Finds how the last run of a schedule ended, also if it waited when its outcome was stored. */
async function findOutcome(
  findRun: FindRun,
  sub: string,
  row: ScheduleRow,
  { status, because, message_id }: NonNullable<ScheduleRow['last_run']>,
  now: number,
): Promise<{ status: ScheduledRunStatus; because?: string | undefined }> {
  if (status !== 'waiting') return { status, because }
  const run = await findRun(sub, findRunSession(row))
  // the conversation went on, so the wait is over
  if (!run || run.messageId !== message_id) return { status: 'done' }
  // the next run ends it
  if (run.status === 'waiting' && run.waitState?.lapsesAtMs !== undefined && run.waitState.lapsesAtMs <= now)
    return { status: 'failed', because: 'lapsed' }
  const end = toRunEnd(run)
  return end === 'running' ? { status: 'waiting' } : end
}
