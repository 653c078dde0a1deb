import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { buildCards } from '../state/catalogue-cards.ts'
import { type CatalogueFilter, catalogueQuery, isWholeCatalogue } from '../state/catalogue-queries.ts'
import type { CatalogueView } from './catalogue-view.ts'

interface SearchViewOptions {
  enabled: boolean
  connections: readonly Connection[]
  connectedEntries: readonly RegistryEntry[]
  firstIds: ReadonlySet<string> | undefined
}

/** The integrations that match a filter, page by page. The whole catalogue begins with those of `firstIds`. */
export function useSearchView(
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
