import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Integration } from '#shared/contracts/integrations.ts'
import { callApi } from '../../../lib/call-api.ts'
import { isStale } from './connection-status.ts'
import { integrationsChanged, integrationsQuery } from './integrations-query.ts'
import { refreshToken } from '../connect/use-connections.ts'
import { useNow } from './use-now.ts'

/** INT-64, LIM-16 */
const cleanupEveryMs = 5 * 60_000
/** INT-53, LIM-17 */
const autoRefreshAfterMs = 30_000

/** Keeps the user's connections in order while the page is open; shows nothing. */
export function IntegrationUpkeep({ userId }: { userId: string }) {
  useCleanup()
  useAutoRefresh(userId)
  return null
}

/** INT-62, INT-63, INT-64: removes faulty rows, at the start and every 5 minutes. */
function useCleanup() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const cleanUp = async () => {
      // the next round tries again
      const answer = await callApi('integrations.cleanup', { body: {} }).catch(() => undefined)
      if (answer && answer.deleted.length > 0) await integrationsChanged(queryClient)
    }
    void cleanUp()
    const timer = setInterval(() => void cleanUp(), cleanupEveryMs)
    return () => clearInterval(timer)
  }, [queryClient])
}

/** DEC-062: invalid ones, and those that have ended and hold a refresh token. */
export function wantsRefresh(row: Integration, now: Date): boolean {
  if (row.status !== 'connected') return false
  return row.token_status === 'invalid' || (row.refreshable && isStale(row, now))
}

/**
 * INT-53, INT-54, DEC-062: 30 s after they appear, connections that need it are refreshed once each, one at a time and silently; what
 * then still fails is what the list says.
 */
function useAutoRefresh(userId: string) {
  const queryClient = useQueryClient()
  const tried = useRef(new Set<string>())
  const now = useNow()
  const { data } = useQuery(integrationsQuery(userId))
  const wanting = (data ?? []).filter((row) => wantsRefresh(row, now)).map((row) => row.mcp_id)
  const key = wanting.join(' ')
  useEffect(() => {
    if (key === '') return
    const timer = setTimeout(() => void refreshAll(), autoRefreshAfterMs)
    const refreshAll = async () => {
      const due = key.split(' ').filter((id) => !tried.current.has(id))
      for (const id of due) {
        tried.current.add(id)
        // the row that is read next says how it stands
        await refreshToken(id).catch(() => undefined)
      }
      if (due.length > 0) await integrationsChanged(queryClient)
    }
    return () => clearTimeout(timer)
  }, [key, queryClient])
}
