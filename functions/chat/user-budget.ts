import type { GroupLimits } from '#shared/contracts/admin.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import {
  dailyUsageKey,
  dailyUsagePrefix,
  findMonth,
  nanosPerDollar,
  parseUsageDay,
  storedCount,
} from '../platform/dynamodb/usage-counters.ts'
import { UserBudgetUsedUp, type SpendingLimit } from './errors.ts'

const daySeconds = 86_400

/** What one user may spend. Costs in billionths of a dollar; undefined: no limit. */
export interface UserBudgetLimits {
  readonly tokensPerDay: number
  readonly imagesPerDay: number
  readonly tokensPerMonth?: number | undefined
  readonly nanoUsdPerDay?: number | undefined
  readonly nanoUsdPerMonth?: number | undefined
}

/** Converts US dollars to billionths of one; undefined, which is no limit, stays. */
export const toNanoUsd = (dollars: number | undefined) =>
  dollars === undefined ? undefined : Math.round(dollars * nanosPerDollar)

/** Converts a user's limits to the units of the budget. @param limits those in force for the user; what they do not name is the deployment's */
export const toUserBudget = (
  limits: GroupLimits,
  deployment: Pick<UserBudgetLimits, 'tokensPerDay' | 'imagesPerDay'>,
): UserBudgetLimits => ({
  tokensPerDay: limits.tokens_per_day ?? deployment.tokensPerDay,
  imagesPerDay: limits.images_per_day ?? deployment.imagesPerDay,
  tokensPerMonth: limits.tokens_per_month,
  nanoUsdPerDay: toNanoUsd(limits.cost_per_day),
  nanoUsdPerMonth: toNanoUsd(limits.cost_per_month),
})

/** What the counter of a user's day may come to, by the limits of the day and of the month. */
export interface DayLimit {
  readonly limit: number
  readonly toUsedUpError: () => UserBudgetUsedUp
}

/** The sums of several days. */
interface DaySum {
  tokens: number
  nano_usd: number
}

const emptySum: DaySum = { tokens: 0, nano_usd: 0 }

/** What the earlier days of the month count. They are read, at most 62 small rows, only if there is a monthly limit. */
export async function sumEarlierDays(
  table: Table,
  sub: string,
  { day, limits }: { day: number; limits: UserBudgetLimits },
): Promise<DaySum> {
  const { firstDay } = findMonth(day)
  const hasMonthlyLimit = limits.tokensPerMonth !== undefined || limits.nanoUsdPerMonth !== undefined
  if (!hasMonthlyLimit || day === firstDay) return emptySum
  const rows = await queryAll(table, { partition: dailyUsageKey(sub, day).PK, prefix: dailyUsagePrefix })
  const sum = { ...emptySum }
  for (const row of rows) {
    const rowDay = parseUsageDay(String(row['SK']))
    if (rowDay < firstDay || rowDay >= day) continue
    sum.tokens += storedCount.parse(row['tokens'])
    sum.nano_usd += storedCount.parse(row['nano_usd'])
  }
  return sum
}

/**
 * What may be counted in the row of a user's day: the limit of the day, or what the earlier days of the month have left of the month's.
 * @returns `nanoUsd` undefined without a limit of costs
 */
export function findDayLimits(
  { tokensPerDay, tokensPerMonth, nanoUsdPerDay, nanoUsdPerMonth }: UserBudgetLimits,
  day: number,
  earlier: DaySum = emptySum,
): { tokens: DayLimit; nanoUsd: DayLimit | undefined } {
  const toLimit = ({ period, unit, amount }: SpendingLimit, limit: number, endDay: number): DayLimit => ({
    limit,
    toUsedUpError: () =>
      new UserBudgetUsedUp(
        { period, unit, amount },
        Math.max(1, endDay * daySeconds - Math.floor(Date.now() / 1_000)),
      ),
  })
  const toDayLimit = (unit: SpendingLimit['unit'], amount: number) =>
    toLimit({ period: 'day', unit, amount }, amount, day + 1)
  const toMonthLimit = (unit: SpendingLimit['unit'], amount: number) =>
    toLimit({ period: 'month', unit, amount }, Math.max(0, amount - earlier[unit]), findMonth(day).endDay)
  const pickSmaller = (one: DayLimit, other: DayLimit | undefined) =>
    other && other.limit <= one.limit ? other : one

  const tokens = toDayLimit('tokens', tokensPerDay)
  const dailyCost = nanoUsdPerDay === undefined ? undefined : toDayLimit('nano_usd', nanoUsdPerDay)
  const monthlyCost = nanoUsdPerMonth === undefined ? undefined : toMonthLimit('nano_usd', nanoUsdPerMonth)
  return {
    tokens:
      tokensPerMonth === undefined ? tokens : pickSmaller(tokens, toMonthLimit('tokens', tokensPerMonth)),
    nanoUsd: dailyCost ? pickSmaller(dailyCost, monthlyCost) : monthlyCost,
  }
}
