/**
 * A random sample of the changes of a folder: what it tells of all of them, and the plugin with which Stryker tries only these, and
 * code that runs at import only on the tests that load it.
 */

import { relative } from 'node:path'

/** A change in Stryker's plan. Its id is its number among the changes that the run found. */
export interface Plan {
  readonly mutant: {
    readonly id: string
    readonly fileName: string
    readonly location: { readonly start: { readonly line: number; readonly column: number } }
    readonly mutatorName: string
    readonly replacement?: string
    readonly static?: boolean
  }
  /** undefined if the outcome is known without a run */
  readonly runOptions?: { testFilter?: string[] | undefined }
}

interface Test {
  readonly id: string
  readonly fileName?: string
}

/** A tested change. */
interface TestedMutant extends Omit<Plan['mutant'], 'id'> {
  readonly status: string
  /** whether its code runs once, when it is imported: all tests are run against it */
  readonly static?: boolean
}

export interface Draw {
  readonly size: number
  readonly seed: number
  /** the number of all changes; 0 until Stryker has listed them */
  all: number
  /** their ids */
  drawn: ReadonlySet<string>
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Draws without returning what was drawn: each item is as likely as any other (Fisher-Yates).
 * @param items in an order that does not change from run to run
 * @returns all of them when there are no more than `size`
 */
export function drawSample<T>(items: readonly T[], { size, seed }: { size: number; seed: number }): T[] {
  const random = createRandom(seed)
  const pool = [...items]
  const sample: T[] = []
  while (sample.length < size && pool.length > 0) {
    const [item] = pool.splice(Math.floor(random() * pool.length), 1)
    sample.push(item as T)
  }
  return sample
}

/**
 * The 95 % interval of a share that was seen in a sample, after Wilson.
 * @returns in percent with one digit, from 0 to 100
 */
export function intervalOfShare(hits: number, size: number): [number, number] {
  if (size === 0) return [0, 100]
  const z = 1.96
  const share = hits / size
  const middle = share + z ** 2 / (2 * size)
  const reach = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2))
  const round = (value: number) => Math.round((value / (1 + z ** 2 / size)) * 1_000) / 10
  // rounding makes -0 of 0
  return [Math.max(0, round(middle - reach)), Math.min(100, round(middle + reach))]
}

function sortKey({ mutant: { fileName, location, mutatorName, replacement = '' } }: Plan): string {
  return `${fileName}:${location.start.line}:${location.start.column} ${mutatorName} ${replacement}`
}

/** Keeps only the drawn changes in Stryker's plan, and records them. */
export function reducePlan(plans: Plan[], draw: Draw): void {
  const sorted = plans
    .map((plan) => ({ plan, key: sortKey(plan) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ plan }) => plan)
  draw.all = plans.length
  draw.drawn = new Set(drawSample(sorted, draw).map(({ mutant }) => mutant.id))
  plans.splice(0, plans.length, ...plans.filter(({ mutant }) => draw.drawn.has(mutant.id)))
}

/**
 * Leaves to changes in code that runs at import the tests that load it; Stryker would run all tests on each, which is most of a run.
 * @param findLoaders returns the paths of the modules that load a module
 */
export function limitStaticPlans(
  plans: readonly Plan[],
  tests: readonly Test[],
  findLoaders: (path: string) => ReadonlySet<string>,
): void {
  for (const { mutant, runOptions } of plans) {
    if (!mutant.static || !runOptions || runOptions.testFilter) continue
    const loaders = findLoaders(relative(process.cwd(), mutant.fileName))
    const ids = tests
      .filter(({ fileName = '' }) => loaders.has(relative(process.cwd(), fileName)))
      .map(({ id }) => id)
    // an empty filter would not filter
    if (ids.length > 0) runOptions.testFilter = ids
  }
}

/** What `run.ts` requests. Stryker creates its plugins itself, in the same process, so they share this. */
export const runRequest: { draw?: Draw; findLoaders?: (path: string) => ReadonlySet<string> } = {}

let tests: readonly Test[] = []

/** Read by Stryker. It runs what is left in the plan; `run.ts` compares that with the draw. */
export const strykerPlugins = [
  {
    kind: 'Reporter',
    name: 'sample',
    value: {
      onDryRunCompleted({ result }: { result: { tests: readonly Test[] } }) {
        ;({ tests } = result)
      },
      onMutationTestingPlanReady({ mutantPlans }: { mutantPlans: Plan[] }) {
        if (runRequest.findLoaders) limitStaticPlans(mutantPlans, tests, runRequest.findLoaders)
        if (runRequest.draw) reducePlan(mutantPlans, runRequest.draw)
      },
      // the report is sent with the last one: an interrupted run still reports its findings
      onMutantTested({ status, fileName, location, replacement = '', static: isStatic }: TestedMutant) {
        if (!runRequest.draw) return
        const change = `${relative(process.cwd(), fileName)}:${location.start.line} ${replacement}`
        console.log(
          `${status}${isStatic ? ', runs at import' : ''}: ${change.replace(/\s+/g, ' ').slice(0, 160)}`,
        )
      },
    },
  },
]
