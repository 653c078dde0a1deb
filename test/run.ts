import { spawn } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import type { EndedFile, Progress } from './support/progress-reporter.ts'
import { bundleProduct } from '../infra/local/bundle.ts'
import { productPreloads } from './support/child-environment.ts'
import { checkBudget, listDear, measureSpeed, readBudget, writeBudget } from './support/budget.ts'
import { hashTestFiles, readGreen, writeGreen } from './support/green-files.ts'
import { listProcesses, ProcessTree } from './support/processor-time.ts'
import { runSteps, type Step } from './support/run-steps.ts'
import { countTests, listFailures, type TestCounts, type VitestReport } from './support/vitest-report.ts'

/**
 * `npm test` is the first tier, what a person runs: build, format, lint and types one after another, beside them the tests without a
 * browser and a product, and beside both those of the API and then of the browser; all of them even when one fails. The last line is
 * `N passed, N failed`; build, format, lint and types count as one test each. `npm run test:all` (`--tier=all`) adds the second tier: tests
 * with the tag `long`, lint rules that need types, unused code. `npm run test:trials` (`--tier=trials`) runs those with the tag `trial`.
 *
 * Files whose inputs are what they were when they were green here are left out; `--all` runs them, too. `--only unit,api` runs some of
 * the steps (api and e2e on whatever was built last), and a path after it the test files below it. `--write-budget` notes what was
 * measured in `test/budget.json`.
 */

const tiers = { first: '!long && !trial', second: 'long && !trial', trials: 'trial' } as const
type Tier = keyof typeof tiers

interface TestStep extends Step {
  /** an npm script that succeeds or fails as a whole … */
  readonly script?: string
  /** … or vitest projects, whose tests are counted */
  readonly projects?: readonly string[]
  readonly tier?: Tier
  readonly workers?: number
  /** variables of its processes */
  readonly environment?: Readonly<Record<string, string>>
}

const unitProjects = ['unit', 'web', 'web-isolated', 'lint', 'emulators', 'infra']
const build: TestStep = { name: 'build', script: 'build' }

const firstTier: readonly TestStep[] = [
  build,
  { name: 'format', script: 'format:check', after: ['build'] },
  { name: 'lint', script: 'lint', after: ['format'] },
  // the type checker keeps 2 GB in use, and at a lower limit would collect garbage all the time
  { name: 'types', script: 'types', after: ['lint'], environment: { GOMEMLIMIT: '3GiB' } },
  { name: 'unit', projects: unitProjects, tier: 'first' },
  { name: 'api', projects: ['api'], tier: 'first', needs: 'build' },
  // both start products, and need memory for them; the other steps use the remaining processors
  { name: 'e2e', projects: ['e2e'], tier: 'first', needs: 'build', after: ['api'] },
]

const secondTier: readonly TestStep[] = [
  { name: 'lint:types', script: 'lint:types', after: ['types'], environment: { GOMEMLIMIT: '3GiB' } },
  { name: 'unused', script: 'unused', after: ['lint:types'] },
  { name: 'unit:long', projects: unitProjects, tier: 'second', after: ['unit', 'unused'] },
  // what passes only where a page is at once what it becomes: nearly all of the time is waiting
  {
    name: 'late',
    projects: ['web', 'web-isolated'],
    tier: 'first',
    after: ['unit:long'],
    environment: { LATE_WAITS_MS: '150' },
    workers: 6,
  },
  { name: 'api:long', projects: ['api'], tier: 'second', needs: 'build', after: ['e2e'] },
  { name: 'e2e:long', projects: ['e2e'], tier: 'second', needs: 'build', after: ['api:long'] },
]

const trials: readonly TestStep[] = [
  build,
  { name: 'unit', projects: unitProjects, tier: 'trials' },
  { name: 'api', projects: ['api'], tier: 'trials', needs: 'build' },
  { name: 'e2e', projects: ['e2e'], tier: 'trials', needs: 'build', after: ['api'] },
]

/** for a step that hangs: on a busy machine the unit tests took more than 15 minutes */
const stepLimitMs = 40 * 60_000
const progressEveryMs = 15_000
/** how often processes are looked at */
const lookEveryMs = 500
const root = join(import.meta.dirname, '..')

