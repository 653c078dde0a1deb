import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import type { Progress } from './support/progress-reporter.ts'
import { bundleProduct } from '../infra/local/bundle.ts'
import { productPreloads } from './support/child-environment.ts'
import { runSteps, type Step } from './support/run-steps.ts'
import { countTests, listFailures, type TestCounts, type VitestReport } from './support/vitest-report.ts'

/**
 * `npm test`: build, lint with types, unused code and format one after another, beside them the unit tests, and beside both the API
 * tests and then the browser tests; all of them even when one fails. The last line is `N passed, N failed`; build, lint, unused code
 * and format count as one test each.
 * `--long` runs the tests with the tag `long` instead: trials, and browser tests of what other tests prove as well.
 * `--only unit,api` runs some of the steps (api and e2e on whatever was built last), and a path after it the test files below it.
 */

interface TestStep extends Step {
  /** an npm script that succeeds or fails as a whole … */
  readonly script?: string
  /** … or vitest projects, whose tests are counted */
  readonly projects?: readonly string[]
  /** variables of its processes */
  readonly environment?: Readonly<Record<string, string>>
}

const allSteps: readonly TestStep[] = [
  { name: 'build', script: 'build' },
  // the type checker keeps 2 GB in use, and at a lower limit would collect garbage all the time
  { name: 'lint', script: 'lint', after: ['build'], environment: { GOMEMLIMIT: '3GiB' } },
  { name: 'unused', script: 'unused', after: ['lint'] },
  { name: 'format', script: 'format:check', after: ['unused'] },
  { name: 'unit', projects: ['unit', 'web', 'web-isolated', 'lint', 'emulators', 'infra'] },
  { name: 'api', projects: ['api'], needs: 'build' },
  // both start products, and need memory for them; the other steps use the remaining processors
  { name: 'e2e', projects: ['e2e'], needs: 'build', after: ['api'] },
]

/** the steps that have tests with the tag `long` */
const longSteps: readonly TestStep[] = [
  { name: 'build', script: 'build' },
  { name: 'api', projects: ['api'], needs: 'build' },
  { name: 'e2e', projects: ['e2e'], needs: 'build', after: ['api'] },
]

/** for a step that hangs: on a busy machine the unit tests took more than 15 minutes */
const stepLimitMs = 40 * 60_000
const progressEveryMs = 15_000
const root = join(import.meta.dirname, '..')

