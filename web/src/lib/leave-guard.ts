import { useCallback, useEffect, useState } from 'react'

interface Guard {
  /** Asks the user, and calls `leave` once they agree. */
  ask: (leave: () => void) => void
  /** whether leaving for a page loses nothing */
  outlives: (pathname: string) => boolean
}

const guards = new Set<Guard>()

const guardAgainst = (pathname: string | undefined): Guard | undefined =>
  [...guards].findLast(({ outlives }) => pathname === undefined || !outlives(pathname))

/**
 * Leaves the page, a conversation or the session: at once, or after the user agreed to lose what leaving would lose.
 * @param pathname of the page to go to; absent where the session ends
 */
export function requestLeave(leave: () => void, pathname?: string): void {
  const guard = guardAgainst(pathname)
  if (guard) guard.ask(leave)
  else leave()
}

export const isLeaveGuarded = (pathname: string): boolean => guardAgainst(pathname) !== undefined

const never = () => false

/**
 * Asks before something on the page is lost: on the page's own links, on the browser's Back, on closing the page.
 * @param active whether there is something to lose
 * @param outlives whether what would be lost outlives going to another page; must stay the same
 * @returns `asking` while the user has not decided
 */
export function useLeaveGuard(active: boolean, outlives: Guard['outlives'] = never) {
  const [pending, setPending] = useState<() => void>()

  useEffect(() => {
    if (!active) return
    const guard: Guard = { ask: (leave) => setPending(() => leave), outlives }
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(guard)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(guard)
      removeEventListener('beforeunload', warn)
      setPending(undefined)
    }
  }, [active, outlives])

  const stay = useCallback(() => setPending(undefined), [])
  const leave = useCallback(() => {
    setPending(undefined)
    pending?.()
  }, [pending])
  return { asking: pending !== undefined, stay, leave }
}

/**
 * Whether a reload that nobody asked for loses nothing. Asks what a reload by hand would ask, so that both spare the same.
 */
export function canReloadUnasked(): boolean {
  return dispatchEvent(new Event('beforeunload', { cancelable: true }))
}
