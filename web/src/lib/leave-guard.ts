import { useCallback, useLayoutEffect, useState } from 'react'

interface Guard {
  /** Asks the user, and calls `leave` if they agree. */
  ask: (leave: () => void) => void
  /** whether leaving for a page loses nothing */
  allows: (pathname: string) => boolean
}

const guards = new Set<Guard>()

const findGuard = (pathname: string | undefined): Guard | undefined =>
  [...guards].findLast(({ allows }) => pathname === undefined || !allows(pathname))

/**
 * Leaves the page or the conversation, or signs out: at once, or after the user has agreed to lose unsaved
 * work.
 * @param pathname of the next page; absent when signing out
 */
export function requestLeave(leave: () => void, pathname?: string): void {
  const guard = findGuard(pathname)
  if (guard) guard.ask(leave)
  else leave()
}

/** Whether leaving for a page would ask the user first. */
export const isLeaveGuarded = (pathname: string): boolean => findGuard(pathname) !== undefined

const allowsNothing = () => false

/**
 * Asks before unsaved work is lost: on links, on the browser's Back button, on closing the page.
 * @param active whether there is unsaved work
 * @param allows whether the work survives going to another page; must be a stable function
 * @returns `isAsking` while the user has not decided
 */
export function useLeaveGuard(active: boolean, allows: Guard['allows'] = allowsNothing) {
  const [pendingLeave, setPendingLeave] = useState<() => void>()

  // a layout effect: a page that has just disappeared must not ask any more when the user presses Back
  useLayoutEffect(() => {
    if (!active) return
    const guard: Guard = { ask: (leave) => setPendingLeave(() => leave), allows }
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(guard)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(guard)
      removeEventListener('beforeunload', warn)
      setPendingLeave(undefined)
    }
  }, [active, allows])

  const stay = useCallback(() => setPendingLeave(undefined), [])
  const leave = useCallback(() => {
    setPendingLeave(undefined)
    pendingLeave?.()
  }, [pendingLeave])
  return { isAsking: pendingLeave !== undefined, stay, leave }
}
