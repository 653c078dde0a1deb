import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withRepeatedWrites } from '../../test/support/repeated-writes.ts'
import { openTestTable } from '../../test/support/table.ts'
import { callsPerMinute } from '../platform/limits.ts'
import { sumScheduled } from '../platform/dynamodb/usage-counters.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { RepliesStopped } from './errors.ts'
import { replyBudget, type BudgetLimits, type SiteBudgetLimits } from './reply-budget.ts'
import type { UserBudgetLimits } from './user-budget.ts'

process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())
// a day that ends during a test would change the row
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const limits: BudgetLimits = {
  repliesAtOnce: 2,
  tokensPerDay: 100_000,
  imagesPerDay: 3,
  siteTokensPerDay: undefined,
}
const openReservationWith =
  (changes: Partial<BudgetLimits> = {}) =>
  (sub: string, forMs = 300_000) =>
    replyBudget(table, { ...limits, ...changes }).openReservation(sub, { forMs, messageTokens: 0 }, logger)
const openReservation = openReservationWith()
const newSub = () => crypto.randomUUID()
const today = () => Math.floor(Date.now() / 86_400_000)

async function readRow(PK: string, SK: string) {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  )
  return Item
}
const userRow = (sub: string) => readRow(`RATE#${sub}`, `replies#${today()}`)
const siteTokens = async () => Number((await readRow('RATE#site', `tokens#${today()}`))?.['tokens'] ?? 0)

/** The usage of a request without a response. */
const tokens = (inputTokens: number) => ({ inputTokens, outputTokens: 0 })

/** Runs a reply of one request with this number of tokens. */
async function runReply(sub: string, count: number, open = openReservation) {
  const reservation = open(sub)
  await reservation.reserve(10)
  reservation.spend(tokens(count))
  await reservation.settleAfter(Promise.resolve())
}

