import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { buildCards, hasConnection, toEntryId, type CatalogueCard } from '../state/catalogue-cards.ts'
import type { Filters } from './catalogue-filters.tsx'
import { catalogueQuery, entryQuery, type CatalogueFilter } from '../state/catalogue-queries.ts'
import { groupCards } from './card-groups.ts'
import { isNotFound } from '../../../lib/api-errors.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { integrationsQuery } from '../state/integrations-query.ts'
import { translateName } from '../../../lib/translate-name.ts'

/** How long the user has to pause typing before the catalogue is searched. */
export const searchDebounceMs = 500
/** Changes of several connections within this time update the cards once. */
export const statusDebounceMs = 100

const noConnections: readonly Connection[] = []

/** The cards that match the filters, with counts and loading states. Text is searched once the user pauses typing. */
export function useCatalogue(userId: string, filters: Filters) {
  const term = useDebounced(filters.text.trim(), searchDebounceMs)
  const provider = useDebounced(filters.provider.trim(), searchDebounceMs)
  const connections = useQuery(integrationsQuery(userId))
  const debouncedConnections = useDebounced(connections.data ?? noConnections, statusDebounceMs)
  const catalogue = useInfiniteQuery(catalogueQuery({ term: '', authType: undefined, provider: '' }))
  const results = useInfiniteQuery({
    ...catalogueQuery({ term, authType: filters.authType, provider }),
    enabled: !filters.connectedOnly,
  })
  const firstIds = useFirstIds(
    connections.data,
    JSON.stringify([term, provider, filters.authType, filters.connectedOnly]),
  )
  /** whether the whole catalogue is shown */
  const isWhole = term === '' && provider === '' && filters.authType === undefined
  const connectedEntries = useConnectedEntries(debouncedConnections, {
    enabled: filters.connectedOnly || isWhole,
  })

  const cards = useMemo(() => {
    const all = buildCards(
      filters.connectedOnly
        ? connectedEntries.entries
        : [
            ...(isWhole ? connectedEntries.entries.filter(({ id }) => firstIds?.has(id)) : []),
            ...(results.data?.pages.flatMap((page) => page.items) ?? []),
          ],
      debouncedConnections,
    )
    return filters.connectedOnly ? all.filter(hasConnection) : all
  }, [connectedEntries.entries, results.data, debouncedConnections, filters.connectedOnly, isWhole, firstIds])
  const shownCards = useMemo(
    () =>
      filters.connectedOnly
        ? cards.filter((card) => matchesFilters(card, { term, authType: filters.authType, provider }))
        : cards,
    [cards, filters.connectedOnly, filters.authType, term, provider],
  )
  /** The number of integrations: with the filter for connected ones, every connection; else without sandbox cards. */
  const count = (some: readonly CatalogueCard[]) =>
    filters.connectedOnly
      ? some.length
      : some.filter(({ environment }) => environment === 'production').length

  const lastPage = results.data?.pages.at(-1)
  const isTyping = term !== filters.text.trim() || provider !== filters.provider.trim()
  return {
    term,
    provider,
    cards: shownCards,
    groups: groupCards(shownCards, firstIds),
    shownCount: count(shownCards),
    connections,
    /** size of the catalogue, without sandbox cards */
    availableCount: catalogue.data?.pages[0]?.total,
    total: filters.connectedOnly ? count(cards) : lastPage?.total,
    /** no results yet */
    isLoading: filters.connectedOnly
      ? connections.isPending || connectedEntries.isLoading
      : results.isPending,
    isSearching: filters.connectedOnly
      ? isTyping
      : (isTyping || results.isPlaceholderData || (results.isFetching && !results.isFetchingNextPage)) &&
        !results.isPending,
    hasMore: !filters.connectedOnly && results.hasNextPage && !results.isPlaceholderData,
    isLoadingMore: results.isFetchingNextPage,
    /** why integrations are missing; undefined also if only the next page could not be loaded */
    error: filters.connectedOnly
      ? connectedEntries.error
      : results.isLoadingError
        ? results.error
        : undefined,
    /** loads again what could not be loaded */
    retry: () => (filters.connectedOnly ? connectedEntries.retry() : void results.refetch()),
    /** why the next page could not be loaded */
    moreError: results.isFetchNextPageError ? results.error : undefined,
    loadMore: () => void results.fetchNextPage(),
  }
}

/** What `useCatalogue` returns. */
export type Catalogue = ReturnType<typeof useCatalogue>

/**
 * The integrations that were connected when the page was opened, or when its filters last changed. They come first, and stay there: no card
 * moves under the pointer when something is connected. With other filters all of them move anyway.
 * @returns undefined until the connections are known
 */
function useFirstIds(
  connections: readonly Connection[] | undefined,
  filterKey: string,
): ReadonlySet<string> | undefined {
  const [first, setFirst] = useState<{ ids: ReadonlySet<string>; filterKey: string }>()
  if (connections && first?.filterKey !== filterKey)
    setFirst({ ids: new Set(listConnectedIds(connections)), filterKey })
  return first?.ids
}

const listConnectedIds = (connections: readonly Connection[]) =>
  connections.filter(({ status }) => status === 'connected').map(({ mcp_id }) => toEntryId(mcp_id))

/** Whether a connected integration matches the filters. Its sign-in type is the one that it was connected with, as its card shows. */
function matchesFilters(
  { entry, connection, sandboxConnection }: CatalogueCard,
  { term, authType, provider }: CatalogueFilter,
): boolean {
  const connectedBy = (connection ?? sandboxConnection)?.auth_type ?? entry.auth_type
  if (authType !== undefined && connectedBy !== authType) return false
  if (!entry.provider.toLowerCase().includes(provider.toLowerCase())) return false
  const { name, description, config } = entry
  const texts = [name, description, entry.provider, ...config.features]
  const text = [...texts, ...texts.map((one) => translateName(one))].join(' ')
  return text.toLowerCase().includes(term.toLowerCase())
}

/** The catalogue entries of the connected integrations. */
function useConnectedEntries(connections: readonly Connection[], { enabled }: { enabled: boolean }) {
  const ids = useMemo(() => [...new Set(listConnectedIds(connections))], [connections])
  return useQueries({
    queries: ids.map((id) => ({ ...entryQuery(id), enabled, retry: 1 })),
    combine: (results) => ({
      entries: results.map(({ data }) => data).filter((entry): entry is RegistryEntry => entry !== undefined),
      isLoading: results.some(({ isPending }) => isPending),
      // what is not in the catalogue any more has no entry
      error: results.find(({ error }) => error && !isNotFound(error))?.error ?? undefined,
      retry: () => results.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
    }),
  })
}
