import { unsavedState } from './leave-guard.ts'
import { canReloadSilently } from './reload-page.ts'

/** On the window itself, where `capture` puts a listener before those that make the browser ask. */
const first = { capture: true, once: true } as const
const silence = (event: Event) => event.stopImmediatePropagation()

/**
 * Reloads the page: at once, or after the user has agreed to lose what is not saved or uploaded.
 * @param reload may do something else first, such as storing a choice
 */
export function requestReload(reload: () => void): void {
  if (canReloadSilently()) return reload()
  const leave = () => {
    // the user has agreed: the browser need not ask again. Offline no reload follows, and the next question counts
    if (navigator.onLine) addEventListener('beforeunload', silence, first)
    reload()
  }
  unsavedState.setState({ isUnsaved: true, leave })
}