it('a reply that fails unexpectedly gives back its slot and what it did not use', async () => {
  const sub = newSub()
  const reservation = openReservation(sub)
  await reservation.admit()
  await expect(reservation.settleAfter(Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
  expect(await userRow(sub)).toMatchObject({ tokens: 0 })
  expect(await userRow(sub)).not.toHaveProperty('open')
})

describe('what runs of schedules use', () => {
  const open = (sub: string, isScheduled: boolean, continues = false) =>
    replyBudget(table, limits).openReservation(
      sub,
      { forMs: 300_000, messageTokens: 0, isScheduled, continues },
      logger,
    )
  const use = async (reservation: ReturnType<typeof open>) => {
    await reservation.reserve(10)
    reservation.spend({ ...tokens(100), cost: 0.5 })
    await reservation.settleAfter(Promise.resolve())
  }

  it('is counted in the day, and apart', async () => {
    const sub = newSub()
    await use(open(sub, false))
    const typed = await userRow(sub)
    expect(typed).not.toHaveProperty('scheduled_tokens')
    expect(sumScheduled([typed ?? {}])).toEqual({})
    await use(open(sub, true))
    // it goes on after its user has answered
    const resumed = open(sub, false, true)
    resumed.countAsScheduled()
    await use(resumed)
    expect(await userRow(sub)).toMatchObject({ replies: 2, input_tokens: 300, nano_usd: 1.5e9 })
    expect(sumScheduled([(await userRow(sub)) ?? {}, typed ?? {}])).toEqual({
      scheduled: { replies: 1, tokens: 200, cost: 1 },
    })
  })

  it('costs nothing known without prices', () => {
    expect(sumScheduled([{ scheduled_replies: 1, scheduled_tokens: 7 }])).toEqual({
      scheduled: { replies: 1, tokens: 7 },
    })
  })
})

describe('simultaneous replies', () => {
  it('DEC-106 are limited: one more gets 429 with Retry-After, and one that has ended makes room', async () => {
    const sub = newSub()
    const [first, second] = [openReservation(sub), openReservation(sub)]
    await Promise.all([first.admit(), second.admit()])
    await expect(openReservation(sub).admit()).rejects.toMatchObject({
      status: 429,
      code: 'budget',
      retryAfterSeconds: 10,
    })
    await openReservation(newSub()).admit()
    expect(await first.settleAfter(Promise.resolve('ended'))).toBe('ended')
    await expect(openReservation(sub).admit()).resolves.toBeUndefined()
  })

  it('what follows a reply takes no slot, and is counted in the same day', async () => {
    const sub = newSub()
    const open = openReservationWith({ repliesAtOnce: 1 })
    const reservation = open(sub)
    await reservation.reserve(10)
    reservation.spend(tokens(100))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const ended = reservation.settleAfter(Promise.resolve('ended'), async (result) => {
      expect(result).toBe('ended')
      await reservation.reserve(50_000)
      await released
      reservation.spend(tokens(7_000))
    })
    await expect.poll(async () => (await userRow(sub))?.['tokens']).toBe(100 + 52_000)
    await expect(open(sub).admit()).resolves.toBeUndefined()
    const before = Number((await userRow(sub))?.['tokens'])
    release()
    expect(await ended).toBe('ended')
    expect(await userRow(sub)).toMatchObject({
      tokens: before - 52_000 + 7_000,
      input_tokens: 7_100,
      replies: 1,
    })
  })

  it('what follows a reply is refused when nothing is left', async () => {
    const sub = newSub()
    const reservation = openReservationWith({ tokensPerDay: 30_000, siteTokensPerDay: undefined })(sub)
    await reservation.reserve(10)
    reservation.spend(tokens(30_000))
    const ended = reservation.settleAfter(Promise.resolve(), () => reservation.reserve(10))
    await expect(ended).rejects.toMatchObject({ code: 'budget' })
    expect(await userRow(sub)).toMatchObject({ tokens: 30_000 })
  })

  it('a slot that no reply has used is released with its reservation', async () => {
    const sub = newSub()
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const reservation = openReservation(sub)
      await expect(reservation.admit()).resolves.toBeUndefined()
      await reservation.release()
    }
    expect(await userRow(sub)).toMatchObject({ tokens: 0 })
  })

  it('the slot of a killed function is released when its time would be up, and its reservation counts as spent', async () => {
    const sub = newSub()
    // a busy machine can take longer than the slots last
    vi.useFakeTimers({ toFake: ['Date'] })
    await Promise.all([openReservation(sub, 5_000).admit(), openReservation(sub, 5_000).admit()])
    await expect(openReservation(sub).admit()).rejects.toMatchObject({
      code: 'budget',
      retryAfterSeconds: 10,
    })
    vi.setSystemTime(Date.now() + 7_000)
    await expect(openReservation(sub).admit()).resolves.toBeUndefined()
    expect((await userRow(sub))?.['tokens']).toBeGreaterThan(60_000)
  })
})

describe('a call that is counted with its reply', () => {
  const twoCalls = () => rateLimit(table, 2 / callsPerMinute.chat)
  const countWith = (sub: string, reservation: ReturnType<typeof openReservation>, limiter = twoCalls()) =>
    limiter.count(sub, 'chat', reservation.admit)
  /** The counts in a row, one for each minute. */
  const countedCalls = async (sub: string) =>
    Object.entries((await userRow(sub)) ?? {}).flatMap(([name, count]) =>
      /^m\d+$/.test(name) ? [count] : [],
    )

  it('is rejected beyond the limit, and costs nothing more until the minute ends', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T12:00:10Z'))
    const sub = newSub()
    const limiter = twoCalls()
    await countWith(sub, openReservation(sub), limiter)
    await limiter.count(sub, 'chat')
    await expect(countWith(sub, openReservation(sub), limiter)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 50,
    })
    const before = table.writeUnits()
    await expect(countWith(sub, openReservation(sub), limiter)).rejects.toMatchObject({ status: 429 })
    expect(table.writeUnits()).toBe(before)
    expect(await countedCalls(sub)).toEqual([2])
  })

  it('counts once though the first response is lost', async () => {
    const sub = newSub()
    const repeating = replyBudget(withRepeatedWrites(table), limits)
    const reservation = repeating.openReservation(sub, { forMs: 300_000, messageTokens: 0 }, logger)
    await countWith(sub, reservation)
    expect(await countedCalls(sub)).toEqual([1])
  })

  it('counts when its reply is refused', async () => {
    const sub = newSub()
    await openReservation(sub).admit()
    await openReservation(sub).admit()
    const limiter = twoCalls()
    for (let call = 0; call < 2; call += 1)
      await expect(countWith(sub, openReservation(sub), limiter)).rejects.toMatchObject({ code: 'budget' })
    await expect(countWith(sub, openReservation(sub), limiter)).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    expect(await countedCalls(sub)).toEqual([2])
  })

  it('is forgotten by the end of a reply of a later minute', async () => {
    vi.setSystemTime(Date.parse('2026-03-01T12:00:10Z'))
    const sub = newSub()
    const count = async () => {
      const reservation = openReservation(sub)
      await countWith(sub, reservation)
      await reservation.settleAfter(Promise.resolve())
    }
    await count()
    await count()
    expect(await countedCalls(sub)).toEqual([2])
    vi.setSystemTime(Date.parse('2026-03-01T12:01:10Z'))
    await count()
    expect(await countedCalls(sub)).toEqual([1])
  })

  it('a reply ends its reservation after refused calls in each minute of a day', async () => {
    const sub = newSub()
    const calls = Array.from({ length: 1_439 }, (_, minute) => [`m${29_539_440 + minute}`, 1])
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { PK: `RATE#${sub}`, SK: `replies#${today()}`, ttl: 1, ...Object.fromEntries(calls) },
      }),
    )
    const reservation = openReservation(sub)
    await countWith(sub, reservation)
    reservation.spend(tokens(10))
    await reservation.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ tokens: 10, input_tokens: 10 })
    expect(await userRow(sub)).not.toHaveProperty('open')
    expect((await countedCalls(sub)).length).toBeLessThan(1_440)
  })
})

