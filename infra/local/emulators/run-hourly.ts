const hourMs = 3_600_000

/**
 * Tidying up that AWS does in its own time: here at the start, and with the first request of each hour after that. Going by the
 * requests it needs no timer, and goes by the product's own clock.
 * @param tidy gets the time; what it throws is told, and tried again in the next hour
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
    /** resolves when nothing is being tidied up */
    settled: () => running,
  }
}
