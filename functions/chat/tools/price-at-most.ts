import type { ListedModel } from '#shared/models.ts'
import { priceTokens } from '../usage.ts'

type Price = NonNullable<ListedModel['price']>

/** The most that tokens of any kind and searches cost. @returns USD */
export function priceAtMost(tokens: number, price: Price, webSearches: number): number {
  const all = { inputTokens: tokens, outputTokens: 0 }
  const kinds = [
    all,
    { ...all, cachedInputTokens: tokens },
    { ...all, cacheWriteTokens: tokens },
    { inputTokens: 0, outputTokens: tokens },
  ]
  // any prompt may be a long one
  const { long, ...base } = price
  const prices = long ? [base, { ...price, long: { ...long, above: -1 } }] : [base]
  const highest = Math.max(...prices.flatMap((one) => kinds.map((kind) => priceTokens(kind, one))))
  return highest + priceTokens({ inputTokens: 0, outputTokens: 0, webSearches }, price)
}
