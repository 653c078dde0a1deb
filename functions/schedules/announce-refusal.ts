import type { Table } from '../platform/dynamodb/table.ts'
import { invokeInBackground } from '../platform/invoke-in-background.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { isQuiet } from '../settings/quiet-hours.ts'
import { settingsRepository } from '../settings/settings-repository.ts'

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
    const { notifications } = await settingsRepository(table).find(event.sub)
    if (notifications?.quiet_hours && isQuiet(notifications.quiet_hours, Date.now())) return false
    await invokeInBackground(functionName, event)
    return true
  } catch (error) {
    log.warn('a schedule could not be announced', { error })
    return false
  }
}
