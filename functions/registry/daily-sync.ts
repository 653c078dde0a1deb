import type { SyncResult } from '#shared/contracts/registry.ts'
import { parseScheduledEvent } from '../platform/scheduled-event.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { SyncFailed } from './errors.ts'
import { openSyncDeps } from './open-sync-deps.ts'
import { syncRegistry } from './sync.ts'

const deps = openSyncDeps()
/** The function has 15 minutes; the next sync reads the rest. */
const maxSyncMs = 720_000

/**
 * The daily sync, called only by the schedule. A second call on the same day is harmless: the first is still running, or nothing has
 * changed.
 * @returns the result, for an operator who waits for it; undefined if it did not run
 * @throws SyncFailed after recording the failure, so that the schedule retries
 */
export async function handler(event: unknown): Promise<SyncResult | undefined> {
  const scheduled = parseScheduledEvent(event)
  if (!scheduled) return undefined
  const log = logger.with({ requestId: scheduled.id })
  const now = new Date()
  const result = await syncRegistry(deps, now, { force: false, deadlineMs: now.getTime() + maxSyncMs })
  if (!result) {
    log.info('another sync is running')
    return undefined
  }
  if (!result.success) {
    const failure = new SyncFailed(result.errors.join('; '))
    log.warn('registry sync failed', { error: failure })
    throw failure
  }
  log.info('registry synced', { count: result.stats.total })
  return result
}
