import { inject } from 'vitest'

/** Stryker's counts in a worker. */
interface Counts {
  mutantCoverage?: unknown
}

/**
 * Test files share a worker. Stryker reports all that its worker has counted for each of them: without this, what the first file runs would
 * count once for every file after it, and the limit that ends endless loops would be as many times too high.
 */
const counts = (globalThis as Record<string, unknown>)[inject('globalNamespace' as never)] as
  | Counts
  | undefined
delete counts?.mutantCoverage
