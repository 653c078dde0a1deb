import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { readOwnTree } from './processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** of a file: processor milliseconds of its worker and of all that the worker has started; of a test: of its worker alone */
    processorMs?: number
  }
}

/**
 * Set-up of all tests: notes the processor time of each file, without what it imports, which depends on the files before it in its worker,
 * and of each test that takes more than a tenth of a second.
 */
const notedFromMs = 100

let startedAtMs: number
beforeAll(() => {
  startedAtMs = readOwnTree()
})
// vitest takes nothing but a pattern
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { meta }) => {
  meta.processorMs = readOwnTree() - startedAtMs
})

let before: NodeJS.CpuUsage
beforeEach(() => {
  before = process.cpuUsage()
})
afterEach(({ task }) => {
  const { user, system } = process.cpuUsage(before)
  const processorMs = (user + system) / 1000
  if (processorMs > notedFromMs) task.meta.processorMs = processorMs
})
