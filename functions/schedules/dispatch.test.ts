import { expect, it } from 'vitest'
import { minuteMs, scheduleWorld } from '../../test/support/schedule-world.ts'
import { maxSends } from './dispatch.ts'
import type { ScheduleRow } from './schedule-row.ts'

const daily = { kind: 'daily', time: '08:00' } as const
const hourly = { kind: 'hourly', minute: 0 } as const
const eight = Date.parse('2026-12-01T08:00Z')
const day = 24 * 60 * minuteMs

const toTimes = (begun: Map<string, unknown>) => [...begun.keys()]

it('hands a run over in its minute, and sets the next time', async () => {
  const { add, pass, queue, find, world } = scheduleWorld('2026-12-01T07:59Z')
  await add('mail', daily)
  await pass()
  expect(queue).toEqual([])
  world.now = eight
  await pass()
  expect(queue).toEqual([{ sub: 'ann', id: 'mail', at: eight, message_id: `mail-${eight}` }])
  expect(await find('mail')).toMatchObject({ next_at: eight + day, handed: { at: eight } })
})

it('leaves nothing in the index but the next time once the run is settled', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', daily)
  await world.run(3)
  expect((await world.find('mail'))?.last_run).toMatchObject({ at: eight, status: 'done' })
  expect(await world.index.listHour(eight)).toEqual([])
  expect(await world.index.listHour(eight + day)).toHaveLength(1)
})

/** Requests of a pass that hands one run over, and some more. */
const requests = Array.from({ length: 10 }, (_, number) => number)

it.each(requests.flatMap((n) => [['before', n] as const, ['after', n] as const]))(
  'runs once when the dispatcher dies %s its request %i',
  async (end, n) => {
    const world = scheduleWorld('2026-12-01T07:59Z')
    await world.add('mail', daily)
    // from then on a pass looks at the last hours only
    await world.pass()
    world.world.now = eight
    await world.pass((request) => (request === n ? end : undefined))
    await world.work()
    await world.run(12)
    expect(toTimes(world.begun)).toEqual([`mail-${eight}`])
    expect(await world.find('mail')).toMatchObject({ next_at: eight + day, last_run: { status: 'done' } })
    world.world.now = eight + day
    await world.run(12)
    expect(toTimes(world.begun)).toEqual([`mail-${eight}`, `mail-${eight + day}`])
  },
)

it('hands over once when two dispatchers work at the same moment', async () => {
  const { add, pass, queue, world } = scheduleWorld('2026-12-01T07:59Z')
  for (const id of ['a', 'b', 'c']) await add(id, daily)
  world.now = eight
  await Promise.all([pass(), pass()])
  expect(queue.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
})

it('says that it has not handed over all when its time is up, and the next one does', async () => {
  const { add, pass, queue, index, world } = scheduleWorld('2026-12-01T07:59Z')
  for (const id of ['a', 'b', 'c']) await add(id, daily)
  await add('later', { kind: 'daily', time: '09:00' })
  await pass()
  const cursor = await index.readCursor()
  world.now = eight + 60 * minuteMs
  let asked = 0
  // the hour of the first three is not finished, so the next hour waits
  expect(await pass(undefined, () => ++asked > 2)).toMatchObject({ sent: 2, isComplete: false })
  expect(await index.readCursor()).toBe(cursor)
  expect(await pass()).toMatchObject({ sent: 2, isComplete: true })
  expect(queue.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'later'])
  expect(queue.at(-1)?.id).toBe('later')
})

it('begins a run once whose message comes twice', async () => {
  const { add, pass, work, queue, begun, world } = scheduleWorld('2026-12-01T07:59Z')
  await add('mail', daily)
  world.now = eight
  await pass()
  queue.push(...queue)
  await work()
  expect([...begun.values()]).toEqual([[eight]])
})

it.each([
  ['a daily one after 11 hours once', daily, '2026-12-01T19:00Z', [eight]],
  ['a daily one after 13 hours not at all', daily, '2026-12-01T21:00Z', []],
  ['an hourly one after 5 hours once', hourly, '2026-12-01T12:30Z', [eight]],
  ['an hourly one after a week once', hourly, '2026-12-08T12:30Z', [Date.parse('2026-12-08T01:00Z')]],
  ['an hourly one after months once', hourly, '2027-05-08T12:30Z', [Date.parse('2027-05-08T01:00Z')]],
])('makes up %s', async (_, rule, reopened, expected) => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', rule)
  await world.pass()
  world.world.now = Date.parse(reopened)
  await world.run(5)
  expect(toTimes(world.begun)).toEqual(expected.map((at) => `mail-${at}`))
  const row = await world.find('mail')
  expect(row?.next_at).toBeGreaterThan(world.world.now)
  expect(row?.last_run?.status === 'skipped').toBe(expected.length === 0)
})

