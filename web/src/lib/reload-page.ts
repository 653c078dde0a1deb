import { canReloadSilently } from './leave-guard.ts'
import { readStored, writeStored } from './storage.ts'

const reloadedKey = 'juno.reloaded-for'

/** Not while the browser is offline: nothing would take the place of the page. */
export function reloadPage(): void {
  if (navigator.onLine) location.reload()
}

/**
 * Loads the page again after the import of a script has failed, once for each reason, unless that would lose something. Browsers remember the
 * failure as long as the page is open, so that no other attempt helps: neither after a moment without a connection nor after a deployment,
 * which has other scripts.
 */
export function reloadOnce(reason: string): void {
  if (!navigator.onLine || readStored('session', reloadedKey) === reason || !canReloadSilently()) return
  // without it the page could reload forever
  if (writeStored('session', reloadedKey, reason)) reloadPage()
}
