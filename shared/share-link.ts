/**
 * The page that shows a shared conversation. The secret of the link follows in the fragment of its address, which browsers send to nobody: it
 * is in no log, in no Referer, and no crawler follows it.
 */
export const sharedPath = '/shared'

/** The address of a link. @param origin of the product */
export const buildShareAddress = (origin: string, secret: string) => `${origin}${sharedPath}#${secret}`

/** @param headers of every page. @returns those of the page of shared conversations, which no search engine may list */
export const sharedPageHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...headers,
  'x-robots-tag': 'noindex, nofollow, noarchive',
})

/** Whether a path is that page's, as the distribution tells it apart (`/shared*`). */
export const isSharedPath = (pathname: string) => pathname.startsWith(sharedPath)
