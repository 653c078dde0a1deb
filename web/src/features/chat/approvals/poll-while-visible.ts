/**
 * The delay as a share of the time that has passed since the page was shown: who waits for something watches the page at first, and one that
 * stays open for an hour need not ask as often.
 */
const delayShare = 1 / 20

interface Polling {
  firstDelayMs: number
  /** the shortest delay, also when the page is hidden and shown again; read before each one */
  getMinDelayMs: () => number
  /** the delay grows with the time that has passed since the page was shown, up to this */
  maxGrownDelayMs: number
  /** asks once, and must not reject; the next delay begins when it is finished */
  poll: () => void | Promise<void>
}

/**
 * Polls while the page is visible and online: at the earliest allowed moment when the page is shown again, and less often on a page that
 * stays open.
 * @returns stops
 */
export function pollWhileVisible({
  firstDelayMs,
  getMinDelayMs,
  maxGrownDelayMs,
  poll,
}: Polling): () => void {
  let shownAtMs = performance.now()
  let nextAtMs = shownAtMs + firstDelayMs
  let isStopped = false
  let isPolling = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const canPoll = () => document.visibilityState === 'visible' && navigator.onLine
  const schedule = (delayMs: number) => {
    if (!isStopped) timer = setTimeout(() => void run(), delayMs)
  }
  const run = async () => {
    isPolling = true
    if (canPoll()) {
      await poll()
      nextAtMs = performance.now() + getMinDelayMs()
    }
    isPolling = false
    const grownMs = Math.min(maxGrownDelayMs, (performance.now() - shownAtMs) * delayShare)
    schedule(Math.max(getMinDelayMs(), grownMs))
  }
  const onVisibilityChange = () => {
    if (!canPoll() || isPolling) return
    shownAtMs = performance.now()
    clearTimeout(timer)
    if (nextAtMs > shownAtMs) schedule(nextAtMs - shownAtMs)
    else void run()
  }

  schedule(firstDelayMs)
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}
