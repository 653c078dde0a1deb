import * as z from 'zod'
import { dailyUsageDays } from '../../functions/platform/dynamodb/usage-counters.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { parseCount, printLine, runCommand, targetOptions } from './command.ts'
import { findTable } from './stage.ts'
import { formatUsage, periods, reportUsage } from './usage/usage-report.ts'

const options = {
  days: { type: 'string', default: '31' },
  by: { type: 'string' },
  json: { type: 'boolean', default: false },
  ...targetOptions,
} as const

await runCommand('usage', { options }, async ({ values }) => {
  const days = parseCount('days', values.days, dailyUsageDays)
  const period = z.enum(periods).optional().safeParse(values.by)
  if (!period.success) throw new OperatorError(`--by ${values.by} must be day or month.`)
  const table = await findTable(values)
  const report = await reportUsage(table, { days, period: period.data, nowMs: Date.now() })
  printLine(values.json ? JSON.stringify(report, null, 2) : formatUsage(report))
})