it('the last slot is acquired although the first response is lost, and the next one is not', async () => {
  const sub = newSub()
  const acquire = () =>
    replyBudget(withRepeatedWrites(table), limits).openReservation(
      sub,
      { forMs: 300_000, messageTokens: 0 },
      logger,
    )
  await expect(acquire().admit()).resolves.toBeUndefined()
  await expect(acquire().admit()).resolves.toBeUndefined()
  await expect(acquire().admit()).rejects.toMatchObject({ code: 'budget', retryAfterSeconds: 10 })
})

it('a reservation whose first response is lost is counted once', async () => {
  const sub = newSub()
  const reservation = replyBudget(withRepeatedWrites(table), limits).openReservation(
    sub,
    { forMs: 300_000, messageTokens: 0 },
    logger,
  )
  await reservation.admit()
  const readTokens = async () => {
    const day = Math.floor(Date.now() / 86_400_000)
    const Key = { PK: `RATE#${sub}`, SK: `replies#${day}` }
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key, ConsistentRead: true }),
    )
    return Number(Item?.['tokens'])
  }
  expect(await readTokens()).toBe(22_000)
})

it('a failure of the table is not reported as a budget that is used up', async () => {
  const tableError = new Error('the table is down')
  const reservation = openReservation(newSub())
  vi.spyOn(table.client, 'send').mockRejectedValueOnce(tableError as never)
  await expect(reservation.admit()).rejects.toBe(tableError)
})

describe('tokens per day', () => {
  it('beyond the limit get 429 until midnight (UTC)', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T18:00:00Z') })
    const sub = newSub()
    await runReply(sub, 99_999)
    await runReply(sub, 1)
    await expect(openReservation(sub).admit()).rejects.toMatchObject({
      status: 429,
      code: 'budget',
      retryAfterSeconds: 6 * 3_600,
      userMessage: expect.stringContaining('midnight') as string,
    })
    vi.setSystemTime(Date.parse('2026-11-21T00:00:01Z'))
    await expect(openReservation(sub).admit()).resolves.toBeUndefined()
  })

  it('100 simultaneous replies exceed the budget by at most one reservation (H6)', async () => {
    const sub = newSub()
    const openLimited = openReservationWith({ repliesAtOnce: 1_000, tokensPerDay: 50_000 })
    const replies = Array.from({ length: 100 }, () => openLimited(sub))
    const results = await Promise.allSettled(replies.map(({ admit }) => admit()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await userRow(sub))?.['tokens']).toBeLessThan(50_000 + 22_001)
  })

  it('simultaneous replies with long prompts count what the others have reserved (H6)', async () => {
    const sub = newSub()
    const openLimited = openReservationWith({ repliesAtOnce: 5, tokensPerDay: 100_000 })
    const replies = Array.from({ length: 4 }, () => openLimited(sub))
    await Promise.all(replies.map(({ admit }) => admit()))
    const results = await Promise.allSettled(replies.map(({ reserve }) => reserve(90_000)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('a reply is refused its next request without a write once the budget is used up', async () => {
    const sub = newSub()
    const reservation = openReservationWith({ tokensPerDay: 1_000 })(sub)
    await reservation.reserve(10)
    reservation.spend(tokens(600))
    await reservation.reserve(10)
    reservation.spend(tokens(600))
    const unitsBefore = table.writeUnits()
    await expect(reservation.reserve(10)).rejects.toMatchObject({ code: 'budget' })
    expect(table.writeUnits()).toBe(unitsBefore)
    await reservation.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ tokens: 1_200 })
  })

  it('additional reservations are settled, too', async () => {
    const sub = newSub()
    const reservation = openReservation(sub)
    await reservation.reserve(60_000)
    expect((await userRow(sub))?.['tokens']).toBeGreaterThanOrEqual(60_000)
    reservation.spend(tokens(61_000))
    await reservation.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ tokens: 61_000 })
  })

  it('a normal reply takes two writes, and two more with a budget for the deployment', async () => {
    const unitsBefore = table.writeUnits()
    await runReply(newSub(), 100)
    expect(table.writeUnits() - unitsBefore).toBe(2)
    await runReply(newSub(), 100, openReservationWith({ siteTokensPerDay: 1e12 }))
    expect(table.writeUnits() - unitsBefore).toBe(6)
  })

  it('calls and refused replies leave no row beyond the next day, what was used is stored for the list of usage', async () => {
    const sub = newSub()
    const findDays = async () => Number((await userRow(sub))?.['ttl']) / 86_400 - today()
    await rateLimit(table, 1).count(sub, 'chat')
    expect(await findDays()).toBe(2)
    const reservation = openReservation(sub)
    await rateLimit(table, 1).count(sub, 'chat', reservation.admit)
    await reservation.release()
    expect(await findDays()).toBe(2)
    await runReply(sub, 1)
    expect(await findDays()).toBe(62)
    await rateLimit(table, 1).count(sub, 'chat')
    await openReservation(sub).admit()
    expect(await findDays()).toBe(62)
  })

  it('an image or a settlement after the account was erased creates no row', async () => {
    const sub = newSub()
    const reservation = openReservation(sub)
    await reservation.admit()
    const Key = { PK: `RATE#${sub}`, SK: `replies#${today()}` }
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }))
    await expect(reservation.reserveImage()).rejects.toMatchObject({ code: 'budget' })
    await reservation.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toBeUndefined()
  })
})

