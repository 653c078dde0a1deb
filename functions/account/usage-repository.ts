import * as z from 'zod'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { UsageDay, UsageRead } from '#shared/contracts/usage.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { lastActivity } from '../platform/last-activity.ts'
import {
  dailyUsagePrefix,
  findMonth,
  parseCounters,
  parseUsageDay,
  storedCount,
  sumScheduled,
  sumUsage,
} from '../platform/dynamodb/usage-counters.ts'

const dayMs = 86_400_000
/** Days that a user sees, today included. */
const maxListedDays = 31

const dayRow = z.looseObject({
  SK: z.string().startsWith(dailyUsagePrefix),
  /** of today's budget, reservations of replies that are being written included */
  tokens: storedCount,
  images: storedCount,
  replies: storedCount,
})
type DayRow = z.infer<typeof dayRow>

/** @returns the day (UTC) as `2026-11-21` */
export const formatDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const parseDay = ({ SK }: Pick<DayRow, 'SK'>) => parseUsageDay(SK)

/** The day on which limits reset. */
const formatReset = (day: number) => new Date(day * dayMs).toISOString()

const sumTokens = (rows: readonly DayRow[]) => rows.reduce((sum, { tokens }) => sum + Math.max(0, tokens), 0)

const toCost = (rows: readonly DayRow[], limit: number | undefined) =>
  limit === undefined ? undefined : { used: sumUsage(rows).cost ?? 0, limit }

const toUsageDay = (row: DayRow): UsageDay => ({
  day: formatDay(parseDay(row)),
  replies: row.replies,
  ...parseCounters(row),
  ...sumScheduled([row]),
})

/** A day on which every reply failed has a row too. */
const isUsed = ({ replies, images, inputTokens, outputTokens }: UsageDay) =>
  replies + images + inputTokens + outputTokens > 0

/** What replies to a user have used, by day (UTC). */
export const usageRepository = (table: Table) => {
  /** Newest first. */
  async function loadRows(sub: string): Promise<DayRow[]> {
    const rows = await queryAll(table, { partition: `RATE#${sub}`, prefix: dailyUsagePrefix })
    return rows.map((row) => dayRow.parse(row)).reverse()
  }

  return {
    findLastActivity: lastActivity(table).find,

    listDays: async (sub: string): Promise<UsageDay[]> =>
      (await loadRows(sub)).map(toUsageDay).filter(isUsed),

    /** @param limits those in force for the user; `tokens_per_day` and `images_per_day` always are */
    async read(sub: string, limits: GroupLimits, nowMs: number): Promise<UsageRead> {
      const today = Math.floor(nowMs / dayMs)
      const { firstDay, endDay } = findMonth(today)
      const all = await loadRows(sub)
      const monthRows = all.filter((row) => parseDay(row) >= firstDay)
      const rows = all.filter((row) => parseDay(row) > today - maxListedDays)
      const todayRow = rows.find((row) => parseDay(row) === today)
      const costToday = toCost(todayRow ? [todayRow] : [], limits.cost_per_day)
      const costThisMonth = toCost(monthRows, limits.cost_per_month)
      const { tokens_per_month: monthlyTokenLimit } = limits
      const days = rows.map(toUsageDay).filter(isUsed)
      return {
        days,
        total: {
          replies: days.reduce((sum, { replies }) => sum + replies, 0),
          ...sumUsage(rows),
          ...sumScheduled(rows),
        },
        today: {
          tokens: { used: Math.max(0, todayRow?.tokens ?? 0), limit: limits.tokens_per_day ?? 0 },
          images: { used: Math.max(0, todayRow?.images ?? 0), limit: limits.images_per_day ?? 0 },
          ...(costToday && { cost: costToday }),
          resets_at: formatReset(today + 1),
        },
        ...((monthlyTokenLimit !== undefined || costThisMonth) && {
          month: {
            ...(monthlyTokenLimit !== undefined && {
              tokens: { used: sumTokens(monthRows), limit: monthlyTokenLimit },
            }),
            ...(costThisMonth && { cost: costThisMonth }),
            resets_at: formatReset(endDay),
          },
        }),
      }
    },
  }
}

export type UsageRepository = ReturnType<typeof usageRepository>
