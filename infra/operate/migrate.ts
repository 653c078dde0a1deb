import { wait } from '../../functions/platform/clock.ts'
import { parseCount, printLine, runCommand, targetOptions } from './command.ts'
import { describeMigration, migrateRows } from './migrate/migrate-rows.ts'
import { findTable } from './stage.ts'

/** `npm run migrate`: an interrupted migration goes on when the command is run again. */
const options = {
  'dry-run': { type: 'boolean', default: false },
  writes: { type: 'string', default: '50' },
  ...targetOptions,
} as const

/** The exit code is 0 when nothing is left to do. */
await runCommand('migrate', { options }, async ({ values }) => {
  const { 'dry-run': dryRun, writes } = values
  const result = await migrateRows(await findTable(values), {
    dryRun,
    writes: parseCount('writes', writes, 10_000),
    now: () => new Date(),
    pause: wait,
    report: printLine,
  })
  printLine(describeMigration(result, dryRun))
  return result.left > 0 ? 1 : 0
})