it('gives up a run that no worker ever begins, and goes on with the next', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', daily)
  world.world.now = eight
  for (let minute = 0; minute < 90; minute++, world.world.now += minuteMs) await world.pass()
  expect(world.queue).toHaveLength(maxSends)
  expect(await world.find('mail')).toMatchObject({
    failures: 0,
    last_run: { at: eight, status: 'skipped', because: 'not_begun' },
  })
  world.queue.length = 0
  world.world.now = eight + day
  await world.run(2)
  expect(toTimes(world.begun)).toEqual([`mail-${eight + day}`])
})

it('begins the next run only when the one before is settled', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', hourly)
  world.world.now = eight
  await world.pass()
  world.world.now = eight + 60 * minuteMs
  world.queue.length = 0
  await world.pass()
  expect(world.queue.map(({ at }) => at)).toEqual([eight])
  await world.work()
  await world.run(1)
  expect(toTimes(world.begun)).toEqual([`mail-${eight}`, `mail-${eight + 60 * minuteMs}`])
})

it('pauses after three failures in a row', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', hourly)
  for (let hour = 0; hour < 5; hour++) {
    world.world.now = eight + hour * 60 * minuteMs
    await world.pass()
    await world.work('failed')
  }
  expect(world.begun.size).toBe(3)
  expect(await world.find('mail')).toMatchObject({ failures: 3, paused_because: 'failures' })
})

it('sends nothing of a schedule that was paused, changed or deleted since, and clears its entry', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  for (const id of ['paused', 'changed', 'deleted']) await world.add(id, daily)
  await world.schedules.pause('ann', 'paused', 'user')
  await world.schedules.change('ann', 'changed', () => ({ next_at: eight + day }))
  await world.schedules.remove('ann', 'deleted')
  await world.run(20)
  expect(world.begun.size).toBe(0)
  expect(await world.index.listHour(eight)).toEqual([])
})

it('an entry that was written just before its schedule stays', async () => {
  const world = scheduleWorld('2026-12-01T08:00Z')
  await world.index.put({ sub: 'ann', id: 'mail', at: eight })
  await world.pass()
  await world.add('mail', daily, { next_at: eight })
  await world.run(1)
  expect(toTimes(world.begun)).toEqual([`mail-${eight}`])
})

it('one schedule that cannot be read, or has no zone any more, takes none of the others along', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('broken', daily)
  await world.add('nowhere', daily)
  await world.add('mail', daily)
  const rows = world.table.partitions.get('U#ann')
  rows?.set('SCHED#broken', { ...rows.get('SCHED#broken'), rule: 'each morning' })
  rows?.set('SCHED#nowhere', { ...rows.get('SCHED#nowhere'), time_zone: 'Europe/Atlantis' })
  await world.run(2)
  expect(toTimes(world.begun)).toEqual([`mail-${eight}`])
  expect(await world.find('nowhere')).toMatchObject({ paused_because: 'failures' })
})

it('spreads runs of the same time over some minutes', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z', { spreadMinutes: 5 })
  for (let n = 0; n < 40; n++) await world.add(`mail-${n}`, daily)
  await world.run(6)
  const starts = new Set([...world.begun.values()].flat())
  expect(world.begun.size).toBe(40)
  expect(starts.size).toBe(5)
})

/** Stops all schedules, and lets them go on after some minutes. */
async function stopFor(world: ReturnType<typeof scheduleWorld>, minutes: number): Promise<void> {
  world.world.stop.isStopped = true
  await world.run(minutes)
  expect(world.begun.size).toBe(0)
  world.world.stop = { isStopped: false, resumedAt: world.world.now }
}

it.each([
  ['an hour: once', 60, 'done', 1],
  ['13 hours: not at all', 13 * 60, 'skipped', 0],
])(
  'hands nothing over while all are stopped; what was missed is made up after %s',
  async (_, minutes, status, runs) => {
    const world = scheduleWorld('2026-12-01T07:59Z')
    await world.add('mail', daily)
    await stopFor(world, minutes)
    await world.run(3)
    expect(world.begun.size).toBe(runs)
    expect(await world.find('mail')).toMatchObject({ next_at: eight + day, last_run: { at: eight, status } })
  },
)

it('gives up a run that was handed over before a long stop, and the next one begins', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', daily)
  world.world.now = eight
  await world.pass()
  world.queue.splice(0)
  await stopFor(world, 13 * 60)
  expect((await world.find('mail'))?.last_run).toEqual({
    at: eight,
    status: 'skipped',
    because: 'not_begun',
    by_hand: false,
  })
  await world.run(12 * 60)
  expect(toTimes(world.begun)).toEqual([`mail-${eight + day}`])
})

