import type { Context } from 'aws-lambda'
import * as z from 'zod'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { readScheduleStop } from '../platform/schedule-stop.ts'
import { parseScheduledEvent } from '../platform/scheduled-event.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { measure } from '../platform/telemetry/metrics.ts'
import { dispatch } from './dispatch.ts'
import { dueIndex, spreadMinutes } from './due-index.ts'
import { runQueue } from './run-queue.ts'
import { scheduleRepository } from './schedule-repository.ts'
import type { ScheduleRow } from './schedule-row.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  SCHEDULE_QUEUE_URL: z.string(),
  /** undefined in a deployment without notifications */
  NOTIFIER_FUNCTION: z.string().optional(),
  SCHEDULE_SPREAD_MINUTES: spreadMinutes,
})
const table = openTable(env.TABLE_NAME)
const deps = {
  index: dueIndex(table, { spreadMinutes: env.SCHEDULE_SPREAD_MINUTES }),
  schedules: scheduleRepository(table),
  ...runQueue(env.SCHEDULE_QUEUE_URL),
  // its code is loaded with the first refusal
  async announce(sub: string, scheduleId: string) {
    const { announceRefusal } = await import('./announce-refusal.ts')
    return announceRefusal(table, env.NOTIFIER_FUNCTION, { sub, scheduleId }, logger)
  },
  // their code is loaded with the first run whose owner wants to hear of it
  async isQuiet(sub: string) {
    const { isQuietFor } = await import('./announce-refusal.ts')
    return isQuietFor(table, sub)
  },
  async announceReply(sub: string, row: ScheduleRow) {
    const { announceLate } = await import('./announce-refusal.ts')
    return announceLate(env.NOTIFIER_FUNCTION, sub, row, logger)
  },
  readStop: () => readScheduleStop(table),
  now: Date.now,
}

/** A schedule that is being handed over gets the time for its calls. */
const reservedMs = 5_000

/**
 * Sends the scheduled runs that are due to the queue. EventBridge invokes it each minute; a second invocation at the same time does no harm.
 * @throws errors of the table; the next invocation catches up
 */
export async function handler(
  event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  const scheduled = parseScheduledEvent(event)
  if (!scheduled) return
  const { sent, skipped, failed, lagMs, isComplete } = await dispatch(
    deps,
    () => getRemainingTimeInMillis() < reservedMs,
  )
  measure({ ScheduleLag: Math.round(lagMs / 1_000) }, { requestId: scheduled.id })
  const log = logger.with({ requestId: scheduled.id })
  if (sent + skipped + failed > 0) log.info('scheduled runs handed over', { count: sent, skipped, failed })
  if (!isComplete) log.warn('the time was over before all that is due was handed over')
}