const { values, positionals: files } = parseArgs({
  options: { only: { type: 'string' }, long: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const only = values.only?.split(',')
const offered = values.long ? longSteps : allSteps
const unknown = only?.filter((name) => !offered.some((step) => step.name === name)) ?? []
if (unknown.length > 0) {
  console.error(`no step ${unknown.join(', ')}; there are ${offered.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const steps = offered.filter(({ name }) => !only || only.includes(name))

// For esbuild and the type checker, which are Go programs: they collect garbage only at this limit. It saves a third of esbuild's processor time.
process.env['GOGC'] = 'off'
process.env['GOMEMLIMIT'] = '1GiB'

const scratch = await mkdtemp(join(tmpdir(), 'juno-test-'))
/** the steps whose tests start products, from one bundle */
const withProducts = new Set(['api', 'e2e'])
const bundle = join(scratch, 'product')
const bundling = steps.some(({ name }) => withProducts.has(name))
  ? bundleProduct(bundle, productPreloads)
  : undefined
bundling?.catch(() => undefined)
const startedAtMs = performance.now()
const running = new Map<string, Progress | undefined>()
/** by step, the part of the output in which vitest explains failures */
const explanations = new Map<string, string[]>()
const explanationLines = 80
const results = new Map<
  string,
  TestCounts & { readonly seconds: number; readonly failures: readonly string[] }
>()
const kills = new Set<(signal: NodeJS.Signals) => void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const kill of kills) kill(signal)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
    process.exit(130)
  })

const progressTimer = setInterval(printProgress, progressEveryMs)
await runSteps(
  steps,
  async (step) => {
    const stepStartedAtMs = performance.now()
    running.set(step.name, undefined)
    const outcome = await runStep(step)
    running.delete(step.name)
    const seconds = (performance.now() - stepStartedAtMs) / 1000
    results.set(step.name, { ...outcome, seconds })
    console.log(`── ${describeResult(step.name)}`)
    return outcome.failed === 0
  },
  ({ name }, failed) => {
    results.set(name, { passed: 0, failed: 1, seconds: 0, failures: [`not run, because ${failed} failed`] })
  },
)
clearInterval(progressTimer)
await rm(scratch, { recursive: true, force: true })
printSummary()

function printProgress(): void {
  const parts = [...running].map(([name, progress]) => {
    if (!progress) return name
    const failed = progress.failedFiles > 0 ? `, ${progress.failedFiles} failed` : ''
    return `${name} ${progress.endedFiles}/${progress.files} files${failed}`
  })
  const waiting = steps.map(({ name }) => name).filter((name) => !running.has(name) && !results.has(name))
  if (waiting.length > 0) parts.push(`then ${waiting.join(', ')}`)
  console.log(`── ${secondsSinceStart()} s: ${parts.join(' · ')}`)
}

function printSummary(): void {
  const inOrder = steps.map(({ name }) => name)
  console.log('')
  // repeated, because other steps have written hundreds of lines since
  for (const name of inOrder) for (const line of explanations.get(name) ?? []) console.log(line)
  for (const name of inOrder)
    for (const failure of results.get(name)?.failures ?? []) console.log(`FAILED ${name}: ${failure}`)
  for (const name of inOrder) console.log(describeResult(name))
  const sum = (count: 'passed' | 'failed') =>
    [...results.values()].reduce((total, result) => total + result[count], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  console.log(`\n${secondsSinceStart()} s in all`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

function secondsSinceStart(): string {
  return ((performance.now() - startedAtMs) / 1000).toFixed(0)
}

function describeResult(name: string): string {
  const { passed = 0, failed = 0, seconds = 0 } = results.get(name) ?? {}
  return `${name.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s   ${passed} passed, ${failed} failed`
}

async function runStep({
  name,
  script,
  projects = [],
  environment,
}: TestStep): Promise<TestCounts & { failures: readonly string[] }> {
  if (script) {
    const isFine = (await run(name, 'npm', ['run', '--silent', script], environment)) === 0
    return isFine
      ? { passed: 1, failed: 0, failures: [] }
      : { passed: 0, failed: 1, failures: [`npm run ${script}`] }
  }
  try {
    if (withProducts.has(name)) await bundling
  } catch {
    // esbuild has printed why
    return { passed: 0, failed: 1, failures: ['the product does not bundle'] }
  }
  const reportFile = join(scratch, `${name}.json`)
  const exitCode = await run(name, process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    ...projects.map((project) => `--project=${project}`),
    `--tags-filter=${values.long ? 'long' : '!long'}`,
    '--silent=passed-only',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    `--reporter=${join(import.meta.dirname, 'support/progress-reporter.ts')}`,
  ])
  const report = await readReport(reportFile)
  const failures = report ? listFailures(report, root) : ['vitest ended without a report']
  return { ...countTests(report, exitCode), failures }
}

function printLine(step: string, line: string): void {
  console.log(line)
  const explanation = explanations.get(step)
  if (explanation) {
    if (explanation.length < explanationLines) explanation.push(line)
  } else if (/ Failed (?:Tests|Suites) /.test(stripVTControlCharacters(line))) explanations.set(step, [line])
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport
  } catch {
    return undefined // vitest ended before it wrote one: countTests counts that as a failure
  }
}

/**
 * Runs a command and prints its output, each line after the step's name. It gets a process group of its own, so that a
 * time-out or an interrupt ends the servers and browsers it started too.
 * @returns its exit code, null when it was killed or could not start
 */
function run(
  name: string,
  command: string,
  args: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      detached: true,
      env: {
        ...process.env,
        // compiled modules of packages, for the next process that imports them
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
        // a killed process leaves its folders: they go with this one
        TMPDIR: scratch,
        ...(withProducts.has(name) && { PRODUCT_BUNDLE: bundle }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => printLine(name, `${name.padEnd(7)}│ ${line}`))
    child.on('message', (progress) => running.set(name, progress as Progress))
    const kill = (signal: NodeJS.Signals) => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, signal)
    }
    kills.add(kill)
    const limit = setTimeout(() => {
      console.error(`${name} ended after ${stepLimitMs / 60_000} minutes`)
      kill('SIGKILL')
    }, stepLimitMs)
    const finish = (exitCode: number | null) => {
      clearTimeout(limit)
      kills.delete(kill)
      resolve(exitCode)
    }
    child.on('error', (error) => {
      console.error(error.message)
      finish(null)
    })
    child.on('close', finish)
  })
}
