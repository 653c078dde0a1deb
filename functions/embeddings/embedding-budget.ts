import type { Table } from '../platform/dynamodb/table.ts'
import { dailyUsageDays, dailyUsageKey, toCounters, unusedDays } from '../platform/dynamodb/usage-counters.ts'
import { budgetRows, siteTokensKey, type RowKey } from '../chat/budget-rows.ts'
import { findDayLimits, sumEarlierDays, type UserBudgetLimits } from '../chat/user-budget.ts'

const dayMs = 86_400_000
const daySeconds = dayMs / 1_000
/** Of a day's tokens: files that somebody uploads leave enough for replies. */
const share = 0.5

/** What vectors may use: the limits of the files' user, and of everybody together. */
export interface EmbeddingLimits {
  readonly user: UserBudgetLimits
  /** undefined: no limit */
  readonly siteTokensPerDay: number | undefined
}

/**
 * What the vectors of stored files may use of the day's tokens: up to half of their user's, of what is left of the user's month, and of
 * everybody's together.
 * @param loadLimits undefined: nothing is made now
 */
export function embeddingBudget(
  table: Table,
  loadLimits: (sub: string) => Promise<EmbeddingLimits | undefined>,
) {
  const rows = budgetRows(table)
  return {
    /**
     * Reserves what a request may come to, if the share has room for all of it.
     * @returns a function that replaces it by the tokens that were used; undefined when the share is used up
     */
    async reserve(
      sub: string,
      tokens: number,
      nowMs: number,
    ): Promise<((used: number) => Promise<void>) | undefined> {
      const limits = await loadLimits(sub)
      if (!limits) return undefined
      const { siteTokensPerDay } = limits
      const day = Math.floor(nowMs / dayMs)
      const userKey = dailyUsageKey(sub, day)
      const siteKey = siteTokensPerDay === undefined ? undefined : siteTokensKey(day)
      const earlier = await sumEarlierDays(table, sub, { day, limits: limits.user })
      const own = findDayLimits(limits.user, day, earlier)
      // the price of the model is not known: nobody could tell when a limit of costs is reached
      if (own.nanoUsd) return undefined
      const reserve = async (key: RowKey, limit: number) =>
        tokens <= limit * share &&
        (await rows.reserveTokens(key, {
          tokens,
          expiresAtSeconds: (day + unusedDays) * daySeconds,
          maxTokens: limit * share - tokens + 1,
        })) !== undefined
      if (!(await reserve(userKey, own.tokens.limit))) return undefined
      if (siteKey && !(await reserve(siteKey, siteTokensPerDay ?? 0))) {
        await rows.adjustTokens(userKey, -tokens)
        return undefined
      }
      return async (used) => {
        await Promise.all([
          rows.addUsage(
            userKey,
            { ...toCounters({ inputTokens: used, outputTokens: 0 }), tokens: used - tokens },
            used > 0 ? { expiresAtSeconds: (day + dailyUsageDays) * daySeconds } : {},
          ),
          siteKey && rows.adjustTokens(siteKey, used - tokens),
        ])
      }
    },
  }
}

export type EmbeddingBudget = ReturnType<typeof embeddingBudget>