const { values, positionals: files } = parseArgs({
  options: {
    only: { type: 'string' },
    tier: { type: 'string', default: 'first' },
    all: { type: 'boolean', default: false },
    'write-budget': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const only = values.only?.split(',')
const offered =
  values.tier === 'trials' ? trials : values.tier === 'all' ? [...firstTier, ...secondTier] : firstTier
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
const bundle = join(scratch, 'product')
const startsProducts = ({ projects = [] }: TestStep) => projects.includes('api') || projects.includes('e2e')
const bundling = steps.some(startsProducts) ? bundleProduct(bundle, productPreloads) : undefined
bundling?.catch(() => undefined)

const startedAtMs = performance.now()
interface Running {
  files: number
  ended: EndedFile[]
}
const running = new Map<string, Running>()
/** by step, the part of the output in which vitest explains failures */
const explanations = new Map<string, string[]>()
const explanationLines = 80
interface Result extends TestCounts {
  readonly seconds: number
  readonly failures: readonly string[]
  /** tests of files that were green before */
  readonly unchanged?: number
  readonly ended?: EndedFile[]
}
const results = new Map<string, Result>()
const kills = new Set<(signal: NodeJS.Signals) => void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const kill of kills) kill(signal)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
    process.exit(130)
  })

const wholeTree = new ProcessTree(process.pid)
const trees = new Map<string, ProcessTree>()
function look(): void {
  const processes = listProcesses()
  for (const tree of [wholeTree, ...trees.values()]) tree.update(processes)
}
const speeds = [measureSpeed()]

