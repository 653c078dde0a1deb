import { setTimeout as delay } from 'node:timers/promises'

/** How much later than on a fast machine a test sees what it waits for, and goes on, from `LATE_WAITS_MS`. */
export const lateMs = Number(process.env['LATE_WAITS_MS'] ?? 0)

/**
 * With `LATE_WAITS_MS=150` what reads a state reads it that much later, and its caller goes on that much later again: a test that depends
 * on a state that passes by itself fails.
 */
export function makeLate<Args extends unknown[], Result>(
  read: (...args: Args) => Result | Promise<Result>,
): (...args: Args) => Result | Promise<Result> {
  if (lateMs === 0) return read
  return async (...args) => {
    await delay(lateMs)
    const result = await read(...args)
    await delay(lateMs)
    return result
  }
}
