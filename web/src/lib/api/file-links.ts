import { queryOptions, skipToken } from '@tanstack/react-query'
import { callApi } from './call-api.ts'

/** The service's links are valid for at least an hour; refreshed well before that. */
const freshMs = 30 * 60_000

/** Fresh links to one of the user's stored files. @param version of a file that the assistant has made; else the newest */
export const fileLinkQuery = (attachmentId: string, version?: number) =>
  queryOptions({
    queryKey: ['file-link', attachmentId, ...(version === undefined ? [] : [version])],
    queryFn: ({ signal }) =>
      callApi(
        'files.link',
        { params: { attachmentId }, query: version === undefined ? {} : { version } },
        { signal },
      ),
    staleTime: freshMs,
    gcTime: freshMs,
  })

/**
 * The link with which a file is displayed: the first one that this page received, until nothing has displayed it for half an hour. Each
 * instance of a function signs with its own credentials, so every response has a different link to the same content, and the browser would
 * load it again. The link may have expired by then: who displays it has to remove the query when it fails.
 * @param link of the newest response
 */
export const shownLinkQuery = (attachmentId: string, link: string | undefined) =>
  queryOptions({
    queryKey: ['shown-link', attachmentId],
    queryFn: skipToken,
    initialData: link,
    staleTime: Infinity,
    gcTime: freshMs,
  })
