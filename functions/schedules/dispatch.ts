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
import { announceOnce, isUntold, type AnnounceDeps } from './refusal.ts'
import { toRunMessage, type RunMessage, type ScheduleRow } from './schedule-row.ts'

/*
 * Once a minute, runs that are due are claimed and sent to the queue. The order of the steps allows the function to die between any two, and
 * another invocation to do the same at the same moment:
 *
 * 1. the next time is added to the index: at worst as a superfluous entry
 * 2. one conditional write of the schedule claims this time and sets the next one
 * 3. the message is sent; if it gets lost, it is sent again after `resendAfterMs`, and the worker begins each message once
 * 4. the entry is removed once the worker has settled the run; if its owner could not be told of it, it comes again
 *
 * A run that has begun is never begun again, unless it has done nothing because its model was busy: then the worker takes that back and says when
 * the message is to be sent again. One that the worker never began is skipped after `maxSends` messages.
 */

const minuteMs = 60_000
const hourMs = 3_600_000

/** Missed times, as of a laptop that was closed, are caught up within 12 hours: with one run for all of them. */
const catchUpMs = 12 * hourMs
/** The message of a run that is not settled by then may be lost. */
export const resendAfterMs = 4 * minuteMs
/** The messages that are sent for a run, within about an hour. */
export const maxSends = 15
/** The schedule of a younger entry may still be being written. */
const orphanAfterMs = 10 * minuteMs
/** How far back the index is always read again, because clocks differ and writes take time. */
const reviewedMs = 2 * hourMs
/** How far back the index is read while it has no cursor, because nothing was ever scheduled. */
const firstPassMs = 24 * hourMs

/** How often it is tried again to tell an owner that a run did nothing, and for how long: longer than quiet hours and a weekend without power. */
const tellAgainMs = 30 * minuteMs
const tellWithinMs = 72 * hourMs

const schedulesAtOnce = 20
/** Hours that are read at once after a long time without power. */
const hoursAtOnce = 50

export interface DispatchDeps {
  index: DueIndex
  schedules: Pick<ScheduleRepository, 'find' | 'write' | 'change'>
  announce: AnnounceDeps['announce']
  /** whether it is a quiet hour of a user */
  isQuiet: (sub: string) => Promise<boolean>
  /** asks the notifier to tell the owner of the reply of the last run, unless they have looked at a page since it began. Never throws */
  announceReply: (sub: string, row: ScheduleRow) => Promise<void>
  send: (message: RunMessage) => Promise<void>
  /** reads whether an administrator has stopped all schedules */
  readStop: () => Promise<ScheduleStop>
  now: () => number
}

/**
 * The result of one call of `dispatch`. `lagMs` is the longest delay of a run behind its minute, whether this call sends it or no worker has
 * begun it yet. The time of an administrator's stop does not count.
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
 * Sends the runs that are due to the queue. Can be repeated, also at the same time as another call.
 * @param isTimeUp whether the time of this call is used up; the next one continues
 * @throws errors of the table; those of one schedule are logged and counted
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
  let hour = Math.min(cursor ?? startOfHour(now() - firstPassMs), reviewed)
  while (hour <= thisHour) {
    // the next time of what was missed is in the hours that are caught up: only those before can be read beside each other
    const isOld = hour + (hoursAtOnce + 1) * hourMs < now() - catchUpMs
    const hours = Array.from({ length: isOld ? hoursAtOnce : 1 }, (_, number) => hour + number * hourMs)
    const found = await Promise.all(hours.map(async (one) => ({ one, entries: await index.listHour(one) })))
    for (const { one, entries } of found) {
      if (entries.length > 0) firstHourLeft = Math.min(firstHourLeft, one)
      const due = entries.filter((entry) => index.dueAt(entry) <= now())
      await Promise.all(
        due.map((entry) =>
          atOnce('', async () => {
            if (isTimeUp()) pass.isComplete = false
            else await tryEntry(deps, entry, pass, stop)
          }),
        ),
      )
      if (!pass.isComplete) return pass
    }
    hour += hours.length * hourMs
  }
  // all hours before it were empty
  if (firstHourLeft !== cursor) await index.writeCursor(firstHourLeft)
  return pass
}

/** An entry that fails does not fail the others: the next call tries it again. */
async function tryEntry(deps: DispatchDeps, entry: DueEntry, pass: Pass, stop: ScheduleStop): Promise<void> {
  try {
    await dispatchEntry(deps, entry, pass, stop)
  } catch (error) {
    pass.failed += 1
    logger.error('a schedule could not be handed over', { error })
  }
}

