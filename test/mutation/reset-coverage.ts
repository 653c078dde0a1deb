import { inject } from 'vitest'

/** Stryker's global variables in a worker. */
interface StrykerGlobals {
  mutantCoverage?: unknown
}

/**
 * Test files share a worker. After each of them Stryker reports the counts of the worker so far, and adds the reports up: without this, the
 * first file would count again with every later one, and `hitLimit`, which ends endless loops, would be too high.
 */
const stryker = (globalThis as Record<string, unknown>)[inject('globalNamespace' as never)] as
  | StrykerGlobals
  | undefined
delete stryker?.mutantCoverage
