import { wait } from '../../platform/clock.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import { loadReconnectReason } from '../store/connection.ts'
import { ConnectionNotFound } from '../store/errors.ts'
import type { IndexedConnection, RefreshIndex } from '../store/refresh-index.ts'
import { refresh, type RefreshDeps } from './refresh.ts'

/** Somewhat less than a day, so that each connection is refreshed daily although runs begin a little earlier or later. */
export const dailyRefreshAfterMs = 20 * 3_600_000
const maxConcurrent = 10
/** Random pauses before requests: a provider that serves many connections does not get them all in one second. */
const maxPauseMs = 250

export interface RefreshConnectionsDeps extends RefreshDeps {
  registry: Parameters<typeof loadReconnectReason>[0]['registry']
  index: RefreshIndex
  pause?: (ms: number) => Promise<unknown>
}

export interface RefreshedConnections {
  refreshed: number
  failed: number
  /** index rows whose connection is gone or cannot be refreshed any more */
  removed: number
  /** false if the time was over before every connection that is due was tried */
  isComplete: boolean
}

/**
 * Refreshes the tokens of idle connections, those whose tokens were not refreshed for about a day, so that refresh tokens do not expire
 * unused. A failure is logged and does not stop the others: the connection of a rejected refresh token has to be reconnected, others are
 * tried again in the next hour. What is left when the time is over is due then, too.
 * @param startKey where the walk begins: a random one gives each connection its turn, even if the time is always too short for all
 */
export async function refreshConnections(
  deps: RefreshConnectionsDeps,
  { startKey, isTimeUp }: { startKey: string; isTimeUp: () => boolean },
): Promise<RefreshedConnections> {
  const { pause = wait } = deps
  const summary: RefreshedConnections = { refreshed: 0, failed: 0, removed: 0, isComplete: true }
  const limit = limitConcurrency(maxConcurrent)
  for await (const page of deps.index.pages(startKey)) {
    const due = page.filter(isDailyRefreshDue)
    await Promise.all(
      due.map((connection) =>
        // one queue for all of them
        limit('', async () => {
          if (isTimeUp()) {
            summary.isComplete = false
            return
          }
          await pause(Math.random() * maxPauseMs)
          await refreshConnection(deps, connection, summary)
        }),
      ),
    )
    if (!summary.isComplete) break
  }
  return summary
}

const isDailyRefreshDue = ({ refreshedAt }: Pick<IndexedConnection, 'refreshedAt'>) =>
  !(Date.parse(refreshedAt) > Date.now() - dailyRefreshAfterMs)

async function refreshConnection(
  deps: RefreshConnectionsDeps,
  connection: IndexedConnection,
  summary: RefreshedConnections,
): Promise<void> {
  const { sub, mcpId } = connection
  try {
    const [row, credential] = await Promise.all([
      deps.integrations.find(sub, mcpId),
      deps.credentials.find(sub, mcpId),
    ])
    if (row?.status !== 'connected' || !credential?.refreshable || credential.status !== 'active') {
      await deps.index.removeStale(connection)
      summary.removed += 1
      return
    }
    // the tokens were refreshed, but the index row was not updated
    if (!isDailyRefreshDue({ refreshedAt: credential.updated_at }))
      return await deps.index.put({ sub, mcpId, refreshedAt: credential.updated_at })
    if (await loadReconnectReason(deps, row, credential)) return
    await refresh(deps, sub, mcpId, credential.version)
    summary.refreshed += 1
  } catch (error) {
    // disconnected meanwhile
    if (error instanceof ConnectionNotFound) return
    summary.failed += 1
    logger.warn('token refresh failed', { error })
  }
}
