import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { withRepeatedWrites } from '../../../test/support/repeated-writes.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { TooManyCalls } from '../errors.ts'
import { logger } from '../telemetry/logger.ts'
import { openSlots } from './open-slots.ts'

const table = await openTestTable()
afterAll(() => table.close())
afterEach(() => {
  vi.useRealTimers()
})

const limit = { name: 'streams', max: 4, limitError: () => new TooManyCalls('all taken', 5) }
const slots = openSlots(table, limit)
/** A busy machine can take longer than a slot lasts. */
const freezeClock = () => vi.useFakeTimers({ toFake: ['Date'] })
const take = (sub: string, forMs = 30_000) => slots.acquire(sub, forMs, logger)

it('allows 4 of 100 concurrent acquisitions (M3)', async () => {
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => take('ann')))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 429 } })
  await take('ben')
})

it('a released slot can be acquired once, however often it is released', async () => {
  const takenSlots = await Promise.all(Array.from({ length: 4 }, () => take('cleo')))
  await takenSlots[0]?.release()
  await takenSlots[0]?.release()
  await take('cleo')
  await expect(take('cleo')).rejects.toMatchObject({ status: 429 })
})

it('a slot of a function that died is free when its time is over', async () => {
  freezeClock()
  await Promise.all(Array.from({ length: 4 }, () => take('dora', 5_000)))
  await expect(take('dora')).rejects.toMatchObject({ status: 429 })
  vi.setSystemTime(Date.now() + 7_000)
  await take('dora')
})

it('acquires four slots when every first response is lost, no fifth, and four again after they expire', async () => {
  freezeClock()
  const repeatingSlots = openSlots(withRepeatedWrites(table), limit)
  const acquire = () => repeatingSlots.acquire('emma', 5_000, logger)
  for (let count = 1; count <= 4; count += 1) await acquire()
  await expect(acquire()).rejects.toMatchObject({ status: 429 })
  vi.setSystemTime(Date.now() + 7_000)
  for (let count = 1; count <= 4; count += 1) await acquire()
  await expect(acquire()).rejects.toMatchObject({ status: 429 })
})
