import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { attemptsRepository, type AttemptsRepository } from './attempts-repository.ts'

const minute = 60_000
const start = Date.parse('2026-03-01T08:00:00Z')

let table: Awaited<ReturnType<typeof openTestTable>>
let attempts: AttemptsRepository
beforeAll(async () => {
  table = await openTestTable()
  attempts = attemptsRepository(table)
})
afterAll(() => table.close())
afterEach(() => vi.useRealTimers())

const createTarget = () => ({ mailName: crypto.randomUUID() })
const lockedError = { code: 'two_factor_locked' }

it('locks after ten attempts, until fifteen minutes after the tenth', async () => {
  const target = createTarget()
  for (let n = 0; n < 10; n += 1) await attempts.count(target, start + n * minute)
  const tenthMs = start + 9 * minute
  await expect(attempts.count(target, tenthMs)).rejects.toMatchObject({
    ...lockedError,
    retryAfterSeconds: 900,
  })
  await expect(attempts.count(target, tenthMs + 15 * minute - 1000)).rejects.toMatchObject({
    retryAfterSeconds: 1,
    userMessage: 'Too many attempts. Please wait 1 second and try again.',
  })
  await attempts.count(target, tenthMs + 15 * minute)
})

it('allows fifty attempts a day, however slow', async () => {
  const target = createTarget()
  const at = (n: number) => start + n * 16 * minute
  for (let n = 0; n < 50; n += 1) await attempts.count(target, at(n))
  await expect(attempts.count(target, at(50))).rejects.toMatchObject({
    ...lockedError,
    userMessage: 'Too many attempts. Please wait 11 hours and try again.',
  })
  await attempts.count(target, start + 24 * 60 * minute)
})

it('a correct code resets the attempts before it', async () => {
  const target = { sub: crypto.randomUUID() }
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 10; n += 1) await attempts.count(target, start)
    await attempts.reset(target)
  }
  await expect(attempts.count(target, start)).resolves.toBeUndefined()
})

it(
  'lets ten of a hundred concurrent attempts through, in the first window and in a later one',
  { tags: 'long' },
  async () => {
    const target = createTarget()
    for (const at of [start, start + 16 * minute]) {
      const results = await Promise.allSettled(Array.from({ length: 100 }, () => attempts.count(target, at)))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    }
  },
)

it('resetting without attempts changes nothing', async () => {
  const target = createTarget()
  await attempts.reset(target)
  for (let n = 0; n < 10; n += 1) await attempts.count(target, start)
  await expect(attempts.count(target, start)).rejects.toMatchObject(lockedError)
})

it('a correct code gives back one attempt of the day, so that fifty sign-ins a day lock nobody out', async () => {
  const target = createTarget()
  for (let n = 0; n < 60; n += 1) {
    await attempts.count(target, start)
    await attempts.reset(target)
  }
  await expect(attempts.count(target, start)).resolves.toBeUndefined()
})

it('starts each day at zero, even shortly after an attempt', async () => {
  const target = createTarget()
  const day = 24 * 60 * minute
  for (let n = 0; n < 40; n += 1) await attempts.count(target, start + n * 16 * minute)
  // the second of these is within fifteen minutes of the first, but on the next day
  await attempts.count(target, start + day - minute)
  await attempts.count(target, start + day)
  for (let n = 1; n < 50; n += 1) await attempts.count(target, start + day + n * 16 * minute)
  await expect(attempts.count(target, start + day + 50 * 16 * minute)).rejects.toMatchObject(lockedError)
})
