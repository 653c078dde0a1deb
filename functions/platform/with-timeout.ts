import { setTimeout as sleep } from 'node:timers/promises'

/** Awaits a result for a limited time. @returns undefined after the time */
export async function withTimeout<Result>(
  result: Promise<Result>,
  ms: number,
): Promise<{ result: Result } | undefined> {
  const controller = new AbortController()
  const timeout = sleep(ms, undefined, { signal: controller.signal }).catch(() => undefined)
  try {
    return await Promise.race([result.then((value) => ({ result: value })), timeout])
  } finally {
    controller.abort()
  }
}
