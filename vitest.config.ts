import { globSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { testLimitMs, waitLimitMs } from './test/support/time-limits.ts'
import { builtInCatalogue } from './web/built-in-catalogue.ts'
import { translation } from './web/translation/plugin.ts'

/**
 * Tests that wait come first, when other steps of a run use the processors meanwhile, and those that use the processors all the time come
 * last: otherwise processors have nothing to do.
 */
const order = { web: 0, unit: 1, busy: 2, infra: 3, api: 4, e2e: 5 }

/** Files that `test/run.ts` leaves out. */
const leftOut = process.env['LEFT_OUT_TESTS']
  ? (JSON.parse(readFileSync(process.env['LEFT_OUT_TESTS'], 'utf8')) as string[])
  : []
const exclude = [...configDefaults.exclude, ...leftOut]

/**
 * Tests of the page share the modules that their worker has loaded, which takes a third of the time. Those that replace modules, or load
 * what is loaded once, share the packages and the document only: they run as a project of their own.
 */
const webTests = ['web/{src/**/,}*.test.{ts,tsx}', 'test/{fuzz,support}/*.test.tsx']
const withOwnModules = globSync(webTests).filter((file) =>
  /\bvi\.(?:mock|doMock|resetModules)\(|\bloadConfig\(/.test(readFileSync(file, 'utf8')),
)
const web = {
  environment: 'jsdom',
  setupFiles: ['./test/support/web-setup.ts'],
  sequence: { groupOrder: order.web },
}

/** Files of `api` and `e2e` start whole local stacks, so few of them run at a time; groups run one after another. */
export default defineConfig({
  test: {
    reporters: ['default'],
    // with three, and three for the browser tests, a run takes longer: API and browser tests use the processors, too
    maxWorkers: 2,
    testTimeout: testLimitMs,
    hookTimeout: testLimitMs,
    setupFiles: ['./test/support/file-time.ts', './test/support/patient-waits.ts'],
    exclude,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    expect: { poll: { timeout: waitLimitMs } },
    tags: [
      { name: 'long', description: 'runs with `npm run test:all`, not with `npm test`' },
      { name: 'trial', description: 'kills, restarts, hours: runs with `npm run test:trials`' },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          sequence: { groupOrder: order.unit },
          environment: 'node',
          include: ['{shared,functions,infra}/**/*.test.ts', 'web/diagram/*.test.ts', 'test/fuzz/*.test.ts'],
          isolate: false,
          setupFiles: [
            './test/support/node-setup.ts',
            './test/support/direct-calls.ts',
            './test/support/patient-limits.ts',
          ],
        },
      },
      {
        extends: true,
        plugins: [translation(), builtInCatalogue()],
        test: {
          ...web,
          name: 'web',
          include: webTests,
          exclude: [...exclude, ...withOwnModules],
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [translation(), builtInCatalogue()],
        test: {
          ...web,
          name: 'web-isolated',
          include: withOwnModules,
          isolate: false,
          setupFiles: [...web.setupFiles, './test/support/own-modules.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'lint',
          sequence: { groupOrder: order.busy },
          isolate: false,
          environment: 'node',
          include: ['test/lint/**/*.test.ts', 'test/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'emulators',
          sequence: { groupOrder: order.busy },
          environment: 'node',
          include: ['test/emulators/**/*.test.ts'],
          isolate: false,
          setupFiles: ['./test/support/node-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'infra',
          sequence: { groupOrder: order.infra },
          environment: 'node',
          include: ['test/infra/**/*.test.ts'],
          // the CDK takes seconds to import, and its code to be optimised: once, while API and browser tests use the other processors
          isolate: false,
          maxWorkers: 1,
          globalSetup: './test/infra/scratch.ts',
          setupFiles: ['./test/infra/after-each-file.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          environment: 'node',
          include: ['test/api/**/*.test.ts'],
          // files of a worker share packages and running products
          isolate: false,
          globalSetup: './test/support/scratch.ts',
          setupFiles: [
            './test/support/node-setup.ts',
            './test/support/direct-calls.ts',
            './test/support/patient-limits.ts',
            './test/support/index-in-process.ts',
          ],
          // more than processors: half of their time they wait for what the product does every second
          maxWorkers: 4,
          sequence: { groupOrder: order.api },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts', 'test/support/**/*.test.ts'],
          // files of a worker share its browser and its running products
          isolate: false,
          globalSetup: './test/support/scratch.ts',
          setupFiles: ['./test/support/browser-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: order.e2e },
        },
      },
    ],
  },
})
