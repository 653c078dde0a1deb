const tickMs = 250
/** A busy machine delays a timer by less. */
const frozenFromMs = 1_500

/**
 * Notices that the process stood still: Lambda freezes a function between two requests, and what was asked meanwhile fails at the
 * thaw through no fault of whom it asked.
 * @returns `wasFrozen` since the watch began; `stop` ends it
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
