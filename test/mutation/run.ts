import type { Stryker } from '@stryker-mutator/core'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRequest, intervalOfShare, type Draw } from './sample.ts'

/**
 * `npm run mutation -- mfa account/avatar-repository.ts web`: changes the product in one place at a time and counts the changes that tests notice,
 * folder after folder; without names, in all folders of `defaultTargets`. Scores go to `.local/mutation/scores.json`. What was measured
 * before and has not changed since is not measured again; `--force` measures all of it. `--check` does so too, and fails when a score is
 * below `thresholds.break` of the configuration. `--wide` runs all tests that reach a folder, not only its own and those that import it.
 * `--concurrency 2` tries two changes at a time. `--sample 150 --seed 1` tries that many of each target, drawn at random.
 */

const defaultTargets = ['chat', 'conversations', 'integrations', 'mfa', 'registry', 'tools', 'account', 'web']
const configFile = 'test/mutation/stryker.config.json'
const reportFolder = '.local/mutation'

/** What is changed: a folder of `functions`, or the page's modules without markup. */
export interface Target {
  readonly folder: string
  /** the folder, or the one below it or the file that is named */
  readonly part: string
  /** globs of the changed files */
  readonly mutate: readonly string[]
  /** the files whose tests may notice */
  readonly tests: string
  readonly environment: 'node' | 'jsdom'
}

/**
 * @param name `mfa` or `functions/mfa`, `web` or `web/src`; a path behind it names a folder below it, one file, or a part of one:
 * `models`, `mfa/totp.ts:10-60`
 * @throws Error for a file with markup
 */
export function parseTarget(name: string): Target {
  const [area = '', ...path] = name.replace(/^functions\//, '').split('/')
  const isPage = area === 'web'
  const folder = isPage ? 'web/src' : `functions/${area}`
  const part = [folder, path.join('/').replace(/^src(?:\/|$)/, '')].filter(Boolean).join('/')
  const isFile = /\.ts(?::[\d:-]+)?$/.test(part)
  if (!isFile && part.includes('.')) throw new Error(`${part} is no .ts file`)
  return {
    folder,
    part: part.replace(/:.*$/, ''),
    mutate: isFile ? [part] : [`${part}/**/*.ts`, '!**/*.test.ts', '!**/*.d.ts'],
    tests: isPage ? 'web/src/**/*.test.{ts,tsx}' : 'functions/**/*.test.ts',
    environment: isPage ? 'jsdom' : 'node',
  }
}

/** Imports that exist at run time: `import type` does not. */
const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^'"\n;]*(?:\{[^}]*\}[^'"\n;]*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g

function resolveImport(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('#shared/')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(importer), specifier) : undefined
}

/** The modules that import each module. */
function mapImporters(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  for (const [path, source] of sources)
    for (const [, statement, call] of source.matchAll(importPattern)) {
      const imported = resolveImport(path, statement ?? call ?? '')
      if (imported !== undefined) importers.set(imported, (importers.get(imported) ?? new Set()).add(path))
    }
  return importers
}

/** Finds the modules that load a module, directly or through others, and the module itself: nothing else can notice a change in it. */
export function findLoaders(sources: ReadonlyMap<string, string>, file: string): Set<string> {
  const importers = mapImporters(sources)
  const loaders = new Set([file])
  for (const path of loaders) for (const importer of importers.get(path) ?? []) loaders.add(importer)
  return loaders
}

/**
 * Finds the tests of a folder: its own first, for a change that these notice needs no other; then those that import something of it.
 * @param sources text of each module by its path, tests among them
 * @param options.wide whether tests count that reach the folder through other modules, too
 * @param options.file leaves out tests that do not load this module
 * @returns their paths
 */
export function findTests(
  sources: ReadonlyMap<string, string>,
  folder: string,
  { wide = false, file }: { wide?: boolean; file?: string | undefined } = {},
): string[] {
  const importers = mapImporters(sources)
  const isOwn = (path: string) => path.startsWith(`${folder}/`)
  const isTest = (path: string) => /\.test\.tsx?$/.test(path)
  // test helpers stand for the tests that use them
  const isFollowed = (path: string) => wide || isOwn(path) || path.startsWith('test/')
  const found = new Set([...sources.keys()].filter(isOwn))
  for (const path of found)
    if (isFollowed(path)) for (const importer of importers.get(path) ?? []) found.add(importer)
  const loaders = file === undefined ? found : findLoaders(sources, file)
  const tests = [...found].filter((path) => isTest(path) && loaders.has(path)).toSorted()
  return [...tests.filter(isOwn), ...tests.filter((path) => !isOwn(path))]
}

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number]

export interface Score {
  readonly target: string
  readonly mutants: number
  readonly killed: number
  /** killed changes that ran into the time limit: endless loops, unless the machine is very busy */
  readonly timedOut: number
  readonly survived: number
  /** changes in code that no test runs */
  readonly notCovered: number
  /** killed, in percent of all */
  readonly score: number
  /** only of a sample: how many changes there are in all, what was drawn, and the 95 % interval of the score */
  readonly sample?: {
    readonly all: number
    readonly seed: number
    readonly interval: readonly [number, number]
  }
}

