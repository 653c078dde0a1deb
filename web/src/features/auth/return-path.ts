/** What a guard leaves in the history for the sign-in page. */
export interface ReturnState {
  from: string
}

/**
 * Where to go after signing in: the page that asked for it, else the main screen. Only paths of this origin count, and never
 * the sign-in page itself.
 * @param state the history entry's state, which anything may have written
 */
export function toReturnPath(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined
  if (typeof from !== 'string' || !from.startsWith('/')) return '/'
  if (!URL.canParse(from, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(from, location.origin)
  // a path of two slashes would be read as another host
  const foreign = origin !== location.origin || pathname.startsWith('//')
  return foreign || pathname === '/auth' ? '/' : pathname + search + hash
}
