import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import type { RegistryEntry, RegistryPage } from '#shared/contracts/registry.ts'
import { registryPageSize } from '../../../lib/browser/limits.ts'
import { dedupe, createRegistryIndex } from '#shared/registry-search.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { longLivedOptions } from './integrations-query.ts'
import { cacheFirstPage, readCachedFirstPage } from './catalogue-cache.ts'

/** How long the results of a search are used again. The whole catalogue is kept longer (`longLivedOptions`). */
const searchStaleMs = 10 * 60_000
/** How long a search waits before its only retry. */
const searchRetryMs = 5_000
/** How soon the page shows that a sync, which takes minutes, has ended, or that the service responds again. */
const statusPollMs = 30_000

/** The service caches the catalogue for a second. For this long after a sync, lists are requested without that cache. */
const uncachedAfterSyncMs = 5_000
let syncedAtMs = Number.NEGATIVE_INFINITY
/** Makes the next lists bypass the cache of the service. Call it when a sync has ended. */
export const noteSync = (): void => {
  syncedAtMs = performance.now()
}

/** What the service searches the catalogue by. */
export interface CatalogueFilter {
  /** trimmed; empty for all entries */
  term: string
  authType: AuthType | undefined
  /** trimmed; part of the provider's name, empty for all */
  provider: string
}

/** The filter that all entries pass. */
export const wholeCatalogue: CatalogueFilter = { term: '', authType: undefined, provider: '' }

/** Whether all entries pass the filter. */
export const isWholeCatalogue = ({ term, authType, provider }: CatalogueFilter): boolean =>
  term === '' && authType === undefined && provider === ''

/** The catalogue or the results of a search, in pages. */
export const catalogueQuery = ({ term, authType, provider }: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: ['registry', 'entries', term, authType ?? 'all', provider],
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      // searches are retried once before the fallback
      const isLastTry = term === '' || (client.getQueryState(queryKey)?.fetchFailureCount ?? 0) > 0
      return fetchPage({ term, authType, provider }, { page: pageParam, isLastTry }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
    ...longLivedOptions,
    // once it is older than a day, or than ten minutes for a search
    refetchOnMount: true,
    // polls until the service responds
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.isFallback) ? statusPollMs : false,
    retry: 1,
    ...(term !== '' && { staleTime: searchStaleMs, gcTime: searchStaleMs, retryDelay: searchRetryMs }),
  })

/** A page of the catalogue from the service, or from the fallback in this browser. */
type CataloguePage = RegistryPage & { isFallback?: true }

async function fetchPage(
  filter: CatalogueFilter,
  { page, isLastTry }: { page: number; isLastTry: boolean },
  signal: AbortSignal,
): Promise<CataloguePage> {
  const { term, authType, provider } = filter
  const query = {
    page,
    limit: registryPageSize,
    ...(authType && { auth_type: authType }),
    ...(provider && { provider }),
    ...(performance.now() - syncedAtMs < uncachedAfterSyncMs && { fresh: true as const }),
  }
  try {
    if (term !== '') return await callApi('registry.search', { query: { term, ...query } }, { signal })
    const response = await callApi('registry.page', { query }, { signal })
    if (page === 1 && isWholeCatalogue(filter)) cacheFirstPage(response)
    return response
  } catch (error) {
    // later pages have no fallback: retry the service
    if (page > 1 || !isLastTry || !isServiceError(error)) throw error
    const entries = await loadFallback()
    if (entries.length === 0) throw error
    const items = createRegistryIndex(entries)({ term, provider, auth_type: authType })
    return { items, total: items.length, hasMore: false, page, isFallback: true }
  }
}

/** The catalogue without the service: the cached first page and the built-in entries. */
async function loadFallback(): Promise<readonly RegistryEntry[]> {
  const cached = readCachedFirstPage()?.items ?? []
  try {
    const { default: builtIn } = await import('virtual:built-in-catalogue')
    return dedupe(cached, builtIn)
  } catch {
    // offline, only the cached page is available
    return cached
  }
}

/** No response, or a server error. */
function isServiceError(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && error.status >= 500)
}

/** The age of the catalogue, polled while the page is open. */
export const syncStatusQuery = queryOptions({
  queryKey: ['registry', 'status'],
  queryFn: ({ signal }) => callApi('registry.status', {}, { signal }),
  refetchInterval: statusPollMs,
})

/** One entry of the catalogue, from the fallback if the service does not respond. */
export const entryQuery = (entryId: string) =>
  queryOptions({
    queryKey: ['registry', 'entry', entryId],
    queryFn: async ({ signal }) => {
      try {
        return (await callApi('registry.one', { params: { entryId } }, { signal })).entry
      } catch (error) {
        const fallbackEntry = isServiceError(error) && (await loadFallback()).find(({ id }) => id === entryId)
        if (!fallbackEntry) throw error
        return fallbackEntry
      }
    },
    ...longLivedOptions,
    refetchOnMount: true,
  })

/** The user's custom tool servers. */
export const customToolsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['custom-tools', userId],
    queryFn: async ({ signal }) => (await callApi('customTools.list', {}, { signal })).tools,
  })
