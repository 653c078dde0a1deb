import { rule as ruleContract, weekdays, type Rule } from '#shared/contracts/schedules.ts'
import { parseJson } from '#shared/parse-json.ts'

type Fields = Record<string, unknown>
type Weekday = (typeof weekdays)[number]

/** Names that models give groups of days. */
const dayGroups: Readonly<Record<string, readonly Weekday[]>> = {
  weekday: weekdays.slice(0, 5),
  weekdays: weekdays.slice(0, 5),
  workday: weekdays.slice(0, 5),
  workdays: weekdays.slice(0, 5),
  weekend: weekdays.slice(5),
  weekends: weekdays.slice(5),
  daily: weekdays,
  all: weekdays,
}

/** 'Monday', 'Mondays', 'MON' and 'mo' are the same; a word that only begins like a day is none. */
const dayName =
  /^(?:(?<mo>mo(?:n(?:day)?)?)|(?<tu>tu(?:e(?:s(?:day)?)?)?)|(?<we>we(?:d(?:nesday)?)?)|(?<th>th(?:u(?:r(?:s(?:day)?)?)?)?)|(?<fr>fr(?:i(?:day)?)?)|(?<sa>sa(?:t(?:urday)?)?)|(?<su>su(?:n(?:day)?)?))s?\.?$/

const readDayName = (name: string): Weekday | undefined => {
  const groups = dayName.exec(name)?.groups
  return weekdays.find((day) => groups?.[day] !== undefined)
}

/** 'mon-fri', and across the end of the week 'sa-mo'. */
function readDayRange(text: string): readonly Weekday[] | undefined {
  const [first, last, ...more] = text.split(/[-–]/).map((name) => readDayName(name.trim()))
  if (!first || !last || more.length > 0) return undefined
  const from = weekdays.indexOf(first)
  const count = ((weekdays.indexOf(last) - from + weekdays.length) % weekdays.length) + 1
  return [...weekdays, ...weekdays].slice(from, from + count)
}

/** @returns undefined if one of them is no day */
function readDays(value: unknown): Weekday[] | undefined {
  if (!Array.isArray(value)) return undefined
  const named = new Set<Weekday>()
  for (const one of value) {
    const text = String(one).trim().toLowerCase()
    const day = readDayName(text)
    const days = day ? [day] : (dayGroups[text] ?? readDayRange(text))
    if (!days) return undefined
    for (const each of days) named.add(each)
  }
  return weekdays.filter((day) => named.has(day))
}

/** '8', '8:00', '08:00:00' and '8 am' are `08:00`. */
function readTime(value: unknown): string | undefined {
  const parts = /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(?:([ap])\.?m\.?)?$/i.exec(String(value).trim())
  if (!parts) return undefined
  const [, hours, minutes = '00', half] = parts
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

/** '2026-12-01 08:00', or a date beside a time. */
function readMoment(at: unknown, time: unknown): string | undefined {
  if (typeof at !== 'string') return undefined
  const text = at.trim()
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? `${text}T${readTime(time ?? '') ?? ''}`
    : text.replace(/^(\d{4}-\d{2}-\d{2})\s+/, '$1T')
}

const readNumber = (value: unknown) =>
  typeof value === 'string' && /^\d{1,2}$/.test(value.trim()) ? Number(value) : value

function readDay(value: unknown): unknown {
  const day = typeof value === 'string' ? value.trim().toLowerCase() : value
  return day === 'last' || day === -1 || day === '-1' ? 'last' : readNumber(day)
}

function toRule({ kind, at, minute, days, day, time }: Fields): unknown {
  switch (kind) {
    case 'once':
      return { kind, at: readMoment(at, time) }
    case 'hourly':
      return { kind, minute: readNumber(minute ?? 0) }
    case 'daily': {
      const chosen = readDays(days ?? [])
      if (!chosen) return undefined
      return chosen.length > 0 && chosen.length < weekdays.length
        ? { kind: 'weekly', days: chosen, time: readTime(time) }
        : { kind, time: readTime(time) }
    }
    case 'weekly':
      return { kind, days: readDays(days), time: readTime(time) }
    case 'monthly':
      return { kind, day: readDay(day), time: readTime(time) }
    default:
      return undefined
  }
}

/**
 * Reads a rule as models write it: with fields of other kinds, null for what is absent, names of days, and times without zeros.
 * @returns undefined if a part is missing, or cannot be read
 */
export function readRule(value: unknown): Rule | undefined {
  const fields = typeof value === 'string' ? parseJson(value) : value
  if (typeof fields !== 'object' || fields === null) return undefined
  return ruleContract.safeParse(toRule(fields as Fields)).data
}

/** What a rule has to have, for models. */
export const ruleForms = [
  '{"kind":"once","at":"2026-12-01T08:00"}',
  '{"kind":"hourly","minute":0}',
  '{"kind":"daily","time":"08:00"}',
  '{"kind":"weekly","days":["mo","th"],"time":"08:00"}',
  '{"kind":"monthly","day":1,"time":"08:00"}',
  '{"kind":"monthly","day":"last","time":"08:00"}',
].join(', ')
