import { readStoredJson, writeStored } from './storage.ts'

const reloadsKey = 'juno.reloaded-for'

/** The reload waits this long: a page that is being left is gone by then. */
const reloadDelayMs = 1_000

/**
 * For how long `beforeunload` explains a failed import: Firefox and Safari reject pending imports when the user leaves. A page that is
 * there for longer was not left: the link was a download, or the user stayed.
 */
const leavingMs = 10_000

/** How long the page waits between reloads for failures without a file name: Safari does not tell which file failed. */
const unnamedPauseMs = 5 * 60_000
const unnamedFile = ''

let leftAtMs = -Infinity
const failedFiles = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Whether an automatic reload would lose nothing. Dispatches `beforeunload`, so that it respects the same guards as a manual reload.
 */
export function canReloadSilently(): boolean {
  const leftBeforeMs = leftAtMs
  const canReload = dispatchEvent(new Event('beforeunload', { cancelable: true }))
  // the user does not leave by that
  leftAtMs = leftBeforeMs
  return canReload
}

/** Does nothing while the browser is offline, because the reload would fail. */
export function reloadPage(): void {
  if (navigator.onLine) location.reload()
}

/** Reloads the page when a script or style cannot be loaded, such as after a deployment, but never while the user leaves it. */
export function watchFailedImports(): void {
  const noteLeaving = () => {
    leftAtMs = Date.now()
  }
  addEventListener('beforeunload', noteLeaving)
  addEventListener('pagehide', noteLeaving)
  addEventListener('vite:preloadError', ({ payload }) => reloadOnce(payload.message))
}

/**
 * Reloads the page after the import of a file has failed, once per file, unless unsaved work would be lost. Another import does not help:
 * browsers remember a failed import as long as the page is open, and after a deployment the file no longer exists.
 * @param message the error's message, which names the file in most browsers
 */
export function reloadOnce(message: string): void {
  if (isLeaving()) return
  failedFiles.add(message.split(/\s/).find((word) => word.includes('/')) ?? unnamedFile)
  timer ??= setTimeout(reloadForFailedFiles, reloadDelayMs)
}

const isLeaving = () => Date.now() - leftAtMs < leavingMs

function reloadForFailedFiles(): void {
  const now = Date.now()
  const reloads = { ...(readStoredJson('session', reloadsKey) as Record<string, unknown> | null) }
  let isNew = false
  for (const file of failedFiles) {
    const before = reloads[file]
    isNew ||= typeof before !== 'number' || (file === unnamedFile && now - before >= unnamedPauseMs)
    reloads[file] = now
  }
  failedFiles.clear()
  timer = undefined
  if (!isNew || isLeaving() || !navigator.onLine || !canReloadSilently()) return
  // without the stored files the page could reload forever
  if (writeStored('session', reloadsKey, JSON.stringify(reloads))) reloadPage()
}
