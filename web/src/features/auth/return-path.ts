import { sharedPath } from '#shared/share-link.ts'

/** Whether signing in leads to a shared conversation. Those that anyone may open do not lead to the sign-in page. */
export const leadsToShared = (returnPath: string): boolean =>
  new RegExp(`^${sharedPath}/?(?:[?#]|$)`, 'i').test(returnPath)

/**
 * Where to go after signing in: the page that required it, otherwise the main screen. Only paths of this origin are accepted, and not the
 * sign-in page, however the router accepts to have it written.
 * @param state the history entry's state, which anything may have written
 */
export function toReturnPath(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  if (typeof from !== 'string' || !from.startsWith('/')) return '/'
  if (!URL.canParse(from, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(from, location.origin)
  // a path that starts with two slashes names another host
  const isForeign = origin !== location.origin || pathname.startsWith('//')
  return isForeign || /^\/auth\/?$/i.test(pathname) ? '/' : pathname + search + hash
}
