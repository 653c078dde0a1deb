import { Temporal } from 'temporal-polyfill'
import type { Rule } from '#shared/contracts/schedules.ts'

/*
 * When a schedule runs, in milliseconds since 1970. Rules speak of days and times on the wall of a zone; a change of the clock leaves out
 * some of them and repeats others. The page loads this module only where it shows such times.
 */

type Wall = Temporal.PlainDateTime

/** @returns the zone's name as the IANA writes it; undefined for an unknown one, and for a mere offset */
export function findTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

/** The instant of a time on the wall: the first of two; that of the change if the clock leaves it out. */
function toInstant(wall: Wall, zone: string): { time: number; isLeftOut: boolean } {
  const early = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (early.toPlainDateTime().equals(wall)) return { time: early.epochMilliseconds, isLeftOut: false }
  const change = early.getTimeZoneTransition('next') ?? early
  return { time: change.epochMilliseconds, isLeftOut: true }
}

const hourMs = 3_600_000

/** The instants of one hour of the wall: none if the hour is left out as a whole, two if it is repeated as a whole. */
function toHourly(wall: Wall, zone: string): number[] {
  const { time, isLeftOut } = toInstant(wall, zone)
  if (isLeftOut) {
    const { hour, day } = toWall(time, zone)
    return hour === wall.hour && day === wall.day ? [time] : []
  }
  const late = wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
  return late - time >= hourMs ? [time, late] : [time]
}

const toWall = (time: number, zone: string): Wall =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDateTime()

/** Walls to look at around a time: so many hours may be left out at once, where a zone changes to the other side of the date line. */
const hoursAround = { before: 3, after: 30 }

function nextHourly(minute: number, zone: string, after: number): number | undefined {
  const start = toWall(after, zone).with({ minute, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
  let found: { time: number; at: number } | undefined
  for (let hours = -hoursAround.before; hours <= hoursAround.after; hours++) {
    // two hours that are repeated together come in turn: a later wall may be earlier
    if (found && hours > found.at + hoursAround.before) break
    for (const time of toHourly(start.add({ hours }), zone))
      if (time > after && (!found || time < found.time)) found = { time, at: hours }
  }
  return found?.time
}

const dayNumbers = { mo: 1, tu: 2, we: 3, th: 4, fr: 5, sa: 6, su: 7 } as const

/** Days of a rule, from one before a day on. */
function* listDays(
  rule: Extract<Rule, { time: string }>,
  today: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  if (rule.kind === 'monthly') {
    const day = rule.day === 'last' ? 31 : rule.day
    for (let months = -1; ; months++)
      yield today.with({ day: 1 }).add({ months }).with({ day }, { overflow: 'constrain' })
  }
  const days = rule.kind === 'weekly' ? new Set(rule.days.map((name) => dayNumbers[name])) : undefined
  for (let offset = -1; ; offset++) {
    const date = today.add({ days: offset })
    if (!days || days.has(date.dayOfWeek as 1)) yield date
  }
}

/**
 * The first time of a rule later than a time.
 * @returns undefined if there is none: `once` is over
 * @throws RangeError for an unknown zone
 */
export function nextTime(rule: Rule, zone: string, after: number): number | undefined {
  if (rule.kind === 'once') {
    const time = toOnce(rule.at, zone)
    return time > after ? time : undefined
  }
  if (rule.kind === 'hourly') return nextHourly(rule.minute, zone, after)
  const timeOfDay = Temporal.PlainTime.from(rule.time)
  for (const day of listDays(rule, toWall(after, zone).toPlainDate())) {
    const { time } = toInstant(day.toPlainDateTime(timeOfDay), zone)
    if (time > after) return time
  }
  return undefined
}

const minuteMs = 60_000

/**
 * Schedules are dispatched by the minute: seconds count as the next one, so that none runs before its time.
 * @param at with an offset it is an instant, without one a time on the wall
 */
function toOnce(at: string, zone: string): number {
  const time = /(?:Z|[+-]\d\d:?\d\d)$/.test(at)
    ? Date.parse(at)
    : toInstant(Temporal.PlainDateTime.from(at), zone).time
  return Math.ceil(time / minuteMs) * minuteMs
}

/** The next times of a rule, as many as asked for, or fewer if it ends before. */
export function nextTimes(rule: Rule, zone: string, after: number, count: number): number[] {
  const times: number[] = []
  for (let time: number | undefined = after; times.length < count; times.push(time)) {
    time = nextTime(rule, zone, time)
    if (time === undefined) break
  }
  return times
}
