import { getTokenRemainingMs, refreshTokens } from './auth-tokens.ts'

/** How often the page checks whether the tokens have to be refreshed. */
export const tickMs = 30_000
/** Tokens are refreshed when this many ticks or fewer remain: one that fails is tried again before they expire. */
const refreshWithinTicks = 3
/** Short, for a connection that comes back when the device wakes up. */
const firstRetryMs = 200

/** Whether a token that expires after this time must be refreshed. */
export function isRefreshDue(remainingMs: number): boolean {
  return Math.floor(remainingMs / tickMs) <= refreshWithinTicks
}

/** The delays between retries, all within one tick: each is twice the one before. */
export function retryDelaysMs(): number[] {
  const delays = []
  for (let delay = firstRetryMs, total = delay; total < tickMs; delay *= 2, total += delay) delays.push(delay)
  return delays
}

/**
 * Refreshes the tokens while the page is open: checks with each tick and whenever the page becomes visible. A refresh without a response is
 * retried. A rejected one signs out, through an event of Amplify (`onAuthEvent`).
 * @returns stops it
 */
export function startTokenRefresh(): () => void {
  const stopController = new AbortController()
  let isRefreshing = false
  const tick = async () => {
    if (isRefreshing) return
    isRefreshing = true
    try {
      await refreshIfDue(stopController.signal)
    } finally {
      isRefreshing = false
    }
  }
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible') void tick()
  }
  const timer = setInterval(() => void tick(), tickMs)
  document.addEventListener('visibilitychange', onVisibilityChange)
  void tick()
  return () => {
    stopController.abort()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

async function refreshIfDue(signal: AbortSignal): Promise<void> {
  for (const delay of [0, ...retryDelaysMs()]) {
    if (delay > 0) await wait(delay, signal)
    const remaining = await getTokenRemainingMs()
    if (signal.aborted || remaining === undefined || !isRefreshDue(remaining)) return
    if (await refreshTokens()) return
  }
}

/** Waits, unless the signal ends the wait earlier. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
