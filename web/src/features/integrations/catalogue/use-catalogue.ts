import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { catalogueQuery, isWholeCatalogue, wholeCatalogue } from '../state/catalogue-queries.ts'
import type { Filters } from './catalogue-filters.tsx'
import { groupCards } from './card-groups.ts'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { integrationsQuery } from '../state/integrations-query.ts'
import { useConnectedEntries } from './use-connected-entries.ts'
import { useConnectedView } from './use-connected-view.ts'
import { useFirstIds } from './use-first-ids.ts'
import { useSearchView } from './use-search-view.ts'

/** How long the user has to pause typing before the catalogue is searched. */
const searchDebounceMs = 500
/** Changes of several connections within this time update the cards once; the first ones that are read are shown at once. */
const statusDebounceMs = 100

const noConnections: readonly Connection[] = []

/** The cards that match the filters, with counts and loading states. Text is searched once the user pauses typing. */
export function useCatalogue(userId: string, filters: Filters) {
  const { connectedOnly, authType } = filters
  const term = useDebounced(filters.text.trim(), searchDebounceMs)
  const provider = useDebounced(filters.provider.trim(), searchDebounceMs)
  const isTyping = term !== filters.text.trim() || provider !== filters.provider.trim()
  const filter = useMemo(() => ({ term, authType, provider }), [term, authType, provider])

  const connectionsQuery = useQuery(integrationsQuery(userId))
  const connections =
    useDebounced(connectionsQuery.data, statusDebounceMs) ?? connectionsQuery.data ?? noConnections
  const firstIds = useFirstIds(connectionsQuery.data, JSON.stringify([filter, connectedOnly]))
  const connectedEntries = useConnectedEntries(connections, {
    enabled: connectedOnly || isWholeCatalogue(filter),
  })
  const searchView = useSearchView(filter, {
    enabled: !connectedOnly,
    connections,
    connectedEntries: connectedEntries.entries,
    firstIds,
  })
  const connectedView = useConnectedView(filter, { connections, connectedEntries })
  const { cards, isLoading, isSearching, ...view } = connectedOnly ? connectedView : searchView

  const { data: allPages } = useInfiniteQuery(catalogueQuery(wholeCatalogue))
  return {
    ...view,
    term,
    provider,
    cards,
    groups: groupCards(cards, firstIds),
    /** size of the catalogue, without sandbox cards */
    availableCount: allPages?.pages[0]?.total,
    connectionsQuery,
    isLoading: isLoading || (connectedOnly && connectionsQuery.isPending),
    isSearching: isSearching || (isTyping && (connectedOnly || !isLoading)),
  }
}

/** What `useCatalogue` returns. */
export type Catalogue = ReturnType<typeof useCatalogue>
