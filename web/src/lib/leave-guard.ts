import { useCallback, useEffect, useState } from 'react'

/** Asks the user, and calls `leave` once they agree. */
type Ask = (leave: () => void) => void

const guards = new Set<Ask>()

/** Leaves the page, a conversation or the session: at once, or after the user agreed to lose what leaving would lose. */
export function requestLeave(leave: () => void): void {
  const ask = [...guards].at(-1)
  if (ask) ask(leave)
  else leave()
}

export const isLeaveGuarded = (): boolean => guards.size > 0

/**
 * Asks before something on the page is lost: on the page's own links, on the browser's Back, on closing the page.
 * @param active whether there is something to lose
 * @returns `asking` while the user has not decided
 */
export function useLeaveGuard(active: boolean) {
  const [pending, setPending] = useState<() => void>()

  useEffect(() => {
    if (!active) return
    const ask: Ask = (leave) => setPending(() => leave)
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(ask)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(ask)
      removeEventListener('beforeunload', warn)
      setPending(undefined)
    }
  }, [active])

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
