import { unsavedInputs, unsavedState } from './leave-guard.ts'
import { canReloadSilently } from './reload-page.ts'

/** The user has agreed to lose what is not saved: the browser need not ask again. */
let isReloading = false
addEventListener('beforeunload', (event) => isReloading && event.stopImmediatePropagation(), true)

/** Reloads the page: at once, or after the user has agreed to lose what is not saved or uploaded. */
export function requestReload(reload: () => void): void {
  const leave = () => {
    isReloading = navigator.onLine
    reload()
  }
  if (canReloadSilently()) leave()
  else unsavedState.setState({ isUnsaved: unsavedInputs.size > 0, leave })
}
