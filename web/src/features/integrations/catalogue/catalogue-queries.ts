import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuthType, RegistryEntry, RegistryPage } from '#shared/contracts/registry.ts'
import { registryPageSize } from '#shared/limits.ts'
import { dedupe, registryIndex } from '#shared/registry-search.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { fresh } from '../state/integrations-query.ts'
import { keepFirstPage, keptFirstPage } from './catalogue-cache.ts'

/** REG-17, LIM-20 */
const searchFreshMs = 10 * 60_000
/** REG-19, LIM-20 */
const searchRetryMs = 5_000
/** REG-26, LIM-17 */
const statusPollMs = 30_000

export interface CatalogueFilter {
  /** trimmed; empty for the whole catalogue */
  term: string
  authType: AuthType | undefined
  /** trimmed; a part of the provider's name, empty for all */
  provider: string
}

/** The catalogue, or what a search finds in it, page by page of 20 (INT-32, REG-21, REG-22). */
export const catalogueQuery = ({ term, authType, provider }: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: ['registry', 'entries', term, authType ?? 'all', provider],
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      // a search that fails is tried once more first
      const isLastTry = term === '' || (client.getQueryState(queryKey)?.fetchFailureCount ?? 0) > 0
      return readPage({ term, authType, provider }, { page: pageParam, isLastTry }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
    ...fresh,
    // the service is asked again until it answers
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.isFallback) ? statusPollMs : false,
    ...(term !== '' && {
      staleTime: searchFreshMs,
      refetchOnMount: true,
      gcTime: searchFreshMs,
      retry: 1,
      retryDelay: searchRetryMs,
    }),
    ...(term === '' && { retry: 1 }),
  })

/** A page of the catalogue, from the service or, in its place, from what this browser has. */
type CataloguePage = RegistryPage & { isFallback?: true }

async function readPage(
  { term, authType, provider }: CatalogueFilter,
  { page, isLastTry }: { page: number; isLastTry: boolean },
  signal: AbortSignal,
): Promise<CataloguePage> {
  const query = {
    page,
    limit: registryPageSize,
    ...(authType && { auth_type: authType }),
    ...(provider && { provider }),
  }
  const isFirst = page === 1 && term === '' && authType === undefined && provider === ''
  try {
    if (term !== '') return await callApi('registry.search', { query: { term, ...query } }, { signal })
    const answer = await callApi('registry.page', { query }, { signal })
    if (isFirst) keepFirstPage(answer)
    return answer
  } catch (error) {
    // whoever has seen a page of the service asks it for the next one again
    if (page > 1 || !isLastTry || !isFault(error)) throw error
    const entries = await loadFallback()
    if (entries.length === 0) throw error
    const items = registryIndex(entries)({ term, provider, auth_type: authType })
    return { items, total: items.length, hasMore: false, page, isFallback: true }
  }
}

/** What this browser has of the catalogue without the service: what was seen last, and the built-in entries. */
async function loadFallback(): Promise<readonly RegistryEntry[]> {
  const seen = keptFirstPage()?.items ?? []
  try {
    const { default: builtIn } = await import('virtual:built-in-catalogue')
    return dedupe(seen, builtIn)
  } catch {
    // without a connection only what was seen is there
    return seen
  }
}

/** Not the caller's fault: no answer, or a failure over there. */
function isFault(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

/** How old the catalogue is, asked every 30 s while the page is open. */
export const syncStatusQuery = queryOptions({
  queryKey: ['registry', 'status'],
  queryFn: ({ signal }) => callApi('registry.status', {}, { signal }),
  refetchInterval: statusPollMs,
})

/** One entry by its id. */
export const entryQuery = (entryId: string) =>
  queryOptions({
    queryKey: ['registry', 'entry', entryId],
    queryFn: async ({ signal }) => {
      try {
        return (await callApi('registry.one', { params: { entryId } }, { signal })).entry
      } catch (error) {
        const known = isFault(error) && (await loadFallback()).find(({ id }) => id === entryId)
        if (!known) throw error
        return known
      }
    },
    ...fresh,
    refetchOnMount: true,
  })

/** The user's own tool servers. */
export const customToolsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['custom-tools', userId],
    queryFn: async ({ signal }) => (await callApi('customTools.list', {}, { signal })).tools,
  })
