import * as z from 'zod'
import type { UsageDay, UsageRead } from '#shared/contracts/usage.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { dailyUsagePrefix, parseCounters, sumUsage } from '../platform/dynamodb/usage-counters.ts'

const dayMs = 86_400_000
/** Days that a user sees, today included. */
const listedDays = 31

const dayRow = z.looseObject({
  SK: z.string().startsWith(dailyUsagePrefix),
  /** of today's budget, reservations of replies that are being written included */
  tokens: z.number().default(0),
  images: z.number().default(0),
  replies: z.number().default(0),
})
type DayRow = z.infer<typeof dayRow>

/** @returns the day (UTC) as `2026-11-21` */
export const formatDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const parseDay = ({ SK }: Pick<DayRow, 'SK'>) => Number(SK.slice(dailyUsagePrefix.length))

const toUsageDay = (row: DayRow): UsageDay => ({
  day: formatDay(parseDay(row)),
  replies: row.replies,
  ...parseCounters(row),
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
    /** Every day that is stored. */
    listDays: async (sub: string): Promise<UsageDay[]> =>
      (await loadRows(sub)).map(toUsageDay).filter(isUsed),

    /** @param limits tokens and images of a day */
    async read(sub: string, limits: { tokens: number; images: number }, nowMs: number): Promise<UsageRead> {
      const today = Math.floor(nowMs / dayMs)
      const rows = (await loadRows(sub)).filter((row) => parseDay(row) > today - listedDays)
      const current = rows.find((row) => parseDay(row) === today)
      const days = rows.map(toUsageDay).filter(isUsed)
      return {
        days,
        total: { replies: days.reduce((sum, { replies }) => sum + replies, 0), ...sumUsage(rows) },
        today: {
          tokens: { used: Math.max(0, current?.tokens ?? 0), limit: limits.tokens },
          images: { used: Math.max(0, current?.images ?? 0), limit: limits.images },
          resets_at: new Date((today + 1) * dayMs).toISOString(),
        },
      }
    },
  }
}

export type UsageRepository = ReturnType<typeof usageRepository>
