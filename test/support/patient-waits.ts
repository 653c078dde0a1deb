import { vi } from 'vitest'

/**
 * Set-up of tests: `vi.waitFor` and `vi.waitUntil` give up after 20 seconds instead of one. On a busy machine a state can be late by
 * seconds, and a test that fails by that says nothing.
 */
const timeout = 20_000
const { waitFor, waitUntil } = vi

// each file of a worker runs its set-up, with the `vi` of the file before it
if (waitFor.name !== 'waitForLong')
  Object.assign(vi, {
    waitFor: function waitForLong(
      callback: Parameters<typeof waitFor>[0],
      options: Parameters<typeof waitFor>[1] = {},
    ) {
      return waitFor(callback, withTimeout(options))
    },
    waitUntil: (callback: Parameters<typeof waitUntil>[0], options: Parameters<typeof waitUntil>[1] = {}) =>
      waitUntil(callback, withTimeout(options)),
  })

function withTimeout<Options extends object>(
  options: number | Options,
): number | ({ timeout: number } & Options) {
  return typeof options === 'number' ? options : { timeout, ...options }
}
