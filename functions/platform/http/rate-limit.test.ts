import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import { rateLimit } from './rate-limit.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:10Z') })
  return () => vi.useRealTimers()
})

it('lets the budget of a minute through, and then returns when the next one begins', async () => {
  const limits = rateLimit(table, 3 / 60)
  for (let call = 0; call < 3; call += 1) await limits.count('ann', 'chat')
  await expect(limits.count('ann', 'chat')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 50 })
  await limits.count('ben', 'chat')
  await limits.count('ann', 'write')
  vi.setSystemTime(Date.parse('2026-03-01T12:01:00Z'))
  await limits.count('ann', 'chat')
})

it('counts each of many concurrent calls', async () => {
  const limits = rateLimit(table, 5 / 60)
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => limits.count('cleo', 'chat')))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

it('counts reads against their own budget, and public routes against none (M3)', async () => {
  const limits = rateLimit(table, 2 / 600)
  for (let call = 0; call < 2; call += 1) await limits.count('dora', 'read')
  await expect(limits.count('dora', 'read')).rejects.toMatchObject({ status: 429 })
  await limits.count('dora', 'write')
  const before = table.writeUnits()
  await limits.count('dora', 'none')
  expect(table.writeUnits()).toBe(before)
})

it('writes nothing to the table for calls over the budget until the window ends (M3)', async () => {
  const limits = rateLimit(table, 1 / 60)
  await limits.count('eve', 'chat')
  await expect(limits.count('eve', 'chat')).rejects.toMatchObject({ status: 429 })
  const before = table.writeUnits()
  for (let call = 0; call < 50; call += 1)
    await expect(limits.count('eve', 'chat')).rejects.toMatchObject({ retryAfterSeconds: 50 })
  expect(table.writeUnits()).toBe(before)
  vi.setSystemTime(Date.parse('2026-03-01T12:01:00Z'))
  await limits.count('eve', 'chat')
})