/** Counts results. A change that made the code fail to compile or load says nothing and is left out. */
export function countResults(
  target: string,
  results: readonly Pick<MutantResult, 'status'>[],
  draw?: Pick<Draw, 'all' | 'seed'>,
): Score {
  const count = (...statuses: MutantResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const [killed, timedOut] = [count('Killed', 'Timeout'), count('Timeout')]
  const [survived, notCovered] = [count('Survived'), count('NoCoverage')]
  const mutants = killed + survived + notCovered
  const score = mutants === 0 ? 100 : Math.round((killed / mutants) * 1_000) / 10
  const sample = draw && { all: draw.all, seed: draw.seed, interval: intervalOfShare(killed, mutants) }
  return { target, mutants, killed, timedOut, survived, notCovered, score, ...(sample && { sample }) }
}

/** The scores as a table in Markdown. */
export function formatScores(scores: readonly Score[]): string {
  const rows = scores.map(({ target, mutants, killed, timedOut, survived, notCovered, score, sample }) =>
    [
      `\`${target}\``,
      sample ? `${mutants} of ${sample.all}` : mutants,
      killed,
      timedOut,
      survived,
      notCovered,
      `${score.toFixed(1)} %`,
      sample ? `${sample.interval.map((bound) => bound.toFixed(1)).join('–')} %` : '',
      sample?.seed ?? '',
    ].join(' | '),
  )
  return [
    '| target | mutants | killed | of them timed out | survived | not covered | score | 95 % interval | seed |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}

async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for await (const path of glob('{shared,functions,infra,web/src,test/support,test/emulators}/**/*.{ts,tsx}'))
    sources.set(path, await readFile(path, 'utf8'))
  return sources
}

async function findFiles(pattern: string): Promise<Set<string>> {
  const files = new Set<string>()
  for await (const file of glob(pattern)) files.add(file)
  return files
}

interface Options {
  readonly sources: ReadonlyMap<string, string>
  readonly wide: boolean
  readonly force: boolean
  readonly concurrency?: number
  readonly sample?: { readonly size: number; readonly seed: number }
}

async function measure(name: string, { sources, wide, force, concurrency, sample }: Options): Promise<Score> {
  const { folder, part, mutate, tests, environment } = parseTarget(name)
  const candidates = await findFiles(tests)
  const file = part.endsWith('.ts') ? part : undefined
  const chosen = findTests(sources, folder, { wide, file }).filter((path) => candidates.has(path))
  if (chosen.length === 0) throw new Error(`no test imports anything of ${part}`)
  // read by test/mutation/vitest.config.ts in the processes that run the tests
  process.env['MUTATION_TESTS'] = chosen.join(',')
  process.env['MUTATION_ENVIRONMENT'] = environment
  // other tests give other results: a file's scores are not its folder's
  const area = part.replace(/^functions\/|\/src$/, '').replaceAll('/', '.')
  const draw: Draw | undefined = sample && { ...sample, all: 0, drawn: new Set() }
  if (draw) runRequest.draw = draw
  // asked for each change of a module
  const loaders = new Map<string, ReadonlySet<string>>()
  runRequest.findLoaders = (path) => {
    const known = loaders.get(path) ?? findLoaders(sources, path)
    loaders.set(path, known)
    return known
  }
  const runner = await import('@stryker-mutator/core')
  const results = await new runner.Stryker({
    configFile,
    mutate: [...mutate],
    // a sample would overwrite the result of the whole folder
    incremental: !draw,
    incrementalFile: `${reportFolder}/${area}.incremental.json`,
    force,
    jsonReporter: { fileName: `${reportFolder}/${area}${draw ? `.sample-${draw.seed}` : ''}.json` },
    // only `--check` fails on a low score
    thresholds: { high: 90, low: 80, break: null },
    ...(concurrency !== undefined && { concurrency }),
  }).runMutationTest()
  if (draw && (results.length !== draw.drawn.size || !results.every(({ id }) => draw.drawn.has(id))))
    throw new Error(`${results.length} changes were tried, and not the ${draw.drawn.size} that were drawn`)
  for (const { status, fileName, location, replacement } of results)
    if (status === 'Timeout')
      console.log(`timed out: ${fileName}:${location.start.line} ${replacement ?? ''}`)
  return countResults(
    name,
    results.filter(({ fileName }) => file === undefined || fileName.endsWith(file)),
    draw,
  )
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      wide: { type: 'boolean', default: false },
      concurrency: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [size, seed] = [Number(values.sample ?? 1), Number(values.seed)]
  if (!Number.isSafeInteger(size) || size < 1 || !Number.isSafeInteger(seed))
    throw new Error('--sample wants a number of changes, from 1, and --seed a whole number')
  const sources = await readSources()
  const scores: Score[] = []
  for (const name of positionals.length > 0 ? positionals : defaultTargets)
    try {
      scores.push(
        await measure(name, {
          sources,
          wide: values.wide,
          force: values.force || values.check,
          ...(values.concurrency !== undefined && { concurrency: Number(values.concurrency) }),
          ...(values.sample !== undefined && { sample: { size, seed } }),
        }),
      )
    } catch (error) {
      // for example because a test fails without any change: the other folders can still be measured
      console.error(`${name} was not measured: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  await mkdir(reportFolder, { recursive: true })
  await writeFile(join(reportFolder, 'scores.json'), `${JSON.stringify(scores, null, 2)}\n`)
  console.log(`\n${formatScores(scores)}`)
  if (!values.check) return
  const { thresholds } = JSON.parse(await readFile(configFile, 'utf8')) as { thresholds: { break: number } }
  const low = scores.filter(({ score }) => score < thresholds.break)
  if (low.length === 0) return
  console.error(`\nbelow ${thresholds.break} %: ${low.map(({ target }) => target).join(', ')}`)
  process.exitCode = 1
}

if (import.meta.main) {
  process.chdir(join(import.meta.dirname, '../..'))
  await main()
}