describe('the budget of the deployment', () => {
  it('refuses the next reply when it is used up, and releases what the user had reserved', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-01T12:00:00Z') })
    const openLimited = openReservationWith({ siteTokensPerDay: 30_000 })
    await runReply(newSub(), 30_000, openLimited)
    const sub = newSub()
    await expect(openLimited(sub).admit()).rejects.toMatchObject({
      status: 429,
      code: 'budget',
      retryAfterSeconds: 12 * 3_600,
      userMessage: expect.stringContaining('limit for all users') as string,
    })
    expect(await userRow(sub)).toMatchObject({ tokens: 0 })
    expect((await userRow(sub))?.['open']).toBeUndefined()
    expect(await siteTokens()).toBe(30_000)
  })

  it('is not used by a user over their own budget', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-02T12:00:00Z') })
    const openLimited = openReservationWith({ siteTokensPerDay: 1_000_000, tokensPerDay: 50 })
    const sub = newSub()
    await runReply(sub, 50, openLimited)
    await expect(openLimited(sub).admit()).rejects.toMatchObject({ code: 'budget' })
    expect(await siteTokens()).toBe(50)
  })

  it('is exceeded by 50 simultaneous accounts by at most one reservation (H6)', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-03T12:00:00Z') })
    const openLimited = openReservationWith({ siteTokensPerDay: 100_000 })
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => openLimited(newSub()).admit()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await siteTokens()).toBeLessThan(100_000 + 22_001)
  })

  it('is measured when a reply settles, and when one is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T12:00:00Z') })
    vi.stubEnv('METRICS_NAMESPACE', 'test')
    const lines: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    const openLimited = openReservationWith({ siteTokensPerDay: 1_000 })
    await runReply(newSub(), 800, openLimited)
    await runReply(newSub(), 300, openLimited)
    await expect(openLimited(newSub()).admit()).rejects.toMatchObject({ code: 'budget' })
    write.mockRestore()
    vi.unstubAllEnvs()
    const usedPercents = lines.map((line) => (JSON.parse(line) as { SiteBudgetUsed: number }).SiteBudgetUsed)
    expect(usedPercents).toEqual([80, 110, 100])
  })
})

describe('images per day', () => {
  it('are limited for simultaneous calls; one that was not generated is refunded (H6)', async () => {
    const sub = newSub()
    const reservation = openReservation(sub)
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => reservation.reserveImage()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const rejection = results.find(({ status }) => status === 'rejected')
    expect(rejection).toMatchObject({ reason: { code: 'budget', status: 429 } })
    await reservation.refundImage()
    await reservation.reserveImage()
    await expect(reservation.reserveImage()).rejects.toMatchObject({ code: 'budget' })
    await reservation.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ images: 3, tokens: 0 })
  })

  it('that were not generated do not reduce the budget of the deployment', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-06T12:00:00Z') })
    const reservation = openReservationWith({ siteTokensPerDay: 35_000 })(newSub())
    await reservation.reserveImage()
    await reservation.refundImage()
    await reservation.reserve(10)
    await reservation.settleAfter(Promise.resolve())
    expect(await siteTokens()).toBe(0)
  })

  it('count as tokens in the budget of the deployment', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-05T12:00:00Z') })
    const openLimited = openReservationWith({ siteTokensPerDay: 55_000 })
    const sub = newSub()
    const reservation = openLimited(sub)
    await reservation.reserveImage()
    await reservation.reserveImage()
    await reservation.reserveImage()
    await reservation.refundImage()
    await reservation.settleAfter(Promise.resolve())
    expect(await siteTokens()).toBe(40_000)
    const otherReservation = openReservationWith({ siteTokensPerDay: 50_000 })(sub)
    await otherReservation.reserveImage()
    await expect(otherReservation.reserveImage()).rejects.toMatchObject({ code: 'budget' })
    await otherReservation.settleAfter(Promise.resolve())
    expect(await siteTokens()).toBe(60_000)
    expect(await userRow(sub)).toMatchObject({ images: 3 })
  })
})

