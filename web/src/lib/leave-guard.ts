import { useCallback, useLayoutEffect, useState } from 'react'

/** Asks the user, and calls `leave` if they agree. */
type Ask = (leave: () => void) => void

const guards = new Set<Ask>()

/** Leaves the page or the conversation, or signs out: at once, or after the user has agreed to lose unsaved work. */
export function requestLeave(leave: () => void): void {
  const ask = [...guards].at(-1)
  if (ask) ask(leave)
  else leave()
}

/** Whether leaving would ask the user first. */
export const isLeaveGuarded = (): boolean => guards.size > 0

/**
 * Asks before unsaved work is lost: on links, on the browser's Back button, on closing the page.
 * @param active whether there is unsaved work
 * @returns `isAsking` while the user has not decided
 */
export function useLeaveGuard(active: boolean) {
  const [pendingLeave, setPendingLeave] = useState<() => void>()

  // a layout effect: a page that has just disappeared must not ask any more when the user presses Back
  useLayoutEffect(() => {
    if (!active) return
    const ask: Ask = (leave) => setPendingLeave(() => leave)
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(ask)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(ask)
      removeEventListener('beforeunload', warn)
      setPendingLeave(undefined)
    }
  }, [active])

  const stay = useCallback(() => setPendingLeave(undefined), [])
  const leave = useCallback(() => {
    setPendingLeave(undefined)
    pendingLeave?.()
  }, [pendingLeave])
  return { isAsking: pendingLeave !== undefined, stay, leave }
}
