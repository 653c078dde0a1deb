import * as z from 'zod'
import { logger } from '../platform/telemetry/logger.ts'
import { SyncFailed } from './errors.ts'
import { openSources } from './open-registry.ts'
import { syncRegistry } from './sync.ts'

const sources = openSources()
/** The function has 15 minutes; what is not read by then is read the next day. */
const walkMs = 720_000

/** What EventBridge sends, as a rule or as a schedule. */
const scheduledEvent = z.object({ id: z.string().min(1), source: z.enum(['aws.events', 'aws.scheduler']) })

/**
 * The daily sync (DEC-078), called by the schedule alone. It may be called twice for one day: the second finds the first at work
 * or nothing changed.
 * @throws SyncFailed after the failure was recorded, so that the call is repeated
 */
export async function handler(event: unknown): Promise<void> {
  const parsed = scheduledEvent.safeParse(event)
  if (!parsed.success) {
    logger.warn('not an event of the schedule')
    return
  }
  const log = logger.with({ requestId: parsed.data.id })
  const now = new Date()
  const result = await syncRegistry(sources, now, { force: false, deadlineMs: now.getTime() + walkMs })
  if (!result) {
    log.info('another sync is at work')
    return
  }
  if (!result.success) {
    const failure = new SyncFailed(result.errors.join('; '))
    log.warn('registry sync failed', { error: failure })
    throw failure
  }
  log.info('registry synced', { count: result.stats.total })
}