describe('the rows of the budgets', () => {
  it('reserve an estimate when a reply begins, and expire when they are no longer needed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-01T12:00:00Z') })
    const sub = newSub()
    const budget = replyBudget(table, { ...limits, siteTokensPerDay: 1_000_000 })
    const reservation = budget.openReservation(sub, { forMs: 5_000, messageTokens: 123 }, logger)
    await reservation.admit()
    const unusedTtl = Date.parse('2027-02-03T00:00:00Z') / 1_000
    const row = await userRow(sub)
    expect(row).toMatchObject({ tokens: 22_123, ttl: unusedTtl })
    // a slot is named after the second at which it expires
    const [slot = ''] = (row?.['open'] ?? []) as Set<string>
    expect(Number.parseInt(slot, 36)).toBe(Date.now() / 1_000 + 5)
    expect(await readRow('RATE#site', `tokens#${today()}`)).toMatchObject({
      tokens: 22_123,
      ttl: unusedTtl,
    })
    await reservation.reserve(30_000)
    expect(await userRow(sub)).toMatchObject({ tokens: 32_000 })
    expect(await siteTokens()).toBe(32_000)
    reservation.spend(tokens(40_000))
    await reservation.settleAfter(Promise.resolve())
    // a month and the one before it can be listed
    const ttl = Date.parse('2027-04-04T00:00:00Z') / 1_000
    expect(await userRow(sub)).toMatchObject({ tokens: 40_000, ttl })
    expect((await userRow(sub))?.['open']).toBeUndefined()
    expect(await siteTokens()).toBe(40_000)
  })

  it('are not written for a request that the reservation covers', async () => {
    const reservation = openReservation(newSub())
    await reservation.admit()
    const unitsBefore = table.writeUnits()
    await reservation.reserve(20_000)
    expect(table.writeUnits()).toBe(unitsBefore)
    await reservation.reserve(20_001)
    expect(table.writeUnits()).toBe(unitsBefore + 1)
  })

  it('are both unchanged when one of them refuses more', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-02T12:00:00Z') })
    const openLimited = openReservationWith({ siteTokensPerDay: 50_000 })
    const [sub, other] = [newSub(), newSub()]
    const [reservation, otherReservation] = [openLimited(sub), openLimited(other)]
    await Promise.all([reservation.admit(), otherReservation.admit()])
    await otherReservation.reserve(90_000)
    const rowBefore = await userRow(sub)
    await expect(reservation.reserve(50_000)).rejects.toMatchObject({ code: 'budget' })
    expect(await userRow(sub)).toEqual(rowBefore)
    expect(await siteTokens()).toBe(114_000)
    await Promise.all([
      reservation.settleAfter(Promise.resolve()),
      otherReservation.settleAfter(Promise.resolve()),
    ])
    expect(await siteTokens()).toBe(0)
  })

  it('of a refused reply are not settled', async () => {
    const sub = newSub()
    const [first, second] = [openReservation(sub), openReservation(sub)]
    await Promise.all([first.admit(), second.admit()])
    const third = openReservation(sub)
    await expect(third.admit()).rejects.toMatchObject({ code: 'budget' })
    await third.release()
    expect(await userRow(sub)).toMatchObject({ tokens: 44_000 })
  })

  it('are settled once, however a reply ends', async () => {
    const sub = newSub()
    const reservation = openReservation(sub)
    await reservation.admit()
    reservation.spend(tokens(10))
    await reservation.settleAfter(Promise.resolve())
    await reservation.release()
    expect(await userRow(sub)).toMatchObject({ tokens: 10 })
  })

  it('say when images that are used up are available again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-04T23:00:00Z') })
    const reservation = openReservationWith({ imagesPerDay: 1 })(newSub())
    await reservation.reserveImage()
    await expect(reservation.reserveImage()).rejects.toMatchObject({
      retryAfterSeconds: 3_600,
      userMessage: expect.stringContaining('daily limit for images') as string,
    })
  })

  it('return at least one second to wait when their day has just ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-02-05T12:00:00Z') })
    const sub = newSub()
    const openLimited = openReservationWith({ tokensPerDay: 10 })
    const first = openLimited(sub)
    await first.admit()
    const second = openLimited(sub)
    vi.setSystemTime(Date.parse('2027-02-06T00:00:01Z'))
    await expect(second.admit()).rejects.toMatchObject({ code: 'budget', retryAfterSeconds: 1 })
  })
})

