import { useLayoutEffect } from 'react'
import { unsavedInputs, unsavedState } from './leave-guard.ts'

addEventListener('beforeunload', (event) => {
  if (unsavedInputs.size > 0) event.preventDefault()
})

/**
 * Asks before leaving while an input has unsaved changes.
 * @param discard resets the changes, after the user has agreed; must be stable
 */
export function useUnsaved(isUnsaved: boolean, discard: () => void): void {
  // a layout effect: a page that has just disappeared must not ask any more when the user presses Back
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const input = { discard }
    unsavedInputs.add(input)
    if (!unsavedState.getState().isUnsaved) unsavedState.setState({ isUnsaved: true })
    return () => {
      unsavedInputs.delete(input)
      if (unsavedInputs.size === 0) unsavedState.setState({ isUnsaved: false })
    }
  }, [isUnsaved, discard])
}
