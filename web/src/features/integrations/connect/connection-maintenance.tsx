import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { isStale } from '../state/connection-status.ts'
import { invalidateIntegrations, integrationsQuery } from '../state/integrations-query.ts'
import { refreshToken } from './use-connections.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { useUserResource } from '../../../lib/actions/user-resources.ts'

/** How often unusable connections are deleted while the page stays open. */
const cleanupEveryMs = 5 * 60_000
/** Refreshing waits, so that it does not compete with the first requests of the page. */
const autoRefreshAfterMs = 30_000

/** Cleans up and refreshes the user's connections while the page is open; renders nothing. */
export function ConnectionMaintenance({ userId }: { userId: string }) {
  useCleanup()
  useAutoRefresh(userId)
  return null
}

/** Lets the server delete unusable connections, such as incomplete ones, at start and then regularly. */
function useCleanup() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const cleanUp = async () => {
      // a failed cleanup is tried again at the next interval
      const response = await callApi('integrations.cleanup', { body: {} }).catch(() => undefined)
      if (response && response.deleted.length > 0) await invalidateIntegrations(queryClient)
    }
    void cleanUp()
    const timer = setInterval(() => void cleanUp(), cleanupEveryMs)
    return () => clearInterval(timer)
  }, [queryClient])
}

/** Whether a connection is invalid, or can be refreshed and has expired or is about to. */
export function shouldAutoRefresh(connection: Connection, now: Date): boolean {
  if (connection.status !== 'connected') return false
  return connection.token_status === 'invalid' || (connection.refreshable && isStale(connection, now))
}

/** Refreshes each connection that needs it, a while after it appears, and silently: what still fails is shown by its status. */
function useAutoRefresh(userId: string) {
  const refresher = useUserResource(createTokenRefresher)
  const now = useNow()
  const { data } = useQuery(integrationsQuery(userId))
  // joined into a string: an array would be a new dependency in each render
  const ids = (data ?? [])
    .filter((connection) => shouldAutoRefresh(connection, now))
    .map((connection) => connection.mcp_id)
    .join(' ')
  useEffect(() => {
    if (ids === '') return
    const timer = setTimeout(() => refresher.refresh(ids.split(' ')), autoRefreshAfterMs)
    return () => clearTimeout(timer)
  }, [ids, refresher])
}

/** Refreshes connections, each once, one at a time. It ends when the user signs out: the next request would be made for another user. */
function createTokenRefresher(queryClient: QueryClient) {
  const attemptedIds = new Set<string>()
  let isClosed = false
  let last = Promise.resolve()
  async function refreshAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (isClosed) return
      // the reloaded connection shows its status
      await refreshToken(id).catch(() => undefined)
    }
    await invalidateIntegrations(queryClient)
  }
  return {
    refresh(ids: readonly string[]): void {
      const dueIds = ids.filter((id) => !attemptedIds.has(id))
      if (dueIds.length === 0) return
      // marked before they are refreshed: the list may change meanwhile and name them again
      for (const id of dueIds) attemptedIds.add(id)
      last = last.then(() => refreshAll(dueIds))
    },
    close() {
      isClosed = true
    },
  }
}
