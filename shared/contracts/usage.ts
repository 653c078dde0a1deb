import * as z from 'zod'

const count = z.number().int().nonnegative()

/** What several replies used together. */
export const usageTotals = z.object({
  /** all tokens of the prompts, cached ones included */
  inputTokens: count,
  cachedInputTokens: count,
  /** all tokens that models wrote, those of their reasoning included */
  outputTokens: count,
  /** images made, which `cost` does not contain */
  images: count,
  /** searches of the web by servers of models, as they bill them; 0 if absent */
  webSearches: count.optional(),
  /** USD; absent where the deployment knows the price of none of it */
  cost: z.number().nonnegative().optional(),
  /** tokens of models without a known price, which `cost` does not contain; 0 if absent */
  unpricedTokens: count.optional(),
  /** the part of all this that runs of schedules have used; none if absent. `cost` as above */
  scheduled: z
    .object({ replies: count, tokens: count, cost: z.number().nonnegative().optional() })
    .optional(),
})
export type UsageTotals = z.infer<typeof usageTotals>

/** What the replies of a day (UTC, as `2026-11-21`) used. A reply counts on the day it began. */
export const usageDay = usageTotals.extend({ day: z.string(), replies: count })
export type UsageDay = z.infer<typeof usageDay>

/** Of today's budget. What is reserved for replies that are being written counts as used. */
const dailyBudget = z.object({ used: count, limit: count })

/** USD; of today or of this month. It does not contain what replies that are being written will cost. */
const costBudget = z.object({ used: z.number().nonnegative(), limit: z.number().nonnegative() })

/** GET /api/account/usage: of the caller's replies, temporary ones included. */
export const usageRead = z.object({
  /** those of the last 31 days on which something was used, newest first */
  days: z.array(usageDay),
  /** totals of these days */
  total: usageTotals.extend({ replies: count }),
  today: z.object({
    tokens: dailyBudget,
    images: dailyBudget,
    /** absent without a limit */
    cost: costBudget.optional(),
    /** midnight, UTC */
    resets_at: z.string(),
  }),
  /** absent without a limit for the month (UTC) */
  month: z
    .object({
      tokens: dailyBudget.optional(),
      cost: costBudget.optional(),
      resets_at: z.string(),
    })
    .optional(),
})
export type UsageRead = z.infer<typeof usageRead>
