import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useEffect, useState } from 'react'
import type { Integration } from '#shared/contracts/integrations.ts'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { catalogueCards, entryIdOf, type CatalogueCard } from './catalogue-cards.ts'
import type { Filters } from './catalogue-filters.tsx'
import { catalogueQuery, entryQuery, type CatalogueFilter } from './catalogue-queries.ts'
import { integrationsQuery } from '../state/integrations-query.ts'

const none: readonly Integration[] = []

/** What the page shows for its filters: cards, counts, and what is going on. */
export function useCatalogue(userId: string, filters: Filters) {
  const term = useDebounced(filters.text.trim(), searchDebounceMs)
  const provider = useDebounced(filters.provider.trim(), searchDebounceMs)
  const connections = useQuery(integrationsQuery(userId))
  const rows = useDebounced(connections.data ?? none, statusDebounceMs)
  const whole = useInfiniteQuery(catalogueQuery({ term: '', authType: undefined, provider: '' }))
  const found = useInfiniteQuery({
    ...catalogueQuery({ term, authType: filters.authType, provider }),
    enabled: !filters.connectedOnly,
  })
  const connected = useConnectedEntries(rows, filters.connectedOnly)

  const cards = useMemo(() => {
    const all = catalogueCards(
      filters.connectedOnly ? connected.entries : (found.data?.pages.flatMap((page) => page.items) ?? []),
      rows,
    )
    return filters.connectedOnly
      ? all.filter((card) => isShown(card, { term, authType: filters.authType, provider }))
      : all
  }, [connected.entries, found.data, rows, filters.connectedOnly, filters.authType, term, provider])

  const last = found.data?.pages.at(-1)
  const typing = term !== filters.text.trim() || provider !== filters.provider.trim()
  return {
    term,
    provider,
    cards,
    connections,
    /** INT-04: without sandbox cards (DEC-059) */
    available: whole.data?.pages[0]?.total,
    total: filters.connectedOnly ? connected.entries.length : last?.total,
    /** nothing can be shown yet */
    loading: filters.connectedOnly ? connections.isPending || connected.loading : found.isPending,
    /** INT-11 */
    searching: filters.connectedOnly
      ? typing
      : (typing || found.isPlaceholderData || (found.isFetching && !found.isFetchingNextPage)) &&
        !found.isPending,
    hasMore: !filters.connectedOnly && found.hasNextPage && !found.isPlaceholderData,
    loadingMore: found.isFetchingNextPage,
    loadMore: () => void found.fetchNextPage(),
  }
}

function isShown(
  { entry, integration }: CatalogueCard,
  { term, authType, provider }: CatalogueFilter,
): boolean {
  if (integration?.status !== 'connected') return false
  if (authType !== undefined && entry.auth_type !== authType) return false
  if (!entry.provider.toLowerCase().includes(provider.toLowerCase())) return false
  const text = `${entry.name} ${entry.description} ${entry.provider} ${entry.config.features.join(' ')}`
  return text.toLowerCase().includes(term.toLowerCase())
}

/** The entries of what is connected, wherever in the catalogue they stand. */
function useConnectedEntries(rows: readonly Integration[], enabled: boolean) {
  const ids = useMemo(
    () => [...new Set(rows.filter((row) => row.status === 'connected').map((row) => entryIdOf(row.mcp_id)))],
    [rows],
  )
  return useQueries({
    queries: ids.map((id) => ({ ...entryQuery(id), enabled, retry: 1 })),
    combine: (answers) => ({
      entries: answers.map(({ data }) => data).filter((entry): entry is RegistryEntry => entry !== undefined),
      loading: answers.some(({ isPending }) => isPending),
    }),
  })
}

/** REG-18, LIM-20 */
export const searchDebounceMs = 500
/** REG-20, LIM-20 */
export const statusDebounceMs = 100

/** A value once it has been quiet for a while; the first one at once. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
