import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** Links are valid for at least an hour; refreshed well before that. */
const freshMs = 30 * 60_000

/** Fresh links to one of the user's stored files. */
export const fileLinkQuery = (attachmentId: string) =>
  queryOptions({
    queryKey: ['file-link', attachmentId],
    queryFn: ({ signal }) => callApi('files.link', { params: { attachmentId } }, { signal }),
    staleTime: freshMs,
    gcTime: freshMs,
  })