describe('what a user has used', () => {
  const readCounts = async (sub: string) => {
    const { PK: _, SK: __, ttl: ___, ...found } = (await userRow(sub)) ?? {}
    return found
  }

  it('DEC-176 is added to the row of the day by the settling write: tokens, cached tokens, cost and replies', async () => {
    const sub = newSub()
    const reservation = openReservation(sub)
    const unitsBefore = table.writeUnits()
    await reservation.reserve(10)
    reservation.spend({ inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 50, cost: 0.0012345 })
    reservation.spend({ inputTokens: 2_000, outputTokens: 70, cost: 0.002 })
    await reservation.settleAfter(Promise.resolve())
    expect(table.writeUnits() - unitsBefore).toBe(2)
    expect(await readCounts(sub)).toEqual({
      tokens: 3_120,
      replies: 1,
      input_tokens: 3_000,
      cached_tokens: 400,
      output_tokens: 120,
      nano_usd: 3_234_500,
      costs: 3_234_500,
    })
    await runReply(sub, 5)
    expect(await readCounts(sub)).toMatchObject({ replies: 2, input_tokens: 3_005, unpriced_tokens: 5 })
  })

  it('DEC-176 counts once although the response to the settling write is lost', async () => {
    const sub = newSub()
    const reservation = replyBudget(withRepeatedWrites(table), limits).openReservation(
      sub,
      { forMs: 300_000, messageTokens: 0 },
      logger,
    )
    await reservation.admit()
    reservation.spend(tokens(700))
    await reservation.settleAfter(Promise.resolve())
    expect(await readCounts(sub)).toEqual({
      tokens: 700,
      replies: 1,
      input_tokens: 700,
      unpriced_tokens: 700,
    })
  })

  it('a reply that continues in another request counts once, and one without a result does not count', async () => {
    const sub = newSub()
    await runReply(sub, 10)
    const open = (continues: boolean) =>
      replyBudget(table, limits).openReservation(sub, { forMs: 300_000, messageTokens: 0, continues }, logger)
    const continuedReply = open(true)
    await continuedReply.admit()
    continuedReply.spend(tokens(20))
    await continuedReply.settleAfter(Promise.resolve())
    const failedReply = open(false)
    await failedReply.admit()
    await failedReply.settleAfter(Promise.resolve())
    expect(await readCounts(sub)).toMatchObject({ replies: 1, input_tokens: 30, tokens: 30 })
  })
})

