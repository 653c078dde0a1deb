import { infiniteQueryOptions } from '@tanstack/react-query'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { callApi } from '../../lib/api/call-api.ts'

/** A file of the list, with where it is used. */
export type ListedFile = RouteResponse<'files.list'>['attachments'][number]

/** How many files are loaded at once: more than a screen shows. */
const pageSize = 50

/** The user's files by name, page by page. Not cached: deleting a conversation deletes files too. */
export const filesQuery = infiniteQueryOptions({
  queryKey: ['files'],
  queryFn: ({ pageParam, signal }) =>
    callApi('files.list', { query: { limit: pageSize, offset: pageParam } }, { signal }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => {
    const loadedCount = pages.reduce((sum, { attachments }) => sum + attachments.length, 0)
    return last.attachments.length > 0 && loadedCount < last.total ? loadedCount : undefined
  },
  gcTime: 0,
})
