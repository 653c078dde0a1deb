import { useInfiniteQuery, useQuery, useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import {
  catalogueQuery,
  isWholeCatalogue,
  wholeCatalogue,
  type CatalogueFilter,
  entryQuery,
} from '../state/catalogue-queries.ts'
import type { Filters } from './catalogue-filters.tsx'
import { groupCards } from './card-groups.ts'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { integrationsQuery, isConnected } from '../state/integrations-query.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { buildCards, hasConnection, type CatalogueCard, toEntryId } from '../state/catalogue-cards.ts'
import type { CatalogueView } from './catalogue-view.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { isNotFound } from '../../../lib/api/api-errors.ts'

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

/**
 * The integrations that were connected when the page was opened, or when its filters last changed. They come first, and stay there: no card
 * moves under the pointer when something is connected. With other filters all of them move anyway.
 * @param filterKey identifies the filters
 * @returns ids of catalogue entries; undefined until the connections are known
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

interface ConnectedViewOptions {
  connections: readonly Connection[]
  connectedEntries: ConnectedEntries
}

/** The connected integrations that match a filter. Every connection counts, also one to a sandbox. */
function useConnectedView(
  filter: CatalogueFilter,
  { connections, connectedEntries }: ConnectedViewOptions,
): CatalogueView {
  const { entries, isLoading, error, retry } = connectedEntries
  const toolsAllowed = useToolsAllowed()
  const allCards = useMemo(
    () => buildCards(entries, connections, toolsAllowed).filter(hasConnection),
    [entries, connections, toolsAllowed],
  )
  const cards = useMemo(() => allCards.filter((card) => matchesFilter(card, filter)), [allCards, filter])
  return {
    cards,
    shownCount: cards.length,
    total: allCards.length,
    isLoading,
    isSearching: false,
    error,
    retry,
    nextPage: undefined,
  }
}

/** Whether a connected integration matches the filter. Its sign-in type is the one that it was connected with, as its card shows. */
function matchesFilter(
  { entry, connection, sandboxConnection }: CatalogueCard,
  { term, authType, provider }: CatalogueFilter,
): boolean {
  const connectedBy = (connection ?? sandboxConnection)?.auth_type ?? entry.auth_type
  if (authType !== undefined && connectedBy !== authType) return false
  if (!entry.provider.toLowerCase().includes(provider.toLowerCase())) return false
  const { name, description, config } = entry
  const texts = [name, description, entry.provider, ...config.features]
  const searchedText = [...texts, ...texts.map((text) => translateName(text))].join(' ')
  return searchedText.toLowerCase().includes(term.toLowerCase())
}

/** The catalogue entries of the connected integrations, as far as they are loaded. */
interface ConnectedEntries {
  entries: readonly RegistryEntry[]
  /** whether one of them is still missing */
  isLoading: boolean
  /** why one of them could not be loaded; one that is no longer in the catalogue is no error */
  error: Error | undefined
  /** loads again those that could not be loaded */
  retry: () => void
}

/** Lists the ids of the catalogue entries of the connected integrations, each once. */
const listConnectedIds = (connections: readonly Connection[]): readonly string[] => [
  ...new Set(connections.filter(isConnected).map(({ mcp_id }) => toEntryId(mcp_id))),
]

/** Loads the catalogue entries of the connected integrations, each by a request of its own. */
function useConnectedEntries(
  connections: readonly Connection[],
  { enabled }: { enabled: boolean },
): ConnectedEntries {
  const ids = useMemo(() => listConnectedIds(connections), [connections])
  return useQueries({
    queries: ids.map((id) => ({ ...entryQuery(id), enabled, retry: 1 })),
    combine: (results) => ({
      entries: results.map(({ data }) => data).filter((entry): entry is RegistryEntry => entry !== undefined),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error && !isNotFound(error))?.error ?? undefined,
      retry: () => results.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
    }),
  })
}

interface SearchViewOptions {
  enabled: boolean
  connections: readonly Connection[]
  connectedEntries: readonly RegistryEntry[]
  firstIds: ReadonlySet<string> | undefined
}

/** The integrations that match a filter, page by page. The whole catalogue begins with those of `firstIds`. */
function useSearchView(
  filter: CatalogueFilter,
  { enabled, connections, connectedEntries, firstIds }: SearchViewOptions,
): CatalogueView {
  const toolsAllowed = useToolsAllowed()
  const query = useInfiniteQuery({ ...catalogueQuery(filter), enabled })
  const pages = query.data?.pages
  const isWhole = isWholeCatalogue(filter)
  // it is fetched again and again until the service responds
  const isFallback = pages?.some((page) => page.isFallback) === true
  const cards = useMemo(() => {
    const firstEntries = isWhole ? connectedEntries.filter(({ id }) => firstIds?.has(id)) : []
    const foundEntries = pages?.flatMap(({ items }) => items) ?? []
    return buildCards([...firstEntries, ...foundEntries], connections, toolsAllowed)
  }, [isWhole, connectedEntries, firstIds, pages, connections, toolsAllowed])
  return {
    cards,
    shownCount: cards.filter(({ environment }) => environment === 'production').length,
    total: pages?.at(-1)?.total,
    isLoading: query.isPending,
    isSearching:
      query.isPlaceholderData ||
      (query.isFetching && !query.isFetchingNextPage && !query.isPending && !isFallback),
    error: query.isLoadingError ? query.error : undefined,
    retry: () => void query.refetch(),
    nextPage:
      query.hasNextPage && !query.isPlaceholderData
        ? {
            isLoading: query.isFetchingNextPage,
            error: query.isFetchNextPageError ? query.error : undefined,
            load: () => void query.fetchNextPage(),
          }
        : undefined,
  }
}
