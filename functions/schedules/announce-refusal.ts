import type { Table } from '../platform/dynamodb/table.ts'
import { invokeInBackground } from '../platform/invoke-in-background.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { isQuiet } from '../settings/quiet-hours.ts'
import { settingsRepository } from '../settings/settings-repository.ts'

/** For the notifier: a schedule that did nothing at its time. */
export interface RefusalEvent {
  sub: string
  scheduleId: string
}

/**
 * Has a person told that a schedule of theirs did nothing at its time. Never throws: the next time tells it.
 * @param functionName of the notifier; undefined: nobody is told anything
 * @returns false if they are not told now, as in their quiet hours
 */
export async function announceRefusal(
  table: Table,
  functionName: string | undefined,
  event: RefusalEvent,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> {
  if (functionName === undefined) return false
  try {
    const { notifications } = await settingsRepository(table).find(event.sub)
    if (notifications?.quiet_hours && isQuiet(notifications.quiet_hours, Date.now())) return false
    await invokeInBackground(functionName, event)
    return true
  } catch (error) {
    log.warn('a schedule could not be announced', { error })
    return false
  }
}
