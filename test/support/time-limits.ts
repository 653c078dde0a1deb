/**
 * Time limits of all tests. They only end what hangs: they are about ten times what the slowest test takes on an idle machine, because a
 * busy one says nothing about the product by being late.
 */

/** How long a test, or a hook, may take. */
export const testLimitMs = 600_000

/** How long a test waits for one state. */
export const waitLimitMs = 60_000
