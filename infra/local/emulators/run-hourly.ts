const hourMs = 3_600_000

/**
 * Clean-up that AWS does in the background: here at the start, then with the first request of each hour. This needs no timer and
 * follows the product's clock.
 * @param tidy gets the time; an error is logged, and the next hour tries again
 */
export function runHourly(tidy: (nowMs: number) => Promise<void>) {
  let lastAtMs = Number.NEGATIVE_INFINITY
  let running = Promise.resolve()
  const due = () => {
    const nowMs = Date.now()
    if (nowMs - lastAtMs < hourMs) return
    lastAtMs = nowMs
    running = running
      .then(() => tidy(nowMs))
      .catch((error: unknown) => void process.stderr.write(`emulator: tidying up: ${String(error)}\n`))
  }
  due()
  return {
    /** called with each request */
    due,
    /** resolves when no clean-up is running */
    settled: () => running,
  }
}
