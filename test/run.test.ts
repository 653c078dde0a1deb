import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTests, type VitestReport } from './support/vitest-report.ts'

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

/** What vitest really writes, so that a change of its report is noticed. */
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
  it.each([
    ['passing.test.ts', head + passing, { passed: 1, failed: 0 }],
    ['mixed.test.ts', head + passing + failing + failing, { passed: 1, failed: 2 }],
    ['broken.test.ts', `${head}throw new Error('on loading')\n`, { passed: 0, failed: 1 }],
    [
      'hook.test.ts',
      `${head}beforeAll(() => { throw new Error('hook') })\n${passing}`,
      { passed: 0, failed: 1 },
    ],
    [
      'unhandled.test.ts',
      `${head}${passing}void Promise.reject(new Error('later'))\n`,
      { passed: 1, failed: 1 },
    ],
  ])('%s', async (file, source, expected) => {
    await writeFile(join(folder, file), source)
    const reportFile = join(folder, `${file}.json`)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${reportFile}`]
    const exitCode = await new Promise<number>((resolve) => {
      execFile(process.execPath, [...args, file], (error) => resolve(error ? Number(error.code) : 0))
    })
    const written = JSON.parse(await readFile(reportFile, 'utf8')) as VitestReport
    expect(countTests(written, exitCode)).toEqual(expected)
  })
})

describe('npm test', () => {
  it('refuses a step it does not know', async () => {
    const run = [join(import.meta.dirname, 'run.ts'), '--only', 'units']
    const { exitCode, stderr } = await new Promise<{ exitCode: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, run, { cwd: tmpdir() }, (error, _, text) =>
        resolve({ exitCode: error?.code, stderr: text }),
      )
    })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'no step units; there are lint, unused, format, types, build, unit, api, e2e\n',
    })
  })
})
