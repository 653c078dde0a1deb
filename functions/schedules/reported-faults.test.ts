import { expect, it } from 'vitest'
import { nextTimes } from '#shared/schedule-times.ts'
import { minuteMs, scheduleWorld } from '../../test/support/schedule-world.ts'

/* What users of other products have reported about the times of schedules. */

it('eight o’clock is eight o’clock on both sides of a change of the clock (n8n-io/n8n#21694, activepieces#12636)', async () => {
  for (const [zone, start, hours] of [
    ['Europe/Warsaw', '2026-03-27T12:00Z', [7, 6, 6]],
    ['Europe/Warsaw', '2026-10-23T12:00Z', [6, 7, 7]],
    ['America/Santiago', '2026-04-03T20:00Z', [11, 12, 12]],
    ['Asia/Tehran', '2026-04-03T20:00Z', [4, 4, 4]],
  ] as const) {
    const times = nextTimes({ kind: 'daily', time: '08:00' }, zone, Date.parse(start), 3)
    expect([zone, times.map((at) => new Date(at).getUTCHours())]).toEqual([zone, hours])
  }
})

it('two dispatchers and two workers run a schedule once (n8n-io/n8n#22488)', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('s', { kind: 'daily', time: '08:00' })
  world.world.now += minuteMs
  await Promise.all([world.pass(), world.pass()])
  await Promise.all([world.work(), world.work()])
  await world.run(30)
  expect([...world.begun.values()].map((times) => times.length)).toEqual([1])
})

it('the 31st is the last day of a shorter month (actualbudget/actual#6814)', () => {
  const times = (day: number | 'last') =>
    nextTimes({ kind: 'monthly', day, time: '08:00' }, 'UTC', Date.parse('2027-01-01T00:00Z'), 4).map((at) =>
      new Date(at).toISOString().slice(0, 10),
    )
  const ends = ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']
  expect([times(31), times('last')]).toEqual([ends, ends])
})

it('after a sleep over several times a schedule runs once at most, then as before (garethgeorge/backrest#823)', async () => {
  const world = scheduleWorld('2026-12-01T07:00Z')
  await world.add('s', { kind: 'hourly', minute: 30 })
  world.world.now = Date.parse('2026-12-01T12:40Z')
  await world.run(5)
  expect(world.begun.size).toBeLessThanOrEqual(1)
  const before = world.begun.size
  await world.run(60)
  expect(world.begun.size).toBe(before + 1)
})

it('a deleted schedule runs no more, also what was handed over (Shuffle/Shuffle#588)', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('s', { kind: 'daily', time: '08:00' })
  world.world.now += minuteMs
  await world.pass()
  expect(world.queue).toHaveLength(1)
  await world.schedules.remove('ann', 's')
  await world.run(60 * 24)
  expect([...world.begun.keys()]).toEqual([])
})
