import type { UsageTotals } from '#shared/contracts/usage.ts'
import { formatDay } from '../../../functions/account/usage-repository.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import {
  dailyUsagePrefix,
  sumUsage,
  usageCounterNames,
} from '../../../functions/platform/dynamodb/usage-counters.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { formatColumns } from '../command.ts'
import { scanTable } from '../stage.ts'

/** Periods by which usage is added up; all days together without one. */
export const periods = ['day', 'month'] as const
export type Period = (typeof periods)[number]

interface UsageLine extends UsageTotals {
  /** hash of the user, as in logs; never a name or an address */
  user: string
  /** `2026-11-21` or `2026-11` (UTC); absent for the sum of all days */
  period?: string
  replies: number
}

interface UsageReport {
  /** first and last day (UTC) */
  from: string
  to: string
  /** by period, the newest first, and within it the most tokens first */
  lines: UsageLine[]
  total: Omit<UsageLine, 'user' | 'period'>
}

const dayMs = 86_400_000
const userPrefix = 'RATE#'
const periodLength = { day: 10, month: 7 } as const

type Row = Record<string, unknown>

/** Reads the rows of users' days. The scan costs as much as reading the whole table. */
async function* scanDays(table: Table): AsyncGenerator<{ sub: string; day: number; row: Row }> {
  const attributes = ['PK', 'SK', 'replies', ...usageCounterNames]
  const rows = scanTable(table, {
    FilterExpression: 'begins_with(#PK, :user) AND begins_with(#SK, :day)',
    ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: { ':user': userPrefix, ':day': dailyUsagePrefix },
  })
  for await (const row of rows)
    yield {
      sub: String(row['PK']).slice(userPrefix.length),
      day: Number(String(row['SK']).slice(dailyUsagePrefix.length)),
      row,
    }
}

const sumRows = (rows: readonly Row[]) => ({
  replies: rows.reduce((sum, { replies }) => sum + Number(replies ?? 0), 0),
  ...sumUsage(rows),
})

const countTokens = ({ inputTokens, outputTokens }: UsageTotals) => inputTokens + outputTokens

/** Adds up the usage of each user's replies. @param options `days` back, including today */
export async function reportUsage(
  table: Table,
  { days, period, nowMs }: { days: number; period?: Period | undefined; nowMs: number },
): Promise<UsageReport> {
  const today = Math.floor(nowMs / dayMs)
  const first = today - days + 1
  const groups = new Map<string, { user: string; period?: string; rows: Row[] }>()
  for await (const { sub, day, row } of scanDays(table)) {
    if (day < first || day > today) continue
    const user = userHash(sub)
    const inPeriod = period && formatDay(day).slice(0, periodLength[period])
    const key = `${user} ${inPeriod ?? ''}`
    const group = groups.get(key) ?? { user, ...(inPeriod !== undefined && { period: inPeriod }), rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const lines = all
    .map(({ rows, ...group }) => ({ ...group, ...sumRows(rows) }))
    .filter((line) => line.replies + line.images + countTokens(line) > 0)
    .toSorted(
      (one, other) =>
        (other.period ?? '').localeCompare(one.period ?? '') ||
        countTokens(other) - countTokens(one) ||
        one.user.localeCompare(other.user),
    )
  return {
    from: formatDay(first),
    to: formatDay(today),
    lines,
    total: sumRows(all.flatMap(({ rows }) => rows)),
  }
}

const formatNumber = (value: number) => value.toLocaleString('en')
const formatCost = (cost: number | undefined) => (cost === undefined ? '-' : cost.toFixed(4))

/** The report as a table for a terminal. */
export function formatUsage({ from, to, lines, total }: UsageReport): string {
  const heading = `Usage from ${from} to ${to} (days end at midnight UTC)`
  if (lines.length === 0) return `${heading}\nNothing was used.`
  const hasPeriod = lines[0]?.period !== undefined
  const toCells = (line: Partial<UsageLine> & UsageReport['total'], name: string) => [
    name,
    ...(hasPeriod ? [line.period ?? ''] : []),
    ...[line.replies, line.inputTokens, line.cachedInputTokens, line.outputTokens, line.images].map(
      formatNumber,
    ),
    formatCost(line.cost),
  ]
  const table = [
    ['user', ...(hasPeriod ? ['period'] : []), 'replies', 'input', 'cached', 'output', 'images', '$'],
    ...lines.map((line) => toCells(line, line.user)),
    toCells(total, 'all'),
  ]
  const text = formatColumns(table, (column) => column > (hasPeriod ? 1 : 0))
  const notes = [
    ...(total.images > 0 ? ['Costs are without images.'] : []),
    ...(total.unpricedTokens
      ? [
          `${formatNumber(total.unpricedTokens)} tokens are of models without a price in \`models\`, and not in the costs.`,
        ]
      : []),
  ]
  return [heading, '', ...text, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}
