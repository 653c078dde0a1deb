import { useLayoutEffect, useState } from 'react'
import { createStore } from '../browser/create-store.ts'

/** Opens the dialog of a guard, which calls `leave` if the user agrees. */
type Ask = (leave: () => void) => void

/** The active guards of `useLeaveGuard`, each with a dialog of its own. The newest asks. */
const guards = new Set<Ask>()
/** Inputs on the page with unsaved changes. One dialog (`UnsavedDialog`) asks for all of them, where no guard is active. */
export const unsavedInputs = new Set<{ discard: () => void }>()

/** The state of that dialog: whether there are unsaved inputs, and the navigation that waits for the user's decision. */
export const unsavedState = createStore<{ isUnsaved: boolean; leave?: () => void }>({ isUnsaved: false })

/**
 * Leaves at once, or after the user has agreed to lose unsaved work.
 * @param leave navigates, shows another conversation or signs out
 */
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
 * @param isActive whether there is unsaved work
 * @returns for the dialog: `isAsking` while the user has not decided, `leave` goes on and loses the work, `stay` closes the dialog
 */
export function useLeaveGuard(isActive: boolean) {
  const [shownLeave, setShownLeave] = useState<() => void>()

  // a layout effect: a page that has just disappeared must not ask any more when the user presses Back
  useLayoutEffect(() => {
    if (!isActive) return
    const ask: Ask = (leave) => setShownLeave(() => leave)
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(ask)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(ask)
      removeEventListener('beforeunload', warn)
      setShownLeave(undefined)
    }
  }, [isActive])

  const stay = () => setShownLeave(undefined)
  const leave = () => {
    stay()
    shownLeave?.()
  }
  return { isAsking: shownLeave !== undefined, stay, leave }
}
