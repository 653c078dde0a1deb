import { plural, t } from '@lingui/core/macro'
import type { Rule } from '#shared/contracts/schedules.ts'
import { formatConjunction, locale } from './locale.ts'
import { formatTimeZone, isReadersZone } from './time-zone.ts'
import { formatWeekday, isoWeek, listWeekdays, type Weekday } from './week.ts'

/** The last day of the shortest month: a rule for a later day means the last day of some months. */
const lastDayOfAllMonths = 28

const workdays = isoWeek.slice(0, 5)

/**
 * A rule of a schedule as a sentence in the language of the page: 'Every Monday and Thursday at 8:00 AM'. Names of days, lists and times are
 * those of the reader's locale. The zone is named where it is not the reader's.
 * @param timeZone IANA name
 * @returns undefined for a rule of a newer service, which this release cannot describe
 */
export function describeRule(rule: Rule, timeZone: string): string | undefined {
  const sentence = tryToDescribe(rule, timeZone)
  return sentence === undefined || isReadersZone(timeZone)
    ? sentence
    : t`${{ rule: sentence }} (${{ zone: formatTimeZone(timeZone) }})`
}

function tryToDescribe(rule: Rule, timeZone: string): string | undefined {
  try {
    return describeTimes(rule, timeZone)
  } catch {
    // a kind that is known, with fields that are not
    return undefined
  }
}

/**
 * @returns undefined for an unknown kind, which results of tools may have
 * @throws for a known kind with a field that this release cannot read
 */
function describeTimes(rule: Rule, timeZone: string): string | undefined {
  switch (rule.kind) {
    case 'once':
      return t`Once: ${{ when: formatOnce(rule.at, timeZone) }}`
    case 'hourly':
      return plural(checkNumber(rule.minute), {
        0: `Every hour, on the hour`,
        one: `Every hour, # minute past`,
        other: `Every hour, # minutes past`,
      })
    case 'daily':
      return t`Every day ${{ atTime: describeTimeOfDay(rule.time) }}`
    case 'weekly':
      return describeWeekly(rule.days, describeTimeOfDay(rule.time))
    case 'monthly':
      return describeMonthly(rule.day, describeTimeOfDay(rule.time))
  }
}

function checkNumber(value: number): number {
  if (!Number.isInteger(value)) throw new TypeError('no number')
  return value
}

function describeWeekly(days: readonly Weekday[], atTime: string): string {
  const chosen = listWeekdays().filter((day) => days.includes(day))
  if (chosen.length === 0 || days.some((day) => !chosen.includes(day))) throw new TypeError('an unknown day')
  if (chosen.length === isoWeek.length) return t`Every day ${atTime}`
  if (chosen.length === workdays.length && workdays.every((day) => chosen.includes(day)))
    return t`From ${{ first: formatWeekday('mo') }} to ${{ last: formatWeekday('fr') }} ${atTime}`
  return t`Every ${{ days: formatConjunction(chosen.map((day) => formatWeekday(day))) }} ${atTime}`
}

function describeMonthly(day: number | 'last', atTime: string): string {
  if (day === 'last') return t`On the last day of each month ${atTime}`
  return checkNumber(day) > lastDayOfAllMonths
    ? t`On day ${day} of each month, or the last day of a shorter one, ${atTime}`
    : plural(day, {
        1: `On the first of each month ${atTime}`,
        other: `On day # of each month ${atTime}`,
      })
}

/**
 * @param timeOfDay `08:00`
 * @returns 'at 8:00 AM'. A plural, because some languages have another word before one o'clock
 */
function describeTimeOfDay(timeOfDay: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).formatToParts(
    Date.parse(`1970-01-01T${timeOfDay}Z`),
  )
  const hour = Number(parts.find(({ type }) => type === 'hour')?.value)
  const time = parts.map(({ value }) => value).join('')
  return plural(hour, { one: `at ${time}`, other: `at ${time}` })
}

/** Whether a time of a rule has an offset: without one it is by the clock of the rule's zone. */
export const isInstant = (at: string): boolean => /(?:Z|[+-]\d\d:?\d\d)$/.test(at)

const minuteMs = 60_000

/**
 * The time of a rule that runs once, in milliseconds since 1970; one without an offset is read as UTC. Seconds count as the next minute, in which
 * it runs.
 */
export const parseOnce = (at: string): number =>
  Math.ceil(Date.parse(isInstant(at) ? at : `${at}Z`) / minuteMs) * minuteMs

function formatOnce(at: string, timeZone: string): string {
  const time = parseOnce(at)
  const format = (zone: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(time)
  if (!isInstant(at)) return format('UTC')
  try {
    return format(timeZone)
  } catch {
    // a newer zone than this browser knows
    return `${format('UTC')} UTC`
  }
}