it('the lag counts runs that no worker has begun, not those that have begun, and not the time of a stop', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('mail', daily)
  const readLag = async (time: number) => {
    world.world.now = time
    return (await world.pass())?.lagMs
  }
  expect(await readLag(eight)).toBe(0)
  // the queue is stuck
  expect(await readLag(eight + 8 * minuteMs)).toBe(7 * minuteMs)
  world.world.stop = { isStopped: true, resumedAt: 0 }
  expect(await readLag(eight + 9 * minuteMs)).toBe(0)
  world.world.stop = { isStopped: false, resumedAt: world.world.now }
  expect(await readLag(eight + 12 * minuteMs)).toBe(2 * minuteMs)
  const row = await world.find('mail')
  await world.schedules.write('ann', row!, { begun: { at: eight, since: world.world.now } })
  expect(await readLag(eight + 30 * minuteMs)).toBe(0)
})

it('tells its person once that times were left out, as by a stop of all schedules', async () => {
  const world = scheduleWorld('2026-12-01T07:59Z')
  await world.add('daily', { kind: 'hourly', minute: 0 }, { notify: ['push'] })
  world.world.stop.isStopped = true
  await world.run(15 * 60)
  expect((await world.find('daily'))?.last_run).toMatchObject({ status: 'skipped', because: 'missed' })
  expect(world.notified).toEqual(['daily'])
  world.world.stop = { isStopped: false, resumedAt: world.world.now }
  await world.run(61)
  expect(await world.find('daily')).toMatchObject({ last_run: { status: 'done' } })
  expect((await world.find('daily'))?.announced_cause).toBeUndefined()
})

it.each<[string, 'failed' | 'missed', Partial<ScheduleRow>]>([
  ['was paused', 'failed', { failures: 2 }],
  ['was skipped', 'missed', {}],
])('tells its person after their quiet hours that it %s in them, once', async (_, end, fields) => {
  const { add, pass, work, run, world, notified, index, find } = scheduleWorld('2026-12-01T07:59Z')
  await add('mail', { kind: 'once', at: '2026-12-01T08:00' }, { notify: ['push'], ...fields })
  world.isQuiet = true
  world.now = end === 'missed' ? eight + 13 * 60 * minuteMs : eight
  await pass()
  await work('failed')
  await run(8 * 60)
  expect(notified).toEqual([])
  world.isQuiet = false
  await run(31)
  expect(notified).toEqual(['mail'])
  await run(24 * 60)
  expect([notified, (await find('mail'))?.announced_cause]).toEqual([
    ['mail'],
    end === 'missed' ? 'missed' : 'failures',
  ])
  const hours = Array.from({ length: 60 }, (_one, hour) => index.listHour(eight + hour * 60 * minuteMs))
  expect((await Promise.all(hours)).flat()).toEqual([])
})

it('tells its person after their quiet hours of a reply in them, and never twice', async () => {
  const { add, pass, work, run, world, toldLate, index, find } = scheduleWorld('2026-12-01T05:59Z')
  await add('mail', { kind: 'daily', time: '06:00' }, { notify: ['push'] })
  await add('silent', { kind: 'daily', time: '06:00' })
  world.isQuiet = true
  world.now = Date.parse('2026-12-01T06:00Z')
  await pass()
  await work()
  await run(60)
  expect(toldLate).toEqual([])
  world.isQuiet = false
  await run(31)
  expect(toldLate).toEqual(['mail'])
  // the next one is told of by its writer
  await run(24 * 60)
  expect(toldLate).toEqual(['mail'])
  expect((await find('mail'))?.last_run?.at).toBe(Date.parse('2026-12-02T06:00Z'))
  const hours = Array.from({ length: 26 }, (_one, hour) => index.listHour(world.now - hour * 60 * minuteMs))
  expect((await Promise.all(hours)).flat()).toEqual([])
})

it('tells nothing late of a run by hand: its person was there', async () => {
  const { add, pass, work, run, world, toldLate, index, schedules } = scheduleWorld('2026-12-01T22:59Z')
  await add('mail', daily, { notify: ['push'] })
  const at = world.now + 1
  await index.put({ sub: 'ann', id: 'mail', at })
  await schedules.change('ann', 'mail', () => ({ handed: { at, since: at, by_hand: true } }))
  world.isQuiet = true
  await pass()
  await work()
  await run(60)
  world.isQuiet = false
  await run(60)
  expect(toldLate).toEqual([])
})

