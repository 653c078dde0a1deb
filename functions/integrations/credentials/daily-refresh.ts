import type { Context } from 'aws-lambda'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { openTable } from '../../platform/dynamodb/table.ts'
import { parseEnv } from '../../platform/env.ts'
import { parseScheduledEvent } from '../../platform/scheduled-event.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { measure } from '../../platform/telemetry/metrics.ts'
import { openConnections } from './open-connections.ts'
import { refreshIndex } from '../store/refresh-index.ts'
import { leaseMs } from './refresh.ts'
import { refreshConnections } from './refresh-connections.ts'

const { TABLE_NAME } = parseEnv({ TABLE_NAME: z.string() })
const table = openTable(TABLE_NAME)
const deps = { ...openConnections(table), index: refreshIndex(table) }

/**
 * The daily refresh of idle connections, called only by the schedule, each hour: a call finds what has been idle for a day by then.
 * @throws errors of the table, so that Lambda tries again
 */
export async function handler(
  event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> {
  const scheduled = parseScheduledEvent(event)
  if (!scheduled) return
  // users' ids are random UUIDs, so a random one is anywhere among them
  const { refreshed, failed, removed, isComplete } = await refreshConnections(deps, {
    startKey: randomUUID(),
    // a refresh that has begun gets the time to store its tokens
    isTimeUp: () => getRemainingTimeInMillis() < leaseMs,
  })
  const log = logger.with({ requestId: scheduled.id })
  log.info('idle connections refreshed', { count: refreshed, failed, removed })
  measure({ UnfinishedRefreshes: isComplete ? 0 : 1 })
  if (!isComplete) log.warn('the time was over before all idle connections were refreshed')
}
