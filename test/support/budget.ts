import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndedFile } from './progress-reporter.ts'

/*
 * What `npm test` may cost, in processor seconds of the reference machine: `test/budget.json`. A busy machine takes longer for the same
 * work also by this measure, so a fixed piece of work that runs beside the tests tells how fast the machine is.
 */

const file = join(import.meta.dirname, '../budget.json')

/** a file that takes longer has tests of the second tier, or is made cheaper */
const fileLimitMs = 2_000
/** the same of a test */
const testLimitMs = 500
/** What is measured of a file or a test varies with what ran before in its worker, so a run fails at thrice its limit; the sum varies less. */
const tolerance = 3
const sumTolerance = 1.2

interface Budget {
  /** processor milliseconds of the piece of work on the reference machine */
  readonly referenceMs: number
  /** what all of `npm test` may take */
  readonly processorSeconds: number
  /** what was measured last, for those who change it */
  readonly steps: Readonly<Record<string, number>>
  /** Files that take longer than others, in processor seconds: as they were measured, to become fewer. */
  readonly dearFiles: Readonly<Record<string, number>>
}

export interface Measured {
  readonly seconds: number
  readonly steps: Readonly<Record<string, number>>
  readonly files: readonly EndedFile[]
  /** processor time here, as a multiple of the reference machine's */
  readonly speed: number
  /** the whole of `npm test` */
  readonly isFirstTier: boolean
}

export const readBudget = () => JSON.parse(readFileSync(file, 'utf8')) as Budget

/** @returns processor time of a fixed piece of work here, as a multiple of the reference machine's */
export function measureSpeed(): number {
  const before = process.cpuUsage()
  const items = Array.from({ length: 40_000 }, (_, index) => ({ index, text: String(index) }))
  const text = JSON.stringify(items)
  JSON.parse(text)
  createHash('sha256').update(text).digest()
  items.sort((a, b) => (a.text < b.text ? -1 : 1))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / readBudget().referenceMs
}

/** @returns what takes too long, as sentences; nothing if all is within the budget */
export function checkBudget(budget: Budget, measured: Measured): string[] {
  const scale = Math.max(1, measured.speed)
  const tooDear = listDear(budget, measured.files, measured.speed)
  const allowed = budget.processorSeconds * scale * sumTolerance
  const isOver = measured.isFirstTier && measured.seconds > allowed
  const sum = `all took ${measured.seconds.toFixed(0)} s of the processor, at most ${allowed.toFixed(0)} s here`
  return [...tooDear, ...(isOver ? [sum] : [])]
}

/** The files and tests that take too long. @param speed of `measureSpeed` */
export function listDear(budget: Budget, files: readonly EndedFile[], speed: number): string[] {
  const scale = Math.max(1, speed)
  return files.flatMap(({ file: path, processorMs = 0, dearTests }) => {
    const allowedMs = (budget.dearFiles[path] ?? fileLimitMs / 1000) * 1000 * scale * tolerance
    const limitMs = testLimitMs * scale * tolerance
    const tests = path in budget.dearFiles ? [] : dearTests.filter((test) => test.processorMs > limitMs)
    return [
      ...(processorMs > allowedMs
        ? [`${path} took ${seconds(processorMs)} of the processor, at most ${seconds(allowedMs)} here`]
        : []),
      ...tests.map(
        (test) =>
          `${path} > ${test.name} took ${seconds(test.processorMs)} of the processor, at most ${seconds(limitMs)} here`,
      ),
    ]
  })
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Notes what was measured; what is allowed is written by hand. */
export function writeBudget({ steps, speed }: Measured): void {
  const rounded = Object.fromEntries(
    Object.entries(steps).map(([name, value]) => [name, Math.round(value / speed)]),
  )
  const budget: Budget = { ...readBudget(), steps: rounded }
  writeFileSync(file, `${JSON.stringify(budget, undefined, 2)}\n`)
}