async function dispatchEntry(
  deps: DispatchDeps,
  entry: DueEntry,
  pass: Pass,
  { isStopped, resumedAt }: ScheduleStop,
): Promise<void> {
  const { index, schedules, now } = deps
  const { sub, id, at } = entry
  const isMissed = now() - at > catchUpMs
  const noteLag = () => {
    const since = Math.max(index.dueAt(entry), resumedAt) + minuteMs
    pass.lagMs = Math.max(pass.lagMs, now() - since)
  }
  const row = await schedules.find(sub, id)
  if (row?.handed?.at === at) {
    if (row.begun?.at !== at) {
      if (isMissed) return giveUp(deps, entry, row, pass)
      if (isStopped) return
      // since then it is the model that is late
      if (row.handed.retries === undefined) noteLag()
    }
    return resend(deps, entry, row, row.handed, pass)
  }
  if (row?.next_at !== at || row.paused_because !== undefined) {
    const isSettled = row?.last_run?.at === at
    if (row && isSettled && isUntold(row)) await tellAgain(deps, entry, row)
    else if (row && isSettled && mayTellReply(entry, row)) await tellReply(deps, entry, row)
    if (isSettled || now() - index.dueAt(entry) > orphanAfterMs) await index.remove(entry)
    return
  }
  // the previous run, or one that the owner started, is under way
  if (row.handed) return
  // it stays in the index, and is caught up as other missed times are
  if (isStopped && !isMissed) return
  const next = findNext(row, isMissed ? Math.max(at, now() - catchUpMs) : Math.max(at, now()))
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

/** Finds the next time of a schedule. @returns undefined if there is none, and 'unknown' if the time zone is no longer valid */
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

/** Stores that a run was skipped or the schedule was paused, and announces it. @returns false if the row was changed meanwhile */
async function writeRefusal(
  deps: DispatchDeps,
  sub: string,
  row: ScheduleRow,
  fields: ScheduleFields,
): Promise<boolean> {
  if (!(await deps.schedules.write(sub, row, fields))) return false
  await announceOnce(deps, sub, withFields(row, fields))
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

/**
 * Announces again what could not be announced when it was stored, as in quiet hours: one that is paused has no further time at which its owner
 * would hear of it. The entry moves on until they are told.
 */
async function tellAgain(deps: DispatchDeps, entry: DueEntry, row: ScheduleRow): Promise<void> {
  const { schedules, now } = deps
  if (now() - entry.at > tellWithinMs) return
  await announceOnce(deps, entry.sub, row)
  const after = await schedules.find(entry.sub, entry.id)
  if (after && isUntold(after)) await putAgain(deps, entry)
}

function putAgain({ index, now }: DispatchDeps, entry: DueEntry): Promise<void> {
  const next = now() + tellAgainMs
  return index.put({ ...entry, due: next - (next % minuteMs) })
}

/** Whether a run has a reply of which its owner wants to hear. Who starts one by hand is there. */
function mayTellReply({ at }: DueEntry, { notify, last_run }: ScheduleRow): boolean {
  // an earlier release did not store it; a time by a rule is a whole minute, one by hand hardly ever
  const isByHand = last_run?.by_hand ?? at % minuteMs !== 0
  return notify.length > 0 && last_run?.message_id !== undefined && !isByHand
}

/** The writer of a reply tells of it, except in quiet hours: then it is told after them. The entry moves on until then. */
async function tellReply(deps: DispatchDeps, entry: DueEntry, row: ScheduleRow): Promise<void> {
  const { sub, id, at } = entry
  if (deps.now() - at > tellWithinMs) return
  if (await deps.isQuiet(sub)) return putAgain(deps, entry)
  const hasMoved = deps.index.dueAt(entry) !== deps.index.dueAt({ sub, id, at })
  if (hasMoved) await deps.announceReply(sub, row)
}

/** Sends the message of a run again that should have been settled by now, or whose model was busy; after `maxSends` the run is skipped. */
async function resend(
  deps: DispatchDeps,
  entry: DueEntry,
  row: ScheduleRow,
  handed: NonNullable<ScheduleRow['handed']>,
  pass: Pass,
): Promise<void> {
  const { schedules, now } = deps
  const { since, retry_at: retryAt = 0 } = handed
  if (now() < (retryAt > since ? retryAt : since + resendAfterMs)) return
  const sends = (handed.sends ?? 1) + 1
  if (sends > maxSends) return giveUp(deps, entry, row, pass)
  if (await schedules.write(entry.sub, row, { handed: { ...handed, since: now(), sends } }))
    await sendRun(deps, entry, pass)
}
