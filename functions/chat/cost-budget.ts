import type { ListedModel } from '#shared/models.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { isConditionFailed, updateRow, wasRetried } from '../platform/dynamodb/update-row.ts'
import { nanosPerDollar } from '../platform/dynamodb/usage-counters.ts'
import { priceTokens } from './usage.ts'
import type { BudgetUsedUp } from './errors.ts'

interface CostLimit {
  /** billionths of a dollar */
  readonly limit: number
  readonly toUsedUpError: () => BudgetUsedUp
}

/**
 * The costs of one reply, in billionths of a dollar. They are added to the attribute `costs` of the day's row, the user's or everybody's,
 * when the reply ends. With a limit of costs, each request reserves an estimate there, so that replies which are written at the same time
 * do not each use up what is left. A request may begin while anything is left, so each of these replies can exceed the limit by the error
 * of one estimate (ADR 0072).
 */
export const costBudget = (table: Table, key: { PK: string; SK: string }) => {
  let limit: CostLimit | undefined
  /** the costs of other replies at the last write */
  let otherCosts = 0
  let reserved = 0
  let spent = 0

  return {
    /** @param dayLimit undefined: costs are not limited. @param row of the day */
    open(dayLimit: CostLimit | undefined, row: Record<string, unknown>): void {
      limit = dayLimit
      otherCosts = Number(row['nano_usd'] ?? 0)
    },

    /** @throws UserBudgetUsedUp, SiteBudgetUsedUp when others and this reply have used up the limit, or reserved it */
    async reserve(
      tokens: { inputTokens: number; outputTokens: number; webSearches?: number },
      price: ListedModel['price'],
    ): Promise<void> {
      if (!limit) return
      if (otherCosts + spent >= limit.limit) throw limit.toUsedUpError()
      const estimate = price ? Math.round(priceTokens(tokens, price) * nanosPerDollar) : 0
      const more = spent + estimate - reserved
      if (more <= 0) return
      try {
        const { attributes = {}, wasRetried } = await updateRow(table, key, {
          // earlier releases have counted no `costs`
          update: 'SET #costs = if_not_exists(#costs, :others) + :more',
          condition: 'attribute_exists(#ttl) AND (attribute_not_exists(#costs) OR #costs < :limit)',
          values: { ':others': otherCosts, ':more': more, ':limit': limit.limit + reserved - spent },
          returns: 'ALL_NEW',
        })
        // both attempts may have been written; too much is given back rather than too little
        reserved += wasRetried ? 2 * more : more
        const costs = Number(attributes['costs']) - reserved
        otherCosts = Math.max(costs, Number(attributes['nano_usd'] ?? 0))
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        if (wasRetried(error)) reserved += more
        throw limit.toUsedUpError()
      }
    },

    spend(nanoUsd: number): void {
      spent += nanoUsd
    },

    /** What the reply has spent beyond its reservations, or reserved in vain. */
    getDifference: () => spent - reserved,

    /** The difference is stored: what is spent from now on counts beside it. */
    close(): void {
      otherCosts += spent
      reserved = spent = 0
    },
  }
}
