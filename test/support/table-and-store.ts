import { afterAll, beforeEach, vi } from 'vitest'
import { openTestTable } from './table.ts'
import { startTestStore } from './test-store.ts'

/** A table and an object store for the tests of one file, closed after them. */
export async function openTableAndStore(bucket: string) {
  const [storeEmulator, table] = await Promise.all([startTestStore(bucket), openTestTable()])
  beforeEach(() => {
    for (const [name, value] of Object.entries(storeEmulator.variables)) vi.stubEnv(name, value)
  })
  afterAll(() => Promise.all([table.close(), storeEmulator.close()]))
  return table
}
