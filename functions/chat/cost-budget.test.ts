import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { costBudget } from './cost-budget.ts'
import { UserBudgetUsedUp } from './errors.ts'

const table = await openTestTable()
afterAll(() => table.close())

const toNanoUsd = (dollars: number) => Math.round(dollars * 1e9)
/** The cost in dollars equals the number of tokens. */
const price = { input: 1_000_000, output: 1_000_000 }
const usedUpError = { code: 'budget' }

/** Reserves a reply of a user with a limit of two dollars a day. @param costsSoFar the costs of the day so far */
async function aReply(costsSoFar: { nano_usd?: number; costs?: number } = {}) {
  const Key = { PK: `RATE#${crypto.randomUUID()}`, SK: 'replies#1' }
  const addCosts = (costs: number) =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: 'ADD costs :costs SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':costs': toNanoUsd(costs), ':ttl': 4_000_000_000 },
      }),
    )
  await addCosts(costsSoFar.costs ?? 0)
  const budget = costBudget(table, Key)
  const toUsedUpError = () =>
    new UserBudgetUsedUp({ period: 'day', unit: 'nano_usd', amount: toNanoUsd(2) }, 60)
  budget.open({ limit: toNanoUsd(2), toUsedUpError }, { nano_usd: toNanoUsd(costsSoFar.nano_usd ?? 0) })
  return {
    ...budget,
    addCosts,
    reserveUnpriced: () => budget.reserve({ inputTokens: 1, outputTokens: 1 }, undefined),
    reserve: (dollars: number) => budget.reserve({ inputTokens: dollars, outputTokens: 0 }, price),
    reserveSearches: (webSearches: number) =>
      budget.reserve({ inputTokens: 0, outputTokens: 0, webSearches }, price),
    spend: (dollars: number) => budget.spend(toNanoUsd(dollars)),
    read: async () => {
      const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }))
      return Number(Item?.['costs']) / 1e9
    },
  }
}

describe('DEC-192 the costs of a reply', () => {
  it('are reserved for each request, minus what earlier requests reserved and did not use', async () => {
    const reply = await aReply()
    await reply.reserve(1)
    reply.spend(0.25)
    await reply.reserve(1)
    expect(await reply.read()).toBe(1.25)
    reply.spend(0.5)
    expect(reply.getDifference()).toBe(toNanoUsd(-0.5))
  })

  it('have those of searches of the web, which the server may make', async () => {
    const reply = await aReply()
    await reply.reserveSearches(20)
    expect(await reply.read()).toBe(0.2)
    reply.spend(0.01)
    expect(reply.getDifference()).toBe(toNanoUsd(-0.19))
  })

  it('of what follows a reply are counted beside it', async () => {
    const reply = await aReply()
    await reply.reserve(1)
    reply.spend(1.5)
    await reply.addCosts(0.5)
    reply.close()
    expect(reply.getDifference()).toBe(0)
    await reply.reserve(1)
    expect(await reply.read()).toBe(2.5)
    reply.spend(0.25)
    expect(reply.getDifference()).toBe(toNanoUsd(-0.75))
    reply.spend(0.25)
    await expect(reply.reserve(1)).rejects.toMatchObject(usedUpError)
  })

  it('may exceed the limit by one reservation, and are refused without a write once it is spent', async () => {
    const reply = await aReply()
    await reply.reserve(5)
    reply.spend(0.1)
    await reply.reserve(5)
    expect(await reply.read()).toBe(5.1)
    reply.spend(1.9)
    const before = table.writeUnits()
    await expect(reply.reserve(1)).rejects.toMatchObject(usedUpError)
    expect(table.writeUnits()).toBe(before)
  })

  it('are checked against what other replies have reserved', async () => {
    const earlyReply = await aReply()
    await earlyReply.reserve(5)
    earlyReply.spend(0.1)
    await earlyReply.addCosts(1.95)
    await expect(earlyReply.reserve(5)).rejects.toMatchObject(usedUpError)

    const lateReply = await aReply({ costs: 1 })
    await lateReply.reserve(5)
    lateReply.spend(1)
    // its own reservation would cover it
    await expect(lateReply.reserve(1)).rejects.toMatchObject(usedUpError)
    await expect((await aReply({ costs: 2 })).reserve(1)).rejects.toMatchObject(usedUpError)
  })

  it('are refused when the limit of the day is used up', async () => {
    await expect((await aReply({ nano_usd: 2 })).reserve(0)).rejects.toMatchObject(usedUpError)
    await expect((await aReply({ nano_usd: 1.9 })).reserve(0)).resolves.toBeUndefined()
  })

  it('are not reserved without a limit, or of a model whose price is not known', async () => {
    const unlimited = await aReply()
    unlimited.open(undefined, {})
    await unlimited.reserve(1)
    expect(await unlimited.read()).toBe(0)
    const unpriced = await aReply()
    const before = table.writeUnits()
    await unpriced.reserveUnpriced()
    expect(table.writeUnits()).toBe(before)
  })

  it('are not written again while an earlier reservation covers them', async () => {
    const reply = await aReply()
    await reply.reserve(1)
    reply.spend(0.5)
    const before = table.writeUnits()
    await reply.reserve(0.5)
    expect(table.writeUnits()).toBe(before)
    expect(reply.getDifference()).toBe(toNanoUsd(-0.5))
    await reply.reserve(0.75)
    expect(await reply.read()).toBe(1.25)
  })
})
