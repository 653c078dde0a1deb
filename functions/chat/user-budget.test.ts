import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { findDayLimits, sumEarlierDays, toUserBudget, type UserBudgetLimits } from './user-budget.ts'

const table = await openTestTable()
afterAll(() => table.close())

const deploymentLimits = { tokensPerDay: 1_000, imagesPerDay: 5 }
/** The 10th of November 2026. */
const aDay = Date.UTC(2026, 10, 10) / 86_400_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: aDay * 86_400_000 }))
afterEach(() => void vi.useRealTimers())

it('DEC-189 missing limits of a user are those of the deployment; money is counted in whole billionths', () => {
  expect(toUserBudget({}, deploymentLimits)).toEqual(deploymentLimits)
  const limits = { tokens_per_day: 0, images_per_day: 0, tokens_per_month: 7 }
  expect(toUserBudget({ ...limits, cost_per_day: 1.001, cost_per_month: 8.2 }, deploymentLimits)).toEqual({
    tokensPerDay: 0,
    imagesPerDay: 0,
    tokensPerMonth: 7,
    nanoUsdPerDay: 1_001_000_000,
    nanoUsdPerMonth: 8_200_000_000,
  })
})

describe('DEC-189 a monthly limit', () => {
  const sumDays = (limits: Partial<UserBudgetLimits>, days: Record<number, object>, day = aDay) => {
    const sub = crypto.randomUUID()
    const rows = Object.entries(days).map(([offset, counters]) => ({
      PK: `RATE#${sub}`,
      SK: `replies#${aDay + Number(offset)}`,
      ...counters,
    }))
    const puts = rows.map((Item) => table.client.send(new PutCommand({ TableName: table.name, Item })))
    return Promise.all(puts).then(() =>
      sumEarlierDays(table, sub, { day, limits: { ...deploymentLimits, ...limits } }),
    )
  }

  it('counts the earlier days of the month; a negative sum counts as zero', async () => {
    const days = { [-1]: { tokens: 20 }, [-2]: { nano_usd: 5 }, [-3]: { tokens: -9 }, 0: { tokens: 100 } }
    for (const limits of [{ tokensPerMonth: 1 }, { nanoUsdPerMonth: 1 }])
      expect(await sumDays(limits, days)).toEqual({ tokens: 20, nano_usd: 5 })
  })

  it('counts from the first day of the month to the day before', async () => {
    // the 31st of October, the 1st and the 9th of November
    const days = {
      [-10]: { tokens: 1, nano_usd: 1 },
      [-9]: { tokens: 10, nano_usd: 10 },
      [-1]: { tokens: 100 },
    }
    expect(await sumDays({ tokensPerMonth: 1 }, days)).toEqual({ tokens: 110, nano_usd: 10 })
    expect(await sumDays({}, days)).toEqual({ tokens: 0, nano_usd: 0 })
  })

  it('and one of a day are over a second from now at the earliest', () => {
    const limits = { ...deploymentLimits, tokensPerMonth: 1, nanoUsdPerDay: 1 }
    vi.setSystemTime(aDay * 86_400_000 + 86_399_999)
    expect(findDayLimits(limits, aDay).nanoUsd?.toUsedUpError()).toMatchObject({ retryAfterSeconds: 1 })
    vi.setSystemTime(Date.UTC(2026, 11, 1, 5))
    const { tokens, nanoUsd } = findDayLimits(limits, aDay)
    expect([tokens.toUsedUpError(), nanoUsd?.toUsedUpError()]).toMatchObject([
      { retryAfterSeconds: 1 },
      { retryAfterSeconds: 1 },
    ])
  })

  it('has nothing to read on the first day of the month', async () => {
    const send = vi.spyOn(table.client, 'send')
    expect(await sumDays({ tokensPerMonth: 1 }, {}, aDay - 9)).toEqual({ tokens: 0, nano_usd: 0 })
    expect(send).not.toHaveBeenCalled()
  })

  it.each([
    // tokens per day and month, used before: what is left, and which of the two limits applies
    [10, 100, 0, 10, 'today'],
    [10, 100, 90, 10, 'month'],
    [10, 100, 95, 5, 'month'],
    [10, 100, 130, 0, 'month'],
    [10, undefined, 130, 10, 'today'],
  ] as const)(
    '%s a day, %s a month, %s used: %s are left, by the limit of %s',
    (day, month, used, remaining, limitName) => {
      const earlier = { tokens: used, nano_usd: used }
      const asTokens = { tokensPerDay: day, tokensPerMonth: month, imagesPerDay: 1 }
      const asMoney = { ...deploymentLimits, nanoUsdPerDay: day, nanoUsdPerMonth: month }
      for (const limit of [
        findDayLimits(asTokens, aDay, earlier).tokens,
        findDayLimits(asMoney, aDay, earlier).nanoUsd,
      ]) {
        expect(limit?.limit).toBe(remaining)
        expect(limit?.toUsedUpError()).toMatchObject({
          userMessage: expect.stringContaining(limitName) as string,
          retryAfterSeconds: 86_400 * (limitName === 'today' ? 1 : 21),
        })
      }
    },
  )

  it('of money works without a daily limit; without either there is none', () => {
    expect(findDayLimits({ ...deploymentLimits, nanoUsdPerMonth: 7 }, aDay).nanoUsd?.limit).toBe(7)
    expect(findDayLimits(deploymentLimits, aDay).nanoUsd).toBeUndefined()
  })
})
