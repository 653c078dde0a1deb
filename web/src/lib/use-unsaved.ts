import { useLayoutEffect } from 'react'
import { unsavedInputs, unsavedState } from './leave-guard.ts'

addEventListener('beforeunload', (event) => {
  if (unsavedInputs.size > 0) event.preventDefault()
})

const nothing = () => undefined

/**
 * Asks before leaving while a component has unsaved changes. `useInput` does so for texts by itself.
 * @param discard resets the changes, after the user has agreed; must be stable
 */
export function useUnsaved(isUnsaved: boolean, discard: () => void = nothing): void {
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
