import { availableParallelism, loadavg } from 'node:os'

/**
 * Time limits of all tests. They only end what hangs, so they are far longer than the slowest test takes on an idle machine: that a busy
 * one is late says nothing about the product.
 */

/** How long a test, or a hook, may take. */
export const testLimitMs = 600_000

/** How long a test waits for one state on a machine whose processors are free. */
export const waitLimitMs = 60_000

/**
 * How long a test waits for one state from now on: a state comes as late as its processes are kept from the processors.
 * @param load processes that run or wait for a processor, for each of them
 */
export const findWaitLimitMs = (load = (loadavg()[0] ?? 0) / availableParallelism()): number =>
  Math.min(testLimitMs, waitLimitMs * Math.max(1, load))
