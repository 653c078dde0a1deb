import { nextTime } from '#shared/schedule-times.ts'
import { limitConcurrency } from '../platform/limit-concurrency.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { DueEntry, DueIndex } from './due-index.ts'
import type { ScheduleStop } from '../platform/schedule-stop.ts'
import {
  toPaused,
  toSettled,
  withFields,
  type ScheduleFields,
  type ScheduleRepository,
} from './schedule-repository.ts'
import { tellRefusal, type TellDeps } from './tell-refusal.ts'
import { toRunMessage, type RunMessage, type ScheduleRow } from './schedule-row.ts'

/*
 * Once a minute: what is due is claimed and handed to the queue. The order of the steps, so that the function can die between any two, and
 * another one can do the same at the same moment:
 *
 * 1. the index gets the next time: at worst an entry too many
 * 2. one conditional write of the schedule claims this time and sets the next one
 * 3. the message is sent: if not, or if it got lost, it is sent again after a while; the worker begins a message once
 * 4. the entry goes once the worker has settled the run
 *
 * A run that has begun is never begun again; one that the worker never began is given up.
 */

const minuteMs = 60_000
const hourMs = 3_600_000

/** A time that was missed, as by a laptop that was closed, is made up within 12 hours, once for all of them. */
export const madeUpWithinMs = 12 * hourMs
/** A run that was not settled by then may have been lost on its way. */
export const resendAfterMs = 4 * minuteMs
/** So often, about an hour. */
export const maxSends = 15
/** An entry for which there is no schedule may be one that is being written. */
const orphanAfterMs = 10 * minuteMs
/** Hours that are always looked at again, because clocks differ and writes take time. */
const reviewedMs = 2 * hourMs
/** How far back a pass looks before anything was ever scheduled, after which the index has a cursor. */
const firstPassMs = 24 * hourMs

const schedulesAtOnce = 20

export interface DispatchDeps {
  index: DueIndex
  schedules: Pick<ScheduleRepository, 'find' | 'write' | 'change'>
  tell: TellDeps['tell']
  send: (message: RunMessage) => Promise<void>
  /** of all schedules, by an administrator */
  readStop: () => Promise<ScheduleStop>
  now: () => number
}

/**
 * What a pass did. `lagMs`: by how much the latest run comes after its minute, whether this pass hands it over or no worker has begun it yet.
 * The time of a stop does not count.
 */
export interface Pass {
  sent: number
  skipped: number
  failed: number
  lagMs: number
  isComplete: boolean
}

const startOfHour = (time: number) => time - (time % hourMs)

/**
 * Hands over what is due. Can be repeated, and run at the same time as another one.
 * @param isTimeUp whether the time of this call is used up; the next one goes on
 */
export async function dispatch(deps: DispatchDeps, isTimeUp: () => boolean): Promise<Pass> {
  const { index, now } = deps
  const thisHour = startOfHour(now())
  const cursor = await index.readCursor()
  const reviewed = thisHour - reviewedMs
  const pass: Pass = { sent: 0, skipped: 0, failed: 0, lagMs: 0, isComplete: true }
  const stop = await deps.readStop()
  const atOnce = limitConcurrency(schedulesAtOnce)
  let firstHourLeft = reviewed
  for (
    let hour = Math.min(cursor ?? startOfHour(now() - firstPassMs), reviewed);
    hour <= thisHour;
    hour += hourMs
  ) {
    const entries = await index.listHour(hour)
    if (entries.length > 0) firstHourLeft = Math.min(firstHourLeft, hour)
    const due = entries.filter((entry) => index.dueAt(entry) <= now())
    await Promise.all(
      due.map((entry) =>
        atOnce('', async () => {
          if (isTimeUp()) pass.isComplete = false
          else await lookAt(deps, entry, pass, stop)
        }),
      ),
    )
    if (!pass.isComplete) return pass
  }
  // all hours before it were empty
  if (firstHourLeft !== cursor) await index.writeCursor(firstHourLeft)
  return pass
}

