import { expect, it } from 'vitest'
import { noUsage } from '../conversations/turns/stored-reply.ts'
import { addUsage } from './usage.ts'

const round = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 }

it('a reply costs the sum of its requests, with cached tokens at their own price', () => {
  const price = { input: 2, cachedInput: 0.5, output: 10 }
  const once = addUsage(noUsage(), round, { price })
  expect(once.cost).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10)
  expect(addUsage(once, round, { price }).cost).toBeCloseTo(2 * (once.cost ?? 0))
})

it('cached tokens without a price cost as much as others, and never exceed the tokens sent', () => {
  const price = { input: 2, output: 10 }
  expect(addUsage(noUsage(), round, { price }).cost).toBeCloseTo(3)
  const odd = { inputTokens: 0, cachedInputTokens: 5, outputTokens: 0 }
  expect(addUsage(noUsage(), odd, { price: { ...price, cachedInput: 1 } }).cost).toBe(0)
})

it.each([
  // nothing of the cache has a price of its own
  [{ input: 2, output: 10 }, 1_000_000, 2 + 1],
  [
    { input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10 },
    1_000_000,
    0.4 * 2 + 0.4 * 0.5 + 0.2 * 2.5 + 1,
  ],
  // a long prompt: all of the request, and prices of the cache in proportion
  [
    {
      input: 2,
      cachedInput: 0.5,
      cacheWrite: 2.5,
      output: 10,
      long: { above: 272_000, input: 4, output: 15 },
    },
    1_000_000,
    2 * (0.4 * 2 + 0.4 * 0.5 + 0.2 * 2.5) + 1.5,
  ],
  [{ input: 2, output: 10, long: { above: 1_000_000, input: 4, output: 15 } }, 1_000_000, 3],
  [{ input: 2, output: 10, long: { above: 999_999, input: 4, output: 15 } }, 1_000_000, 5.5],
  [
    { input: 0, cachedInput: 1, output: 10, long: { above: 1, input: 4, output: 15 } },
    1_000_000,
    1.6 + 0.4 + 1.5,
  ],
])('with the price %j, %i tokens of prompt cost %d', (price, inputTokens, cost) => {
  const tokens = { inputTokens, cachedInputTokens: 400_000, cacheWriteTokens: 200_000, outputTokens: 100_000 }
  expect(addUsage(noUsage(), tokens, { price }).cost).toBeCloseTo(cost)
})

it.each([
  [{ input: 2, output: 10 }, 3 * 0.01],
  [{ input: 2, output: 10, webSearch: 25 }, 3 * 0.025],
  [{ input: 2, output: 10, webSearch: 0 }, 0],
])('with the price %j, three searches cost %d', (price, cost) => {
  const tokens = { inputTokens: 0, outputTokens: 0, webSearches: 3 }
  expect(addUsage(noUsage(), tokens, { price }).cost).toBeCloseTo(cost)
})

it('a reply has no cost without a price', () => {
  expect(addUsage(noUsage(), round)).not.toHaveProperty('cost')
})

it('the usage of requests adds up, and stays an estimate if one of them is', () => {
  const empty = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, images: 0 }
  expect(noUsage()).toEqual(empty)
  const counted = { inputTokens: 5, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 1 }
  const once = addUsage({ ...noUsage(), images: 2 }, counted, { estimated: true })
  expect(once).toStrictEqual({ ...counted, images: 2, estimated: true })
  expect(addUsage(once, { inputTokens: 1, outputTokens: 1 })).toStrictEqual({
    inputTokens: 6,
    cachedInputTokens: 2,
    outputTokens: 4,
    reasoningTokens: 1,
    images: 2,
    estimated: true,
  })
})