describe('DEC-189 limits of groups', () => {
  const toNanoUsd = (dollars: number) => Math.round(dollars * 1e9)
  const openWithLimits = (userLimits: Partial<UserBudgetLimits>, sub = newSub()) => {
    const options = { forMs: 300_000, messageTokens: 0, userLimits: { ...limits, ...userLimits } }
    return replyBudget(table, limits).openReservation(sub, options, logger)
  }
  const putDay = (sub: string, day: number, counters: Record<string, number>) =>
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { PK: `RATE#${sub}`, SK: `replies#${day}`, ttl: 4_000_000_000, ...counters },
      }),
    )
  /** The 10th of November 2026. */
  const aDay = Date.UTC(2026, 10, 10) / 86_400_000
  const setThatDay = () => vi.useFakeTimers({ toFake: ['Date'], now: aDay * 86_400_000 + 3_600_000 })

  it('limit the tokens per day of each user, and the message says how many, until when and whom to ask', async () => {
    const sub = newSub()
    const reservation = openWithLimits({ tokensPerDay: 30_000 }, sub)
    await reservation.reserve(10)
    reservation.spend(tokens(30_000))
    await expect(reservation.reserve(10)).rejects.toMatchObject({ code: 'budget', status: 429 })
    await reservation.settleAfter(Promise.resolve())
    await expect(openWithLimits({ tokensPerDay: 30_000 }, sub).admit()).rejects.toMatchObject({
      userMessage:
        "You have reached today's limit for replies. It is 30,000 tokens, cached ones counted in full, and resets at midnight (UTC). Your administrator can raise it.",
    })
    await expect(openWithLimits({ tokensPerDay: 40_000 }, sub).admit()).resolves.toBeUndefined()
  })

  it('with 0 refuse the first reply of a day', async () => {
    for (const zeroLimit of [{ tokensPerDay: 0 }, { nanoUsdPerDay: 0 }, { tokensPerMonth: 0 }])
      await expect(openWithLimits(zeroLimit).admit()).rejects.toMatchObject({
        userMessage: 'Your account may not use the assistant. Please ask your administrator.',
      })
    const reservation = openWithLimits({ imagesPerDay: 0 })
    await expect(reservation.reserveImage()).rejects.toMatchObject({ code: 'budget' })
    await reservation.release()
  })

  it('for a month count its earlier days, and no day of another month', async () => {
    setThatDay()
    const sub = newSub()
    await putDay(sub, aDay - 1, { tokens: 50_000 })
    await putDay(sub, aDay - 9, { tokens: 20_000 })
    await putDay(sub, aDay - 10, { tokens: 900_000 })
    const reservation = openWithLimits({ tokensPerMonth: 71_000 }, sub)
    await reservation.admit()
    await expect(openWithLimits({ tokensPerMonth: 71_000 }, sub).admit()).rejects.toMatchObject({
      userMessage:
        "You have reached this month's limit for replies. It is 71,000 tokens, cached ones counted in full, and resets on December 1 (UTC). Your administrator can raise it.",
      retryAfterSeconds: 21 * 86_400 - 3_600,
    })
    await reservation.release()
  })

  it('of costs end replies before the next request, and refuse replies until midnight or the next month', async () => {
    setThatDay()
    const sub = newSub()
    await putDay(sub, aDay - 1, { nano_usd: toNanoUsd(3) })
    const dayAndMonthLimits = { nanoUsdPerDay: toNanoUsd(1), nanoUsdPerMonth: toNanoUsd(4.5) }
    const reservation = openWithLimits(dayAndMonthLimits, sub)
    await reservation.reserve(10)
    reservation.spend({ inputTokens: 10, outputTokens: 10, cost: 0.9 })
    await reservation.reserve(10)
    reservation.spend({ inputTokens: 10, outputTokens: 10, cost: 0.2 })
    await expect(reservation.reserve(10)).rejects.toMatchObject({ retryAfterSeconds: 23 * 3_600 })
    await reservation.settleAfter(Promise.resolve())
    await expect(openWithLimits(dayAndMonthLimits, sub).admit()).rejects.toMatchObject({
      userMessage: expect.stringContaining('It is $1.00, and resets at midnight (UTC).') as string,
    })
    await expect(openWithLimits({ nanoUsdPerMonth: toNanoUsd(4.1) }, sub).admit()).rejects.toMatchObject({
      userMessage: expect.stringContaining('It is $4.10, and resets on December 1 (UTC).') as string,
    })
    await expect(openWithLimits({ nanoUsdPerMonth: toNanoUsd(4.5) }, sub).admit()).resolves.toBeUndefined()
  })

  // a request of 100,000 tokens and a normal reply cost $1.20
  const price = { input: 10, output: 100 }
  const requestTokens = 100_000
  const readCosts = async (sub: string) => Number((await userRow(sub))?.['costs'])

  it('DEC-192 simultaneous replies count the costs that the others have reserved', async () => {
    const sub = newSub()
    const [first, second, third] = [0, 1, 2].map(() => {
      const options = {
        forMs: 300_000,
        messageTokens: 0,
        userLimits: { ...limits, tokensPerDay: 1e9, nanoUsdPerDay: toNanoUsd(2) },
      }
      return replyBudget(table, { ...limits, repliesAtOnce: 3 }).openReservation(sub, options, logger)
    })
    if (!first || !second || !third) throw new Error('no reservations')
    await Promise.all([first.admit(), second.admit(), third.admit()])
    await first.reserve(requestTokens, price)
    await second.reserve(requestTokens, price)
    await expect(third.reserve(requestTokens, price)).rejects.toMatchObject({ code: 'budget' })
    await third.release()
    expect(await readCosts(sub)).toBe(toNanoUsd(2.4))

    first.spend({ inputTokens: 10, outputTokens: 10, cost: 0.1 })
    await first.settleAfter(Promise.resolve())
    expect(await readCosts(sub)).toBe(toNanoUsd(1.3))
    second.spend({ inputTokens: 10, outputTokens: 10, cost: 0.5 })
    await second.reserve(requestTokens, price)
    second.spend({ inputTokens: 10, outputTokens: 10, cost: 1.4 })
    await expect(second.reserve(requestTokens, price)).rejects.toMatchObject({ code: 'budget' })
    await second.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ costs: toNanoUsd(2), nano_usd: toNanoUsd(2) })
    await expect(openWithLimits({ nanoUsdPerDay: toNanoUsd(2) }, sub).admit()).rejects.toMatchObject({
      code: 'budget',
    })
  })

  it('DEC-192 costs are reserved only if they are limited, in addition to the costs of the day', async () => {
    const sub = newSub()
    const unlimitedReply = openReservation(sub)
    await unlimitedReply.reserve(10, price)
    expect(await userRow(sub)).not.toHaveProperty('costs')
    unlimitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 3 })
    await unlimitedReply.settleAfter(Promise.resolve())
    expect(await readCosts(sub)).toBe(toNanoUsd(3))
    const limitedReply = openWithLimits({ nanoUsdPerDay: toNanoUsd(5) }, sub)
    await limitedReply.reserve(0, price)
    expect(await readCosts(sub)).toBe(toNanoUsd(3.2))
    await limitedReply.settleAfter(Promise.resolve())
    expect(await readCosts(sub)).toBe(toNanoUsd(3))
  })

  it('DEC-192 a new limit of costs counts what was spent before it', async () => {
    const sub = newSub()
    const unlimitedReply = openReservation(sub)
    await unlimitedReply.reserve(10, price)
    const limitedReply = openWithLimits({ nanoUsdPerDay: toNanoUsd(5) }, sub)
    await limitedReply.reserve(10, price)
    unlimitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 4.5 })
    await unlimitedReply.settleAfter(Promise.resolve())
    limitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 0.4 })
    await limitedReply.reserve(10, price)
    limitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 0.4 })
    await expect(limitedReply.reserve(10, price)).rejects.toMatchObject({ code: 'budget' })
    await limitedReply.settleAfter(Promise.resolve())
    expect(await userRow(sub)).toMatchObject({ costs: toNanoUsd(5.3), nano_usd: toNanoUsd(5.3) })
  })

  it('DEC-192 a limit of costs includes what an earlier release has counted that day', async () => {
    setThatDay()
    const sub = newSub()
    await putDay(sub, aDay, { nano_usd: toNanoUsd(3) })
    const unlimitedReply = openReservation(sub)
    await unlimitedReply.reserve(10, price)
    unlimitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 1 })
    await unlimitedReply.settleAfter(Promise.resolve())
    const limitedReply = openWithLimits({ nanoUsdPerDay: toNanoUsd(5) }, sub)
    await limitedReply.reserve(10, price)
    limitedReply.spend({ inputTokens: 10, outputTokens: 10, cost: 1 })
    await expect(limitedReply.reserve(10, price)).rejects.toMatchObject({ code: 'budget' })
  })

  it('DEC-192 a reservation of costs whose response is lost is given back', async () => {
    const sub = newSub()
    const reserveOnce = async (dollars: number) => {
      const userLimits = { ...limits, nanoUsdPerDay: toNanoUsd(dollars) }
      const options = { forMs: 300_000, messageTokens: 0, userLimits }
      const reservation = replyBudget(withRepeatedWrites(table), limits).openReservation(sub, options, logger)
      const reserving = reservation.reserve(10, price)
      await reservation.settleAfter(reserving.catch(() => undefined))
      return reserving
    }
    await reserveOnce(9)
    expect(await readCosts(sub)).toBe(0)
    // the first attempt reserves all of it, and the second one is refused
    await expect(reserveOnce(0.1)).rejects.toMatchObject({ code: 'budget' })
    expect(await readCosts(sub)).toBe(0)
  })

  it('too many simultaneous replies are reported as such, also when tokens and costs are limited', async () => {
    const sub = newSub()
    const admit = () => openWithLimits({ tokensPerMonth: 900_000, nanoUsdPerDay: toNanoUsd(1) }, sub).admit()
    await Promise.all([admit(), admit()])
    await expect(admit()).rejects.toMatchObject({ code: 'budget', retryAfterSeconds: 10 })
  })

  it('without a monthly limit no earlier day is read', async () => {
    const send = vi.spyOn(table.client, 'send')
    await openWithLimits({ nanoUsdPerDay: toNanoUsd(1) }).admit()
    expect(send).toHaveBeenCalledTimes(1)
    send.mockRestore()
  })
})

