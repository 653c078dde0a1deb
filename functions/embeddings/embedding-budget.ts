import type { Table } from '../platform/dynamodb/table.ts'
import { dailyUsageDays, dailyUsageKey, toCounters, unusedDays } from '../platform/dynamodb/usage-counters.ts'
import { budgetRows, siteTokensKey } from '../chat/budget-rows.ts'

const dayMs = 86_400_000
const daySeconds = dayMs / 1_000
/** Of a day's tokens: files that somebody uploads leave enough for replies. */
const share = 0.5

/**
 * What the vectors of stored files may use of the day's tokens: up to half of a user's, and of everybody's together. Whoever reads files
 * knows no groups, so the limits are the site's.
 * @param loadLimits `siteTokensPerDay` undefined: no limit; undefined: nothing is made now
 */
export function embeddingBudget(
  table: Table,
  loadLimits: () => Promise<
    { readonly tokensPerDay: number; readonly siteTokensPerDay: number | undefined } | undefined
  >,
) {
  const rows = budgetRows(table)
  return {
    /**
     * Reserves what a request may come to.
     * @returns a function that replaces it by the tokens that were used; undefined when the share is used up
     */
    async reserve(
      sub: string,
      tokens: number,
      nowMs: number,
    ): Promise<((used: number) => Promise<void>) | undefined> {
      const limits = await loadLimits()
      if (!limits) return undefined
      const { tokensPerDay, siteTokensPerDay } = limits
      const day = Math.floor(nowMs / dayMs)
      const userKey = dailyUsageKey(sub, day)
      const siteKey = siteTokensPerDay === undefined ? undefined : siteTokensKey(day)
      const user = await rows.reserveTokens(userKey, {
        tokens,
        expiresAtSeconds: (day + unusedDays) * daySeconds,
        maxTokens: tokensPerDay * share,
      })
      if (user === undefined) return undefined
      const site =
        siteKey &&
        (await rows.reserveTokens(siteKey, {
          tokens,
          expiresAtSeconds: (day + unusedDays) * daySeconds,
          maxTokens: (siteTokensPerDay ?? 0) * share,
        }))
      if (siteKey && site === undefined) {
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
