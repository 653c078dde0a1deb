import type { Table } from '../platform/dynamodb/table.ts'
import { invokeInBackground } from '../platform/invoke-in-background.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { isQuiet } from '../settings/quiet-hours.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { findRunSession, type ScheduleRow } from './schedule-row.ts'

/** The event for the notifier that a schedule did nothing at its time. */
export interface RefusalEvent {
  sub: string
  scheduleId: string
}

/**
 * Asks the notifier to tell the owner of a schedule that it did nothing at its time. Never throws: the next refusal is announced again.
 * @param functionName of the notifier; undefined in a deployment without notifications
 * @returns false if the owner is not told now, as in their quiet hours
 */
export async function announceRefusal(
  table: Table,
  functionName: string | undefined,
  event: RefusalEvent,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> {
  if (functionName === undefined) return false
  try {
    if (await isQuietFor(table, event.sub)) return false
    await invokeInBackground(functionName, event)
    return true
  } catch (error) {
    log.warn('a schedule could not be announced', { error })
    return false
  }
}

/** Whether it is a quiet hour of a user. @throws errors of the table */
export async function isQuietFor(table: Table, sub: string): Promise<boolean> {
  const { quiet_hours: hours } = (await settingsRepository(table).find(sub)).notifications ?? {}
  return Boolean(hours && isQuiet(hours, Date.now()))
}

/**
 * Asks the notifier to tell the owner of a schedule of a reply in their quiet hours, unless they have looked at a page since its run began.
 * Never throws: its run is settled.
 * @param functionName of the notifier; undefined in a deployment without notifications
 */
export async function announceLate(
  functionName: string | undefined,
  sub: string,
  row: Pick<ScheduleRow, 'session_id' | 'begun' | 'last_run' | 'notify'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (functionName === undefined) return
  try {
    await invokeInBackground(functionName, {
      sub,
      sessionId: findRunSession(row),
      atMs: row.begun?.since ?? row.last_run?.at ?? 0,
      scheduled: { notify: row.notify },
    })
  } catch (error) {
    log.warn('a reply of a schedule could not be announced', { error })
  }
}
