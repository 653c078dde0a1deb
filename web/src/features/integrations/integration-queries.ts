import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuthType, RegistryPage } from '#shared/contracts/registry.ts'
import { registryPageSize } from '#shared/limits.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { fresh } from './user-integrations.ts'
import { keepFirstPage, keptFirstPage } from './kept-catalogue.ts'

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
}

/** The catalogue, or what a search finds in it, page by page of 20 (INT-32, REG-21, REG-22). */
export const catalogueQuery = ({ term, authType }: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: ['registry', 'entries', term, authType ?? 'all'],
    queryFn: ({ pageParam, signal }) => readPage({ term, authType }, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
    ...fresh,
    ...(term !== '' && {
      staleTime: searchFreshMs,
      refetchOnMount: true,
      gcTime: searchFreshMs,
      retry: 1,
      retryDelay: searchRetryMs,
    }),
    ...(term === '' && { retry: 1 }),
  })

async function readPage({ term, authType }: CatalogueFilter, page: number, signal: AbortSignal) {
  const query = { page, limit: registryPageSize, ...(authType && { auth_type: authType }) }
  if (term !== '') return callApi('registry.search', { query: { term, ...query } }, { signal })
  const first = page === 1 && authType === undefined
  try {
    const answer = await callApi('registry.page', { query }, { signal })
    if (first) keepFirstPage(answer)
    return answer
  } catch (error) {
    // REG-39: what was seen last is better than nothing
    const kept: RegistryPage | undefined = first && isFault(error) ? keptFirstPage() : undefined
    if (!kept) throw error
    return kept
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
    queryFn: async ({ signal }) => (await callApi('registry.one', { params: { entryId } }, { signal })).entry,
    ...fresh,
    refetchOnMount: true,
  })

/** The user's own tool servers. */
export const customToolsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['custom-tools', userId],
    queryFn: async ({ signal }) => (await callApi('customTools.list', {}, { signal })).tools,
  })