/** One entry that fails takes none of the others along: the next pass looks at it again. */
async function lookAt(deps: DispatchDeps, entry: DueEntry, pass: Pass, stop: ScheduleStop): Promise<void> {
  try {
    await handle(deps, entry, pass, stop)
  } catch (error) {
    pass.failed += 1
    logger.error('a schedule could not be handed over', { error })
  }
}

async function handle(
  deps: DispatchDeps,
  entry: DueEntry,
  pass: Pass,
  { isStopped, resumedAt }: ScheduleStop,
): Promise<void> {
  const { index, schedules, now } = deps
  const { sub, id, at } = entry
  const isMissed = now() - at > madeUpWithinMs
  const noteLag = () => {
    const since = Math.max(index.dueAt(entry), resumedAt) + minuteMs
    pass.lagMs = Math.max(pass.lagMs, now() - since)
  }
  const row = await schedules.find(sub, id)
  if (row?.handed?.at === at) {
    if (row.begun?.at !== at) {
      if (isMissed) return giveUp(deps, entry, row, pass)
      if (isStopped) return
      noteLag()
    }
    return resend(deps, entry, row, row.handed, pass)
  }
  if (row?.next_at !== at || row.paused_because !== undefined) {
    const isSettled = row?.last_run?.at === at
    if (isSettled || now() - index.dueAt(entry) > orphanAfterMs) await index.remove(entry)
    return
  }
  // the run before, or one that its person started, is under way
  if (row.handed) return
  // it stays in the index, and is made up as other missed times are
  if (isStopped && !isMissed) return
  const next = findNext(row, isMissed ? Math.max(at, now() - madeUpWithinMs) : Math.max(at, now()))
  if (next === 'unknown') {
    await writeRefusal(deps, sub, row, toPaused('failures'))
    return
  }
  if (next !== undefined) await index.put({ sub, id, at: next })
  if (isMissed) {
    const skipped = toSettled(row, { at, status: 'skipped', because: 'missed' })
    if (await writeRefusal(deps, sub, row, { ...skipped, next_at: next })) pass.skipped += 1
    return
  }
  const since = now()
  if (!(await schedules.write(sub, row, { next_at: next, handed: { at, since } }))) return
  noteLag()
  await sendRun(deps, entry, pass)
}

/** @returns undefined if there is none, and 'unknown' if the zone is not one any more */
function findNext({ rule, time_zone }: ScheduleRow, after: number): number | undefined | 'unknown' {
  try {
    return nextTime(rule, time_zone, after)
  } catch (error) {
    logger.error('the next time of a schedule could not be told', { error })
    return 'unknown'
  }
}

async function sendRun({ send }: DispatchDeps, { sub, id, at }: DueEntry, pass: Pass): Promise<void> {
  await send(toRunMessage(sub, id, at))
  pass.sent += 1
}

/** Writes that a time was left out, or that the schedule is paused, and has its person told. @returns false if somebody else has written it */
async function writeRefusal(
  deps: DispatchDeps,
  sub: string,
  row: ScheduleRow,
  fields: ScheduleFields,
): Promise<boolean> {
  if (!(await deps.schedules.write(sub, row, fields))) return false
  await tellRefusal(deps, sub, withFields(row, fields))
  return true
}

async function giveUp(
  deps: DispatchDeps,
  { sub, at }: DueEntry,
  row: ScheduleRow,
  pass: Pass,
): Promise<void> {
  const given = toSettled(row, { at, status: 'skipped', because: 'not_begun' })
  if (await writeRefusal(deps, sub, row, given)) pass.skipped += 1
}

/** Sends a run again that should have been settled by now; in the end it is given up. */
async function resend(
  deps: DispatchDeps,
  entry: DueEntry,
  row: ScheduleRow,
  handed: NonNullable<ScheduleRow['handed']>,
  pass: Pass,
): Promise<void> {
  const { schedules, now } = deps
  if (now() - handed.since < resendAfterMs) return
  const sends = (handed.sends ?? 1) + 1
  if (sends > maxSends) return giveUp(deps, entry, row, pass)
  if (await schedules.write(entry.sub, row, { handed: { ...handed, since: now(), sends } }))
    await sendRun(deps, entry, pass)
}
