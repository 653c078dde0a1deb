import { canReloadSilently } from './leave-guard.ts'
import { readStored, writeStored } from './storage.ts'

const reloadedKey = 'juno.reloaded-for'

/** Does nothing while the browser is offline, because the reload would fail. */
export function reloadPage(): void {
  if (navigator.onLine) location.reload()
}

/**
 * Reloads the page after the import of a script has failed, once per reason, unless unsaved work would be lost. Another import does not help:
 * browsers remember a failed import as long as the page is open, and after a deployment the script no longer exists.
 */
export function reloadOnce(reason: string): void {
  if (!navigator.onLine || readStored('session', reloadedKey) === reason || !canReloadSilently()) return
  // without the stored reason the page could reload forever
  if (writeStored('session', reloadedKey, reason)) reloadPage()
}
