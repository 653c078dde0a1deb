import { useLayoutEffect, useState } from 'react'
import { createStore } from './create-store.ts'

/** Asks the user, and calls `leave` if they agree. */
type Ask = (leave: () => void) => void

const guards = new Set<Ask>()
/** What is shown and leaving would lose. */
export const unsavedInputs = new Set<{ discard: () => void }>()

/** Whether leaving would lose an input, and what waits for the user's decision about that. The page asks once, for all inputs. */
export const unsavedState = createStore<{ isUnsaved: boolean; leave?: () => void }>({ isUnsaved: false })

/** Leaves the page or the conversation, or signs out: at once, or after the user has agreed to lose unsaved work. */
export function requestLeave(leave: () => void): void {
  const ask = [...guards].at(-1)
  if (ask) ask(leave)
  else if (unsavedInputs.size > 0) unsavedState.setState({ isUnsaved: true, leave })
  else leave()
}

/** Whether leaving would ask the user first. */
export const isLeaveGuarded = (): boolean => guards.size > 0 || unsavedInputs.size > 0

/**
 * Asks before unsaved work is lost: on links, on the browser's Back button, on closing the page.
 * @param active whether there is unsaved work
 * @returns `isAsking` while the user has not decided
 */
export function useLeaveGuard(active: boolean) {
  const [shownLeave, setShownLeave] = useState<() => void>()

  useLayoutEffect(() => {
    if (!active) return
    const ask: Ask = (leave) => setShownLeave(() => leave)
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(ask)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(ask)
      removeEventListener('beforeunload', warn)
      setShownLeave(undefined)
    }
  }, [active])

  const stay = () => setShownLeave(undefined)
  const leave = () => {
    stay()
    shownLeave?.()
  }
  return { isAsking: shownLeave !== undefined, stay, leave }
}
