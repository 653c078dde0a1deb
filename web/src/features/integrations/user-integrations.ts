import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Integration } from '#shared/contracts/integrations.ts'
import { registryRefreshMs } from '#shared/limits.ts'
import { callApi } from '../../lib/call-api.ts'

/** LIM-13, LIM-14, LIM-12: fresh for a day, asked again only after a change of our own (DEC-064). */
export const fresh = {
  staleTime: registryRefreshMs,
  refetchOnWindowFocus: false,
  refetchOnMount: false,
  refetchOnReconnect: false,
} as const

/** A user's connections; the key holds the user, so that nobody sees another's (DEC-064). One retry (LIM-15). */
export const integrationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['integrations', userId],
    queryFn: async ({ signal }): Promise<Integration[]> =>
      (await callApi('integrations.list', {}, { signal })).integrations,
    ...fresh,
    gcTime: registryRefreshMs,
    retry: 1,
  })

/** After a change of our own. */
export function integrationsChanged(queryClient: QueryClient): Promise<void> {
  toolsChanged(queryClient)
  return queryClient.invalidateQueries({ queryKey: ['integrations'], refetchType: 'all' })
}

/** What the assistant can do has changed; servers may take their time to say so, and nobody waits for it. */
export function toolsChanged(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ['tools'] })
}
