const tickMs = 250
/** Timers on a busy machine are late by less. */
const frozenFromMs = 1_500

/**
 * Detects that the process was frozen: Lambda freezes a function between two requests, and pending requests fail at the thaw through no
 * fault of the server.
 * @returns `wasFrozen` since the watch started; `stop` ends the watch
 */
export function watchForFreeze() {
  let tickedAtMs = Date.now()
  let wasFrozen = false
  const check = () => {
    const nowMs = Date.now()
    wasFrozen ||= nowMs - tickedAtMs > frozenFromMs
    tickedAtMs = nowMs
    return wasFrozen
  }
  const timer = setInterval(check, tickMs).unref()
  return { wasFrozen: check, stop: () => clearInterval(timer) }
}
