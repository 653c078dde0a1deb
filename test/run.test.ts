import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkBudget, type Measured } from './support/budget.ts'
import { hashRepository, hashTestFiles } from './support/green-files.ts'
import { ProcessTree } from './support/processor-time.ts'
import { runSteps, type Step } from './support/run-steps.ts'
import { countTests, listFailures, type TestCounts, type VitestReport } from './support/vitest-report.ts'

const root = join(import.meta.dirname, '..')

const report = (numPassedTests: number, numFailedTests = 0): VitestReport => ({
  numPassedTests,
  numFailedTests,
  testResults: [],
})

describe('counting a run', () => {
  it.each([
    ['all passed', report(3), 0, { passed: 3, failed: 0 }],
    ['some failed', report(3, 2), 1, { passed: 3, failed: 2 }],
    ['no test ran', report(0), 0, { passed: 0, failed: 1 }],
    ['an unhandled error after the last test', report(3), 1, { passed: 3, failed: 1 }],
    ['killed after the report', report(3), null, { passed: 3, failed: 1 }],
    ['a crash before the report', undefined, 1, { passed: 0, failed: 1 }],
  ])('%s', (_, counted, exitCode, expected) => {
    expect(countTests(counted, exitCode)).toEqual(expected)
  })
})

/** vitest's real output, so that a change of its report is noticed. */
describe("vitest's own report", () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'juno-run-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const head = "import { beforeAll, expect, it } from 'vitest'\n"
  const passing = "it('passes', () => expect(1).toBe(1))\n"
  const failing = "it('fails', () => expect(1).toBe(2))\n"
  // a run for each exit code: starting vitest costs more than its tests
  it.each<[string, Record<string, string>, TestCounts, string[]]>([
    [
      'of tests, files and hooks that fail',
      {
        'broken.test.ts': `${head}throw new Error('on loading')\n`,
        'hook.test.ts': `${head}beforeAll(() => { throw new Error('hook') })\n${passing}`,
        'mixed.test.ts': head + passing + failing + failing,
        'passing.test.ts': head + passing,
      },
      { passed: 2, failed: 4 },
      ['broken.test.ts', 'hook.test.ts', 'mixed.test.ts > fails', 'mixed.test.ts > fails'],
    ],
    [
      'of an error after the last test',
      { 'unhandled.test.ts': `${head}${passing}void Promise.reject(new Error('later'))\n` },
      { passed: 1, failed: 1 },
      [],
    ],
  ])('%s', async (_, files, expected, failures) => {
    for (const [file, source] of Object.entries(files)) await writeFile(join(folder, file), source)
    const reportFile = join(folder, 'report.json')
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${reportFile}`]
    const exitCode = await new Promise<number>((resolve) => {
      execFile(process.execPath, [...args, ...Object.keys(files)], (error) =>
        resolve(error ? Number(error.code) : 0),
      )
    })
    const written = JSON.parse(await readFile(reportFile, 'utf8')) as VitestReport
    expect(countTests(written, exitCode)).toEqual(expected)
    expect(listFailures(written, folder).toSorted()).toEqual(failures)
  })
})

describe('steps', () => {
  /** Runs steps until the test has ended each, in the order in which they started. */
  function begin(steps: Step[]) {
    const begun = new Map<string, (isFine: boolean) => void>()
    const skipped: string[] = []
    const all = runSteps(
      steps,
      ({ name }) => new Promise((resolve) => begun.set(name, resolve)),
      ({ name }, failed) => skipped.push(`${name} because of ${failed}`),
    )
    return {
      all,
      skipped,
      begun: () => [...begun.keys()],
      end: async (name: string, isFine = true) => {
        begun.get(name)?.(isFine)
        await new Promise(setImmediate)
      },
    }
  }

  it('run in parallel, after the steps that they need', async () => {
    const { all, begun, end } = begin([
      { name: 'build' },
      { name: 'types', after: ['build'] },
      { name: 'unit' },
      { name: 'api', needs: 'build' },
      { name: 'e2e', needs: 'build', after: ['unit', 'api'] },
    ])
    await end('none')
    expect(begun()).toEqual(['build', 'unit'])
    await end('build')
    expect(begun()).toEqual(['build', 'unit', 'types', 'api'])
    await end('api')
    expect(begun()).not.toContain('e2e')
    await end('unit', false)
    expect(begun()).toContain('e2e')
    await end('types')
    await end('e2e')
    await all
  })

  it('are skipped if a step that they need failed, with the steps that need them', async () => {
    const { all, begun, skipped, end } = begin([
      { name: 'build' },
      { name: 'api', needs: 'build' },
      { name: 'e2e', needs: 'api' },
    ])
    await end('none')
    await end('build', false)
    await all
    expect(begun()).toEqual(['build'])
    expect(skipped).toEqual(['api because of build', 'e2e because of api'])
  })

  it('do not wait for one that is not in the list', async () => {
    const { all, begun, end } = begin([{ name: 'e2e', needs: 'build', after: ['unit'] }])
    await end('none')
    expect(begun()).toEqual(['e2e'])
    await end('e2e')
    await all
  })
})

describe('npm test', () => {
  it('refuses an unknown step', async () => {
    const run = [join(import.meta.dirname, 'run.ts'), '--only', 'units']
    const { exitCode, stderr } = await new Promise<{ exitCode: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, run, { cwd: tmpdir() }, (error, _, text) =>
        resolve({ exitCode: error?.code, stderr: text }),
      )
    })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'no step units; there are build, format, lint, types, unit, api, e2e\n',
    })
  })
})

describe('the processor time of a tree of processes', () => {
  const aProcess = (pid: number, parent: number, own: number, reaped = 0) => ({
    key: `${pid}:0`,
    pid,
    parent,
    own,
    reaped,
  })

  it('has children that were waited for, seen or not, and those that outlived their parent', () => {
    const tree = new ProcessTree(1)
    tree.update([aProcess(1, 0, 100), aProcess(2, 1, 50), aProcess(3, 2, 30), aProcess(9, 0, 5_000)])
    // 2 has used 20 more until it ended, and was waited for; 3 goes on below another; 10 ms of a process that nobody saw
    tree.update([aProcess(1, 0, 100, 80), aProcess(3, 9, 40), aProcess(9, 0, 6_000)])
    expect(tree.seconds).toBeCloseTo(1 + 0.8 + 0.4)
  })

  it('does not take another process for one that has ended', () => {
    const tree = new ProcessTree(1)
    tree.update([aProcess(1, 0, 100), aProcess(2, 1, 50)])
    tree.update([aProcess(1, 0, 100), { ...aProcess(2, 9, 7_000), key: '2:1' }])
    expect(tree.seconds).toBeCloseTo(1.5)
  })
})

describe('the budget', () => {
  const budget = { referenceMs: 40, processorSeconds: 100, steps: {}, dearFiles: { 'b.test.ts': 5 } }
  const file = (
    path: string,
    processorMs: number,
    dearTests: Measured['files'][number]['dearTests'] = [],
  ) => ({
    file: path,
    isFine: true,
    passed: 1,
    processorMs,
    dearTests,
  })
  const measured = { seconds: 90, steps: {}, files: [], speed: 1, isFirstTier: true }

  it.each<[string, Partial<Measured>, RegExp[]]>([
    ['holds', { files: [file('a.test.ts', 3_000), file('b.test.ts', 14_900)] }, []],
    ['is over in all', { seconds: 121 }, [/^all took 121 s .* at most 120 s here$/]],
    ['is not over in a part of the tests', { seconds: 121, isFirstTier: false }, []],
    ['is larger on a slower machine', { seconds: 170, speed: 1.5, files: [file('a.test.ts', 8_900)] }, []],
    [
      'is over in a file',
      { files: [file('a.test.ts', 6_300), file('b.test.ts', 15_100)] },
      [/^a\.test/, /^b\.test/],
    ],
    [
      'is over in a test',
      { files: [file('a.test.ts', 900, [{ name: 'counts', processorMs: 1_600 }])] },
      [/ > counts took 1\.6 s/],
    ],
  ])('%s', (_, changes, expected) => {
    const problems = checkBudget(budget, { ...measured, ...changes })
    expect(problems).toHaveLength(expected.length)
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern)
  })
})

it('what a test file reaches decides whether it is green still', () => {
  const [rules, page, product, documents] = [
    'shared/session-title.test.ts',
    'web/src/lib/text/week.test.ts',
    'test/api/files.test.ts',
    'test/lint/docs.test.ts',
  ]
  const files = [rules, page, product, documents]
  const repository = hashRepository()
  const before = hashTestFiles(files, repository)
  const listChanged = (path: string) => {
    expect(repository.has(path)).toBe(true)
    const after = hashTestFiles(files, new Map(repository).set(path, 'another'))
    return files.filter((file) => after.get(file) !== before.get(file))
  }
  // over another module
  expect(listChanged('shared/truncate.ts')).toEqual([rules, product, documents])
  expect(listChanged('web/src/lib/text/week.ts')).toEqual([page, product, documents])
  expect(listChanged('web/src/languages/de.json')).toEqual([page, product, documents])
  expect(listChanged('README.md')).toEqual([documents])
  expect(listChanged('package-lock.json')).toEqual(files)
})
