import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { logger } from '../platform/logger.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { SyncFailed } from './errors.ts'
import { gitHub } from './github.ts'
import { syncRepository } from './sync-repository.ts'
import { syncRegistry } from './sync.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  GITHUB_API_URL: z.url().default('https://api.github.com'),
  GITHUB_TOKEN_SECRET: z.string().optional(),
})
const record = syncRepository(openTable(env.TABLE_NAME))
const secrets = secretStore()
const github = gitHub({
  apiUrl: env.GITHUB_API_URL.replace(/\/+$/, ''),
  readToken: async () => (env.GITHUB_TOKEN_SECRET ? secrets.read(env.GITHUB_TOKEN_SECRET) : undefined),
})

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
  const result = await syncRegistry({ github, record }, new Date())
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
