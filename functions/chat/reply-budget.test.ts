import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { logger } from '../platform/logger.ts'
import { emptyProgress } from './progress.ts'
import { replyBudget } from './reply-budget.ts'

process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())
afterEach(() => {
  vi.useRealTimers()
})

const budget = replyBudget(table, { repliesAtOnce: 2, tokensPerDay: 100_000 })
const take = (sub: string, forMs = 300_000) => budget.take(sub, forMs, logger)
const used = (outputTokens: number) => ({ ...emptyProgress(), outputTokens })

it('DEC-106 so many replies at once, then 429 with Retry-After; an ended one makes room', async () => {
  const sub = crypto.randomUUID()
  const [first, second] = [take(sub), take(sub)]
  await Promise.all([first.taken, second.taken])
  await expect(take(sub).taken).rejects.toMatchObject({
    status: 429,
    code: 'too_many_replies',
    retryAfterSeconds: 10,
  })
  await take(crypto.randomUUID()).taken
  expect(await first.until(Promise.resolve('ended'), used(1))).toBe('ended')
  await expect(take(sub).taken).resolves.toBeUndefined()
})

it('a place that no reply was begun in is given back', async () => {
  const sub = crypto.randomUUID()
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const place = take(sub)
    await expect(place.taken).resolves.toBeUndefined()
    await place.leave()
  }
})

it('a function that was ended from outside holds its place no longer than it could have lived', async () => {
  const sub = crypto.randomUUID()
  await Promise.all([take(sub, 5_000).taken, take(sub, 5_000).taken])
  await expect(take(sub).taken).rejects.toMatchObject({ code: 'too_many_replies' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_000 })
  await expect(take(sub).taken).resolves.toBeUndefined()
})

it('so many tokens a day, then 429 until midnight (UTC); what no model told is counted by its length', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T18:00:00Z') })
  const sub = crypto.randomUUID()
  const place = take(sub)
  await place.taken
  await place.until(Promise.resolve(), { ...emptyProgress(), content: 'x'.repeat(399_996) })
  const last = take(sub)
  await expect(last.taken).resolves.toBeUndefined()
  await last.until(Promise.resolve(), used(1))
  await expect(take(sub).taken).rejects.toMatchObject({
    status: 429,
    code: 'tokens_used_up',
    retryAfterSeconds: 6 * 3_600,
  })
  vi.setSystemTime(Date.parse('2026-11-21T00:00:01Z'))
  await expect(take(sub).taken).resolves.toBeUndefined()
})
