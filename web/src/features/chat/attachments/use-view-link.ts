import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { isNotFound } from '../../../lib/api-errors.ts'
import { fileLinkQuery, shownLinkQuery } from '../../../lib/file-links.ts'

/**
 * The link that shows a file. When it fails, a new one is fetched once, because it may have expired while the page was open.
 * @returns `src`: undefined while there is none yet; `isUnavailable`: neither link works; `isGone`: the file no longer exists
 */
export function useViewLink({ id, type, url, previewUrl }: Attachment) {
  const queryClient = useQueryClient()
  // the original of a GIF, because its copy is not animated
  const chooseLink = (links: Pick<Attachment, 'url' | 'previewUrl'>) =>
    type === 'image/gif' ? (links.url ?? links.previewUrl) : (links.previewUrl ?? links.url)
  const shownLink = shownLinkQuery(id, chooseLink({ url, previewUrl }))
  const { data: initialUrl } = useQuery(shownLink)
  const [failedUrl, setFailedUrl] = useState<string>()
  const { data, error } = useQuery({
    ...fileLinkQuery(id),
    enabled: initialUrl === undefined || failedUrl === initialUrl,
  })
  const freshUrl = data && chooseLink(data)
  const src = initialUrl !== undefined && failedUrl !== initialUrl ? initialUrl : freshUrl
  // an error alone tells nothing: a download has asked for a link, too, while the first one works
  const isUnavailable =
    (src === undefined && error !== null) || (freshUrl !== undefined && failedUrl === freshUrl)
  const onError = () => {
    queryClient.removeQueries({ queryKey: shownLink.queryKey })
    setFailedUrl(src)
  }
  return { src, isUnavailable, isGone: isNotFound(error), onError }
}
