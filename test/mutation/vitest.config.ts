import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { builtInCatalogue } from '../../web/built-in-catalogue.ts'
import { waitLimitMs } from '../support/time-limits.ts'

const tests = (process.env['MUTATION_TESTS'] ?? 'functions/**/*.test.ts').split(',')

/** Runs the tests in the given order: the first failure ends the run. */
class NamedOrder extends BaseSequencer {
  override sort(specifications: TestSpecification[]) {
    const position = ({ moduleId }: TestSpecification) => tests.indexOf(relative(process.cwd(), moduleId))
    return Promise.resolve(specifications.toSorted((a, b) => position(a) - position(b)))
  }
}

/** As in `npm test`. Vitest's types have it for the command line alone. */
const withoutLong = { tagsFilter: ['!long', '!trial'] }

/** The tests that may notice changes: those that run the product in their own process. */
export default defineConfig({
  plugins: [builtInCatalogue()],
  test: {
    ...(process.env['MUTATION_ENVIRONMENT'] === 'jsdom'
      ? { environment: 'jsdom', setupFiles: ['./test/support/web-setup.ts'] }
      : {
          environment: 'node',
          // packages are loaded once for all files, the product for each: most of the time is loading
          isolate: false,
          setupFiles: [
            './test/mutation/reset-coverage.ts',
            './test/support/node-setup.ts',
            './test/support/direct-calls.ts',
            './test/support/patient-limits.ts',
            './test/support/patient-waits.ts',
          ],
        }),
    // a slow test on a busy machine must not count as noticed; endless loops end by their count
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: waitLimitMs } },
    include: tests,
    tags: [{ name: 'long' }, { name: 'trial' }],
    ...withoutLong,
    sequence: { sequencer: NamedOrder },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
