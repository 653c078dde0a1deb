import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countTests, type Counts, type VitestReport } from './support/vitest-report.ts'

/**
 * `npm test`: lint, unused code, format, types, build, then the tests, all of them even when one fails. The last line is
 * `N passed, N failed`; lint, unused code, format, types and build count as one test each. `--only unit,api` runs some of the steps
 * (api and e2e on whatever was built last).
 */

interface Step {
  readonly name: string
  /** an npm script that succeeds or fails as a whole … */
  readonly script?: string
  /** … or vitest projects, whose tests are counted */
  readonly projects?: readonly string[]
  /** not run when this step failed: its own failures would say nothing */
  readonly needs?: string
}

const steps: readonly Step[] = [
  { name: 'lint', script: 'lint' },
  { name: 'unused', script: 'unused' },
  { name: 'format', script: 'format:check' },
  { name: 'types', script: 'typecheck' },
  { name: 'build', script: 'build' },
  { name: 'unit', projects: ['unit', 'web', 'lint', 'emulators', 'infra'] },
  { name: 'api', projects: ['api'], needs: 'build' },
  { name: 'e2e', projects: ['e2e'], needs: 'build' },
]

const stepLimitMs = 15 * 60_000
const root = join(import.meta.dirname, '..')

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',')
const unknown = only?.filter((name) => !steps.some((step) => step.name === name)) ?? []
if (unknown.length > 0) {
  console.error(`no step ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const scratch = await mkdtemp(join(tmpdir(), 'juno-test-'))
const results = new Map<string, Counts & { readonly seconds: number }>()
for (const step of steps) {
  if (only && !only.includes(step.name)) continue
  const startedAt = performance.now()
  console.log(`\n── ${step.name}`)
  const counts = await runStep(step)
  results.set(step.name, { ...counts, seconds: (performance.now() - startedAt) / 1000 })
}
await rm(scratch, { recursive: true, force: true })

let passed = 0
let failed = 0
console.log('')
for (const [name, result] of results) {
  passed += result.passed
  failed += result.failed
  const counts = `${result.passed} passed, ${result.failed} failed`
  console.log(`${name.padEnd(7)} ${result.seconds.toFixed(1).padStart(6)} s   ${counts}`)
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function runStep({ name, script, projects = [], needs }: Step): Promise<Counts> {
  if (needs && (results.get(needs)?.failed ?? 0) > 0) {
    console.error(`not run, because ${needs} failed`)
    return { passed: 0, failed: 1 }
  }
  if (script) {
    const isFine = (await run('npm', ['run', script])) === 0
    return { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1 }
  }
  const reportFile = join(scratch, `${name}.json`)
  const exitCode = await run(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ])
  return countTests(await readReport(reportFile), exitCode)
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport
  } catch {
    return undefined // vitest ended before it wrote one: countTests counts that as a failure
  }
}

/**
 * Runs a command with its output passed on. It gets a process group of its own, so that a time-out or an interrupt ends
 * the servers and browsers it started too.
 * @returns its exit code, null when it was killed or could not start
 */
function run(command: string, args: string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
    const killGroup = (signal: NodeJS.Signals) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, signal)
    }
    const interrupt = (signal: NodeJS.Signals) => {
      killGroup(signal)
      process.exit(130)
    }
    const limit = setTimeout(() => {
      console.error(`ended after ${stepLimitMs / 60_000} minutes`)
      killGroup('SIGKILL')
    }, stepLimitMs)
    const finish = (exitCode: number | null) => {
      clearTimeout(limit)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      resolve(exitCode)
    }
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
    child.on('error', (error) => {
      console.error(error.message)
      finish(null)
    })
    child.on('close', finish)
  })
}
