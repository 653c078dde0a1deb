import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Connection } from '#shared/contracts/integrations.ts'
import { registryRefreshMs } from '../../../lib/browser/limits.ts'
import { callApi } from '../../../lib/api/call-api.ts'

/** Query options for data that stays fresh for a day, also while no page shows it. */
export const longLivedOptions = {
  staleTime: registryRefreshMs,
  gcTime: registryRefreshMs,
  refetchOnWindowFocus: false,
  refetchOnMount: false,
  refetchOnReconnect: false,
} as const

/** The timeout of calls for which the service asks a provider or a tool server: it may use its full time, 29 seconds. */
export const providerTimeoutMs = 30_000

/** How long a change made elsewhere, or a grant revoked by the provider, may go unnoticed. */
const connectionsPollMs = 60_000

/**
 * A user's connections. The key contains the user, so that no user sees another's. They are refetched when the user returns to the page and,
 * while there are any, every minute that it is visible.
 */
export const integrationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['integrations', userId],
    queryFn: async ({ signal }): Promise<Connection[]> =>
      (await callApi('integrations.list', {}, { signal })).integrations,
    ...longLivedOptions,
    refetchInterval: ({ state }) => (state.data?.some(isConnected) ? connectionsPollMs : false),
    refetchOnWindowFocus: 'always',
    retry: 1,
  })

/** Whether a stored connection is in use: not disconnected, and its set-up complete. */
export const isConnected = ({ status }: Connection): boolean => status === 'connected'

/** Refetches connections and tools after a change. */
export function invalidateIntegrations(queryClient: QueryClient): Promise<void> {
  invalidateTools(queryClient)
  return queryClient.invalidateQueries({ queryKey: ['integrations'], refetchType: 'all' })
}

/** Refetches the tools in the background, as servers may be slow. */
export function invalidateTools(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ['tools'] })
}
