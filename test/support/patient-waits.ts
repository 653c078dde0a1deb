import { expect, vi } from 'vitest'
import { makeLate } from './late-waits.ts'
import { findWaitLimitMs } from './time-limits.ts'

/** Set-up of tests: `vi.waitFor` and `vi.waitUntil` give up after the limit of all waits instead of a second. */
const { waitFor, waitUntil } = vi
const poll = Reflect.get(expect, 'poll') as typeof expect.poll

// each file of a worker runs its set-up, with the `vi` of the file before it
if (waitFor.name !== 'waitForLong') {
  Object.assign(vi, {
    waitFor: function waitForLong(
      callback: Parameters<typeof waitFor>[0],
      options: Parameters<typeof waitFor>[1] = {},
    ) {
      return waitFor(makeLate(callback), withTimeout(options))
    },
    waitUntil: (callback: Parameters<typeof waitUntil>[0], options: Parameters<typeof waitUntil>[1] = {}) =>
      waitUntil(makeLate(callback), withTimeout(options)),
  })
  expect.poll = (read, options) => poll(makeLate(read), { timeout: findWaitLimitMs(), ...options })
}

function withTimeout<Options extends object>(
  options: number | Options,
): number | ({ timeout: number } & Options) {
  return typeof options === 'number' ? options : { timeout: findWaitLimitMs(), ...options }
}
