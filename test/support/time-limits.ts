/**
 * Time limits of all tests. They only end what hangs, so they are far longer than the slowest test takes on an idle machine: that a busy
 * one is late says nothing about the product.
 */

/** How long a test, or a hook, may take. */
export const testLimitMs = 600_000

/** How long a test waits for one state. */
export const waitLimitMs = 60_000
