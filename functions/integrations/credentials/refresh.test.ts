import { expect, it, onTestFinished } from 'vitest'
import { runRefreshRaces } from '../../../test/support/refresh-race.ts'
import { openTestTable } from '../../../test/support/table.ts'

it('OAUTH-19 concurrent refreshes by two tabs and a schedule lose no rotated token (the long form: npm run soak)', async () => {
  const table = await openTestTable()
  onTestFinished(() => table.close())
  const { tries, refreshes } = await runRefreshRaces(table, { users: 5, rounds: 6 })
  expect(tries).toBe(30)
  expect(refreshes).toBeGreaterThanOrEqual(tries)
})
