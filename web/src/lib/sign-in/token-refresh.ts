import { getTokenRemainingMs, refreshTokens } from '../api/auth-tokens.ts'

/** How often the page checks whether the tokens have to be refreshed. */
const tickMs = 30_000
/** Tokens are refreshed when they expire earlier than this: a refresh that fails is tried again by the next ticks before they do. */
const refreshWithinMs = 4 * tickMs
/** Short at first, for a connection that comes back when the device wakes up. Together they take less than a tick. */
const retryDelaysMs = [200, 400, 800, 1_600, 3_200, 6_400, 12_800]

/**
 * Refreshes the tokens while the page is open: checks with each tick and whenever the page becomes visible. A refresh without a response is
 * retried. A rejected one ends the session (`onAuthEvent`).
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
  for (const delay of [0, ...retryDelaysMs]) {
    if (delay > 0) await wait(delay, signal)
    const remaining = await getTokenRemainingMs()
    if (signal.aborted || remaining === undefined || remaining >= refreshWithinMs) return
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
