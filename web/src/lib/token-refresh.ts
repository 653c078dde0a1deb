import { getTokenLifetimeMs, refreshTokens } from './auth-tokens.ts'

/** LIB-01 */
export const tickMs = 30_000
/** LIB-02: refreshed when this many ticks or fewer remain */
const refreshWithinTicks = 3
/** LIB-03 */
const firstRetryMs = 200

/** Whether a token is due: three ticks or fewer remain before it expires (LIB-02). */
export function isRefreshDue(lifetimeMs: number): boolean {
  return Math.floor(lifetimeMs / tickMs) <= refreshWithinTicks
}

/** The waits between tries, all within one tick (LIB-03): 200 ms, then doubled. */
export function retryDelaysMs(): number[] {
  const delays = []
  for (let delay = firstRetryMs, total = delay; total < tickMs; delay *= 2, total += delay) delays.push(delay)
  return delays
}

/**
 * Keeps the session's token fresh while the page is open: looks every 30 s and whenever the page comes back to the front.
 * Retries a refresh that got no answer; one that was refused ends the session, which the session's own events tell.
 * @returns stops it
 */
export function startTokenRefresh(): () => void {
  const stopped = new AbortController()
  let running = false
  const tick = async () => {
    if (running) return
    running = true
    try {
      await refreshIfDue(stopped.signal)
    } finally {
      running = false
    }
  }
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') void tick()
  }
  const timer = setInterval(() => void tick(), tickMs)
  document.addEventListener('visibilitychange', onVisibilityChange)
  void tick()
  return () => {
    stopped.abort()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

async function refreshIfDue(signal: AbortSignal): Promise<void> {
  for (const delay of [0, ...retryDelaysMs()]) {
    if (delay > 0) await wait(delay, signal)
    const lifetime = await getTokenLifetimeMs()
    if (signal.aborted || lifetime === undefined || !isRefreshDue(lifetime)) return
    if (await refreshTokens()) return
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