describe('what an administrator has set for everybody', () => {
  const price = { input: 1, output: 1 }
  const open = (siteLimits: SiteBudgetLimits) =>
    replyBudget(table, limits).openReservation(
      newSub(),
      { forMs: 300_000, messageTokens: 0, siteLimits },
      logger,
    )
  /** The costs of each test are of a day of their own. */
  const setDay = (day: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 0, day) })
  const spend = { inputTokens: 1_000, outputTokens: 0, cost: 0.6 }

  it('a limit of costs refuses replies of every user when their costs have reached it', async () => {
    setDay(1)
    const siteLimits = { siteNanoUsdPerDay: 1_000_000_000 }
    for (const _ of [1, 2]) {
      const reservation = open(siteLimits)
      await reservation.reserve(10, price)
      reservation.spend(spend)
      await reservation.settleAfter(Promise.resolve())
    }
    expect(await readRow('RATE#site', `tokens#${today()}`)).toMatchObject({
      tokens: 2_000,
      nano_usd: 1_200_000_000,
      costs: 1_200_000_000,
    })
    await expect(open(siteLimits).admit()).rejects.toMatchObject({ code: 'budget', status: 429 })
    expect(await siteTokens()).toBe(2_000)
    const reservation = open({ siteNanoUsdPerDay: 2_000_000_000 })
    await expect(reservation.admit()).resolves.toBeUndefined()
  })

  it('a limit of costs ends a reply before its next request', async () => {
    setDay(2)
    const reservation = open({ siteNanoUsdPerDay: 500_000_000 })
    await reservation.reserve(10, price)
    reservation.spend(spend)
    await expect(reservation.reserve(10, price)).rejects.toMatchObject({ code: 'budget' })
    await reservation.settleAfter(Promise.resolve())
  })

  it('without replies none begins, and one that is being written makes no further request', async () => {
    let areStopped = false
    const budget = replyBudget(table, limits, async () => {
      if (areStopped) throw new RepliesStopped()
    })
    const openOne = (sub: string) => budget.openReservation(sub, { forMs: 300_000, messageTokens: 0 }, logger)
    const begun = openOne(newSub())
    await begun.reserve(10)
    areStopped = true
    const sub = newSub()
    const refused = { code: 'replies_stopped', status: 503 }
    await expect(openOne(sub).admit()).rejects.toMatchObject(refused)
    expect(await userRow(sub)).toBeUndefined()
    await expect(begun.reserve(10)).rejects.toMatchObject(refused)
    await expect(begun.reserveImage()).rejects.toMatchObject(refused)
    await begun.settleAfter(Promise.resolve())
  })
})
