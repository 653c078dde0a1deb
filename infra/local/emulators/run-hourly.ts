const hourMs = 3_600_000

/**
 * Clean-up that AWS does in the background: here at the start, then with the first request of each hour. This needs no timer and
 * follows the product's clock.
 * @param work gets the time; an error is logged, and the next hour tries again
 */
export function runHourly(work: (nowMs: number) => Promise<void>) {
  let lastAtMs = Number.NEGATIVE_INFINITY
  let running = Promise.resolve()
  const runIfDue = () => {
    const nowMs = Date.now()
    if (nowMs - lastAtMs < hourMs) return
    lastAtMs = nowMs
    running = running
      .then(() => work(nowMs))
      .catch((error: unknown) => void process.stderr.write(`emulator: tidying up: ${String(error)}\n`))
  }
  runIfDue()
  return {
    /** called with each request */
    runIfDue,
    /** resolves when no clean-up is running */
    waitForEnd: () => running,
  }
}
