import { Temporal } from '@js-temporal/polyfill'
import { expect, it } from 'vitest'
import { weekdays, type Rule } from '#shared/contracts/schedules.ts'
import { nextTime } from '#shared/schedule-times.ts'
import { divideRuns, fc } from '../support/fuzz.ts'

/*
 * A second opinion on the times of rules: offsets by another library, and a walk from minute to minute instead of the calculation.
 */

const minuteMs = 60_000
const dayMs = 86_400_000

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'Pacific/Apia',
  'UTC',
]

/** Where an offset (ms) begins. */
function listOffsets(zone: string, from: number, to: number): { start: number; offset: number }[] {
  const offsets = []
  for (let time: number | undefined = from; time !== undefined && time < to;) {
    const now = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone)
    offsets.push({ start: time, offset: now.offsetNanoseconds / 1e6 })
    time = now.getTimeZoneTransition('next')?.epochMilliseconds
  }
  return offsets
}

const pad = (number: number) => String(number).padStart(2, '0')

/** Whether a rule has a time on the wall, given as if it were UTC. */
function hasWall(rule: Exclude<Rule, { kind: 'once' }>, wall: number): boolean {
  const date = new Date(wall)
  if (rule.kind === 'hourly') return date.getUTCMinutes() === rule.minute
  if (`${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}` !== rule.time) return false
  if (rule.kind === 'weekly') return rule.days.includes(weekdays[(date.getUTCDay() + 6) % 7] ?? 'mo')
  if (rule.kind === 'daily') return true
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.getUTCDate() === (rule.day === 'last' ? lastDay : Math.min(rule.day, lastDay))
}

const toHour = (wall: number) => Math.floor(wall / 3_600_000)

function walk(rule: Exclude<Rule, { kind: 'once' }>, zone: string, after: number): number | undefined {
  const from = after - (after % minuteMs) - 3 * dayMs
  const to = after + 33 * dayMs
  const offsets = listOffsets(zone, from, to)
  let segment = 0
  let highest = from + (offsets[0]?.offset ?? 0) - minuteMs
  const ranAt = new Map<number, number>()
  for (let time = from; time < to; time += minuteMs) {
    while ((offsets[segment + 1]?.start ?? Infinity) <= time) segment++
    const wall = time + (offsets[segment]?.offset ?? 0)
    const passed: number[] = []
    for (let one = highest + minuteMs; one <= wall; one += minuteMs) if (hasWall(rule, one)) passed.push(one)
    const isRun =
      rule.kind === 'hourly'
        ? passed.some((one) => toHour(one) === toHour(wall)) ||
          (wall <= highest && hasWall(rule, wall) && time - (ranAt.get(wall) ?? -Infinity) >= 3_600_000)
        : passed.length > 0
    highest = Math.max(highest, wall)
    if (!isRun) continue
    ranAt.set(wall, time)
    if (time > after) return time
  }
  return undefined
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${pad(hour)}:${pad(minute)}`)
/** more often in the hours that clocks change */
const anyTime = fc.oneof(
  time,
  fc.integer({ min: 0, max: 59 }).map((minute) => `02:${pad(minute)}`),
)
const anyRule = fc.oneof(
  fc.record({ kind: fc.constant('hourly' as const), minute: fc.integer({ min: 0, max: 59 }) }),
  fc.record({ kind: fc.constant('daily' as const), time: anyTime }),
  fc.record({
    kind: fc.constant('weekly' as const),
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    time: anyTime,
  }),
  fc.record({
    kind: fc.constant('monthly' as const),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)),
    time: anyTime,
  }),
)

/** Most are near a change of the clock of the zone, before it. */
const anyMoment = fc.constantFrom(...zones).chain((zone) => {
  const start = Date.parse(zone === 'Pacific/Apia' ? '2011-08-01T00:00Z' : '2026-06-01T00:00Z')
  const changes = listOffsets(zone, start, start + 450 * dayMs).map((one) => one.start)
  return fc.record({
    zone: fc.constant(zone),
    after: fc.oneof(
      { weight: 1, arbitrary: fc.integer({ min: start, max: start + 450 * dayMs }) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...changes), fc.integer({ min: -26 * 60, max: 180 }))
          .map(([change, minutes]) => change + minutes * minuteMs),
      },
    ),
  })
})

it('a rule has the next time that another library and a walk by minutes find', () => {
  fc.assert(
    fc.property(anyRule, anyMoment, (rule, { zone, after }) => {
      expect(nextTime(rule, zone, after)).toBe(walk(rule, zone, after))
    }),
    divideRuns(0.25),
  )
})