const testFiles = globSync(['{shared,functions,infra,web,test}/**/*.test.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
const sources = new Map(testFiles.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const hashes = files.length > 0 ? new Map<string, string>() : hashInputs()
const green = values.all || files.length > 0 ? {} : readGreen()

const looks = setInterval(look, lookEveryMs)
const progressTimer = setInterval(() => {
  speeds.push(measureSpeed())
  printProgress()
}, progressEveryMs)
await runSteps(
  steps,
  async (step) => {
    const stepStartedAtMs = performance.now()
    running.set(step.name, { files: 0, ended: [] })
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
if (values.tier !== 'trials') await measureDearAlone()
clearInterval(progressTimer)
clearInterval(looks)
look()
await rm(scratch, { recursive: true, force: true })
printSummary()

/**
 * A file that was too dear beside the others is measured alone, and the smaller time counts: whoever runs when the garbage of the files
 * before is collected pays for it.
 */
async function measureDearAlone(): Promise<void> {
  const speed = findSpeed()
  for (const step of steps.filter(isBudgeted)) {
    const ended = results.get(step.name)?.ended ?? []
    const tree = trees.get(step.name)
    for (const [index, file] of ended.entries()) {
      if (listDear(readBudget(), [file], speed).length === 0) continue
      const state: Running = { files: 1, ended: [] }
      running.set(step.name, state)
      await run(step, process.execPath, toVitestArguments(step, [file.file]), step.environment)
      running.delete(step.name)
      const [alone] = state.ended
      if (alone?.isFine && (alone.processorMs ?? 0) > 0) ended.splice(index, 1, alone)
    }
    if (tree) trees.set(step.name, tree)
  }
}

function isBudgeted({ name, tier = 'first' }: TestStep): boolean {
  // waits cost time of the processor, too
  return tier === 'first' && name !== 'late'
}

/** The median: a single loop may have been disturbed. */
function findSpeed(): number {
  return speeds.toSorted((a, b) => a - b)[Math.floor(speeds.length / 2)] ?? 1
}

/** Without git nothing is known to be green. */
function hashInputs(): Map<string, string> {
  try {
    return hashTestFiles(testFiles)
  } catch {
    return new Map()
  }
}

function printProgress(): void {
  const parts = [...running].map(([name, { files: count, ended }]) => {
    if (count === 0) return name
    const failed = ended.filter(({ isFine }) => !isFine).length
    return `${name} ${ended.length}/${count} files${failed > 0 ? `, ${failed} failed` : ''}`
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
  const measured = {
    seconds: wholeTree.seconds,
    steps: Object.fromEntries(inOrder.flatMap((name) => [[name, trees.get(name)?.seconds ?? 0]])),
    files: steps.filter(isBudgeted).flatMap(({ name }) => results.get(name)?.ended ?? []),
    speed: findSpeed(),
    isFirstTier: values.tier === 'first' && !only && files.length === 0,
  }
  const overBudget =
    wholeTree.seconds > 0 && values.tier !== 'trials' ? checkBudget(readBudget(), measured) : []
  for (const problem of overBudget) console.log(`FAILED budget: ${problem}`)
  if (values['write-budget']) writeBudget(measured)
  for (const name of inOrder) console.log(describeResult(name))
  const dear = measured.files
    .toSorted((a, b) => (b.processorMs ?? 0) - (a.processorMs ?? 0))
    .slice(0, 5)
    .map(({ file, processorMs = 0 }) => `${file} ${(processorMs / 1000).toFixed(1)}`)
  if (dear.length > 0) console.log(`the dearest files, in processor seconds: ${dear.join(', ')}`)
  const sum = (count: 'passed' | 'failed' | 'unchanged') =>
    [...results.values()].reduce((total, result) => total + (result[count] ?? 0), 0)
  const [passed, failed, unchanged] = [
    sum('passed'),
    sum('failed') + (overBudget.length > 0 ? 1 : 0),
    sum('unchanged'),
  ]
  console.log(
    `\n${secondsSinceStart()} s in all, ${wholeTree.seconds.toFixed(0)} s of the processor, this machine needs ${measured.speed.toFixed(2)} times the reference’s`,
  )
  if (unchanged > 0)
    console.log(
      `${unchanged} tests were left out: they passed here, and nothing that they reach has changed (-- --all runs them)`,
    )
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

function secondsSinceStart(): string {
  return ((performance.now() - startedAtMs) / 1000).toFixed(0)
}

function describeResult(name: string): string {
  const { passed = 0, failed = 0, seconds = 0, unchanged = 0 } = results.get(name) ?? {}
  const processor = trees.get(name)?.seconds ?? 0
  return `${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${processor.toFixed(1).padStart(6)} s of the processor   ${passed} passed, ${failed} failed${unchanged > 0 ? `, ${unchanged} unchanged` : ''}`
}

/** Whether a file may have tests of the tier: to find out, vitest would load all of them. */
function mayHave(file: string, tier: Tier): boolean {
  const source = sources.get(file) ?? ''
  if (tier === 'first') return !/@module-tag (?:long|trial)\b/.test(source)
  const tag =
    tier === 'second'
      ? /'long'|@module-tag long\b|\b(?:firstOfNine|tierOf)\b/
      : /'trial'|@module-tag trial\b|\btierOf\b/
  return tag.test(source)
}

async function runStep(step: TestStep): Promise<Omit<Result, 'seconds'>> {
  const { name, script, tier = 'first', workers, environment } = step
  if (script) {
    const isFine = (await run(step, 'npm', ['run', '--silent', script], environment)) === 0
    return isFine
      ? { passed: 1, failed: 0, failures: [] }
      : { passed: 0, failed: 1, failures: [`npm run ${script}`] }
  }
  try {
    if (startsProducts(step)) await bundling
  } catch {
    // esbuild has printed why
    return { passed: 0, failed: 1, failures: ['the product does not bundle'] }
  }
  const key = (file: string) => `${name} ${file}`
  const unchanged = testFiles.filter((file) => {
    const known = green[key(file)]
    return known !== undefined && known.hash === hashes.get(file)
  })
  const leftOut = [...unchanged, ...testFiles.filter((file) => !mayHave(file, tier))]
  const leftOutFile = join(scratch, `${name}-left-out.json`)
  writeFileSync(leftOutFile, JSON.stringify(leftOut))
  const reportFile = join(scratch, `${name}.json`)
  const exitCode = await run(
    step,
    process.execPath,
    [
      ...toVitestArguments(step, files),
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    { ...environment, LEFT_OUT_TESTS: leftOutFile },
  )
  const report = await readReport(reportFile)
  const failures = report ? listFailures(report, root) : ['vitest ended without a report']
  const { ended } = running.get(name) ?? { ended: [] }
  // a run that failed beside its files says nothing of them
  const isSure = exitCode === 0 || failures.length > 0
  writeGreen(
    new Map(
      ended.map(({ file, isFine, passed }) => {
        const hash = hashes.get(file)
        return [key(file), isFine && isSure && hash !== undefined ? { hash, tests: passed } : undefined]
      }),
    ),
  )
  const unchangedTests = unchanged.reduce((sum, file) => sum + (green[key(file)]?.tests ?? 0), 0)
  const isEmpty = exitCode === 0 && unchanged.length > 0 && report?.numFailedTests === 0
  const counts = isEmpty ? { passed: report.numPassedTests, failed: 0 } : countTests(report, exitCode)
  return { ...counts, failures, ended, unchanged: unchangedTests }
}

function toVitestArguments({ projects = [], tier = 'first' }: TestStep, paths: readonly string[]): string[] {
  return [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...paths,
    ...projects.map((project) => `--project=${project}`),
    `--tags-filter=${tiers[tier]}`,
    '--silent=passed-only',
    '--passWithNoTests',
    '--reporter=default',
    `--reporter=${join(import.meta.dirname, 'support/progress-reporter.ts')}`,
  ]
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
  step: TestStep,
  command: string,
  args: string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  const { name } = step
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
        ...(startsProducts(step) && { PRODUCT_BUNDLE: bundle }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    if (child.pid !== undefined) trees.set(name, new ProcessTree(child.pid))
    for (const stream of [child.stdout, child.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => printLine(name, `${name.padEnd(7)}│ ${line}`))
    child.on('message', (message) => {
      const progress = message as Progress
      const state = running.get(name)
      if (!state) return
      if ('files' in progress) state.files = progress.files
      else state.ended.push(progress)
    })
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
