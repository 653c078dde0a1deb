import { wait } from './clock.ts'

/** Awaits a result for a limited time. @returns undefined after the time */
export async function withTimeout<Result>(
  result: Promise<Result>,
  ms: number,
): Promise<{ result: Result } | undefined> {
  const controller = new AbortController()
  const ignore = () => undefined
  const timeout = wait(ms, { signal: controller.signal }).then(ignore, ignore)
  try {
    return await Promise.race([result.then((value) => ({ result: value })), timeout])
  } finally {
    controller.abort()
  }
}
