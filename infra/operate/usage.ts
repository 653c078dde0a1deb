import * as z from 'zod'
import { dailyUsageDays } from '../../functions/platform/dynamodb/usage-counters.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { loadContext } from './cdk-context.ts'
import { reportOperatorError } from './cli-error.ts'
import { findTable } from './find-table.ts'
import { formatUsage, periods, reportUsage, type Period } from './usage/usage-report.ts'
import { printLine } from './print-line.ts'
import { readArguments, targetOptions, formatSynopsis } from './arguments.ts'

/**
 * `npm run usage -- --days 31 -c stage=live`: tokens, images and cost of the replies by user, who is named by the hash in the
 * logs. `--by day` or `--by month` adds up by period, `--json` prints the numbers.
 */

const options = {
  days: { type: 'string', default: '31' },
  by: { type: 'string' },
  json: { type: 'boolean', default: false },
  ...targetOptions,
} as const

try {
  await main()
} catch (error) {
  reportOperatorError(error)
}

async function main(): Promise<void> {
  const { values } = readArguments('usage', { options })
  const days = parseDays(values.days)
  const period = parsePeriod(values.by)
  const table = await findTable(loadContext(values.context ?? []), values)
  const report = await reportUsage(table, { days, period, nowMs: Date.now() })
  printLine(values.json ? JSON.stringify(report, null, 2) : formatUsage(report))
}

function parseDays(value: string): number {
  const days = z.coerce.number().int().min(1).max(dailyUsageDays).safeParse(value)
  if (!days.success)
    throw new OperatorError(`--days ${value} must be a whole number from 1 to ${dailyUsageDays}.`)
  return days.data
}

function parsePeriod(value: string | undefined): Period | undefined {
  const period = z.enum(periods).optional().safeParse(value)
  if (!period.success)
    throw new OperatorError(`--by ${value} must be day or month.\n${formatSynopsis('usage')}`)
  return period.data
}
