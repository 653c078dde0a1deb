import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { readTokenCount } from '../models/token-counts.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { replyBudget } from './reply-budget.ts'

/* What users of other products have reported about limits. */

process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())
afterEach(() => void vi.useRealTimers())

const limits = { repliesAtOnce: 2, tokensPerDay: 1_000, imagesPerDay: 1, siteTokensPerDay: undefined }
const open = (sub: string) =>
  replyBudget(table, limits).openReservation(sub, { forMs: 300_000, messageTokens: 0 }, logger)
async function reply(sub: string, inputTokens: number) {
  const reservation = open(sub)
  await reservation.reserve(10)
  reservation.spend({ inputTokens, outputTokens: 0 })
  await reservation.settleAfter(Promise.resolve())
}

it('negative figures of a server give nothing back (danny-avila/LibreChat#2359)', async () => {
  expect([-1_000_000, -1, NaN, 1e300].map(readTokenCount)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('the call after the last one is refused (KMS-6/ezkin-backend#47), until the day is over (DayuanJiang/next-ai-draw-io#390)', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-31T23:58:00Z') })
  const sub = crypto.randomUUID()
  await reply(sub, 2_000)
  await expect(open(sub).admit()).rejects.toMatchObject({ code: 'budget', retryAfterSeconds: 120 })
  vi.setSystemTime(Date.parse('2027-01-01T00:00:00Z'))
  await expect(open(sub).admit()).resolves.toBeUndefined()
})

it('a group without a limit leaves that of everybody (BerriAI/litellm#11962)', async () => {
  const reader = groupLimitsReader(table, { tokens_per_day: 5 })
  expect(await reader.find({ groups: ['free'] })).toMatchObject({ tokens_per_day: 5 })
})
