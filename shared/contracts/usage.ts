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
  /** USD; absent where the deployment knows the price of none of it */
  cost: z.number().nonnegative().optional(),
  /** tokens of models without a known price, which `cost` does not contain; 0 if absent */
  unpricedTokens: count.optional(),
})
export type UsageTotals = z.infer<typeof usageTotals>
