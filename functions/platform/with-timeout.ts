import { setTimeout as sleep } from 'node:timers/promises'

/** The result if it comes within the time; nothing waits on behind it. */
export async function withTimeout<Result>(
  result: Promise<Result>,
  ms: number,
): Promise<{ result: Result } | undefined> {
  const waiting = new AbortController()
  const over = sleep(ms, undefined, { signal: waiting.signal }).catch(() => undefined)
  try {
    return await Promise.race([result.then((value) => ({ result: value })), over])
  } finally {
    waiting.abort()
  }
}
