import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Integration } from '#shared/contracts/integrations.ts'
import { registryRefreshMs } from '#shared/limits.ts'
import { callApi } from '../../../lib/call-api.ts'

/** Fresh for a day, asked again only after a change of our own. */
export const fresh = {
  staleTime: registryRefreshMs,
  refetchOnWindowFocus: false,
  refetchOnMount: false,
  refetchOnReconnect: false,
} as const

/** How long a change made elsewhere, or a grant that a provider refused, may go unseen. */
const connectionsPollMs = 60_000

/**
 * A user's connections; the key holds the user, so that nobody sees another's. While there are any, they are read again every
 * minute that the page is visible, and when somebody comes back to it.
 */
export const integrationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['integrations', userId],
    queryFn: async ({ signal }): Promise<Integration[]> =>
      (await callApi('integrations.list', {}, { signal })).integrations,
    ...fresh,
    refetchInterval: ({ state }) => (state.data?.some(isConnected) ? connectionsPollMs : false),
    refetchOnWindowFocus: 'always',
    gcTime: registryRefreshMs,
    retry: 1,
  })

export const isConnected = ({ status }: Integration): boolean => status === 'connected'

/** After a change of our own. */
export function integrationsChanged(queryClient: QueryClient): Promise<void> {
  toolsChanged(queryClient)
  return queryClient.invalidateQueries({ queryKey: ['integrations'], refetchType: 'all' })
}

/** What the assistant can do has changed; servers may take their time to say so, and nobody waits for it. */
export function toolsChanged(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ['tools'] })
}