it('tells nothing late of a run by hand at a whole minute, and of a run of a schedule at any', async () => {
  const { add, pass, work, run, world, toldLate, index, schedules } = scheduleWorld('2026-12-01T22:59Z')
  const at = world.now + minuteMs
  await add('by hand', daily, { notify: ['push'] })
  await add('by time', daily, { notify: ['push'] })
  await index.put({ sub: 'ann', id: 'by hand', at })
  await index.put({ sub: 'ann', id: 'by time', at: at + 1 })
  world.now = at + minuteMs
  await schedules.change('ann', 'by hand', () => ({ handed: { at, since: at, by_hand: true } }))
  await schedules.change('ann', 'by time', () => ({ handed: { at: at + 1, since: at } }))
  world.isQuiet = true
  await pass()
  world.now += 5 * minuteMs
  await pass()
  await work()
  await run(60)
  world.isQuiet = false
  await run(60)
  expect(toldLate).toEqual(['by time'])
})

it('guesses by its time whether an earlier release has begun a run by hand', async () => {
  const { add, run, world, toldLate, index, schedules } = scheduleWorld('2026-12-01T22:59Z')
  const at = world.now + minuteMs
  for (const [id, time] of [
    ['by hand', at + 1],
    ['by time', at],
  ] as const) {
    await add(id, daily, { notify: ['push'] })
    await index.put({ sub: 'ann', id, at: time })
    await schedules.change('ann', id, () => ({ last_run: { at: time, status: 'done', message_id: 'm' } }))
  }
  world.isQuiet = true
  await run(60)
  world.isQuiet = false
  await run(60)
  expect(toldLate).toEqual(['by time'])
})

it('sends a run whose model was busy again once it is time, and no lag counts', async () => {
  const { add, pass, queue, world, schedules } = scheduleWorld('2026-12-01T07:59Z')
  await add('mail', daily)
  world.now = eight
  await pass()
  queue.splice(0)
  await schedules.change('ann', 'mail', ({ handed }) => ({
    handed: handed && { ...handed, retries: 4, retry_at: eight + 8 * minuteMs, because: 'model_busy' },
  }))
  for (let minute = 1; minute < 8; minute++) {
    world.now = eight + minute * minuteMs
    expect(await pass()).toMatchObject({ sent: 0, lagMs: 0 })
  }
  world.now = eight + 8 * minuteMs
  expect(await pass()).toMatchObject({ sent: 1, lagMs: 0 })
  // it may have got lost
  world.now += 3 * minuteMs
  expect(await pass()).toMatchObject({ sent: 0 })
  world.now += minuteMs
  expect(await pass()).toMatchObject({ sent: 1 })
})

// from reports about other products, each named by its repository and number
it('one whose run failed is not run again, though its only time is still the newest (service-fabric-issues#178)', async () => {
  const { add, run, work, pass, find, world, begun } = scheduleWorld('2026-12-01T07:59Z')
  await add('one', { kind: 'once', at: '2026-12-01T08:00' })
  world.now = eight
  await pass()
  await work('failed')
  await run(30)
  expect(begun.size).toBe(1)
  const { next_at, failures, handed } = (await find('one')) ?? {}
  expect({ next_at, failures, handed }).toEqual({ next_at: undefined, failures: 1, handed: undefined })
})

it('one at a time of next year does not run on that day of this year (opensre#6197)', async () => {
  const { add, run, world, begun } = scheduleWorld('2026-12-01T07:59Z')
  await add('later', { kind: 'once', at: '2027-12-01T08:05' })
  await run(20)
  expect(begun.size).toBe(0)
  world.now = Date.parse('2027-12-01T08:04Z')
  await run(20)
  expect(toTimes(begun)).toEqual([`later-${Date.parse('2027-12-01T08:05Z')}`])
})

it('two months without a dispatcher are one missed run, which is told once, and no cycle of them (medTimer#990)', async () => {
  const { add, pass, run, world, begun, notified, find } = scheduleWorld('2026-12-01T07:59Z')
  await add('mail', daily, { notify: ['push'] })
  await pass()
  world.now = Date.parse('2027-02-01T21:30Z')
  await run(60)
  expect([begun.size, notified.length]).toEqual([0, 1])
  expect(await find('mail')).toMatchObject({ next_at: Date.parse('2027-02-02T08:00Z') })
})

it('a monthly schedule runs once on its day, not all day (civicrm-core#6606)', async () => {
  const { add, run, begun } = scheduleWorld('2026-12-01T07:59Z')
  await add('rent', { kind: 'monthly', day: 1, time: '08:00' })
  await run(26 * 60)
  expect(toTimes(begun)).toEqual([`rent-${eight}`])
})

it('a weekly schedule does not run because the computer starts again on other days (tasks#237)', async () => {
  const { add, run, world, begun } = scheduleWorld('2026-12-01T07:59Z')
  await add('card', { kind: 'weekly', days: ['fr'], time: '17:00' })
  for (const restart of ['2026-12-01T12:00Z', '2026-12-02T06:00Z', '2026-12-03T18:00Z']) {
    world.now = Date.parse(restart)
    await run(5)
  }
  expect(begun.size).toBe(0)
})
