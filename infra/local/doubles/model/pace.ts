import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Paces a reply: `tokensPerSecond` on average, in steps as small as the system's timers allow:
 * 40 a second come one by one and 2,000 a second a few at a time.
 * @returns from each call, after waiting, how many tokens are due by then in all
 * @throws AbortError when the signal aborts
 */
export function tokenPace(tokensPerSecond: number, signal: AbortSignal): (sent: number) => Promise<number> {
  const startedAt = performance.now()
  return async (sent) => {
    const dueAt = startedAt + (sent / tokensPerSecond) * 1_000
    await sleep(Math.max(0, dueAt - performance.now()), undefined, { signal })
    return Math.max(sent + 1, Math.floor(((performance.now() - startedAt) / 1_000) * tokensPerSecond))
  }
}
