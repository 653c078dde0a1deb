/**
 * The page that shows a shared conversation. The secret of the link follows in the fragment of its address, which browsers send to nobody: it
 * is in no log, in no Referer, and no crawler follows it.
 */
export const sharedPath = '/shared'

/** The address of a link. @param origin of the product */
export const buildShareAddress = (origin: string, secret: string) => `${origin}${sharedPath}#${secret}`

/** Whether a path is that page's, also in another spelling, such as `/SHARED` or `//%73hared`. */
export function isSharedPath(pathname: string): boolean {
  let decoded = pathname
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    // what cannot be decoded is compared as it is
  }
  return decoded.replace(/^\/+/, '/').toLowerCase().startsWith(sharedPath)
}
