import type { DatabaseSync } from 'node:sqlite'

// Parts of dates by the names that other databases have for them. Dates are texts such as 2026-03-31 and 2026-03-31 14:05:00.

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/

const readDate = (value: unknown): Date | undefined => {
  const found = typeof value === 'string' ? form.exec(value.trim()) : null
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, ...time] = found.slice(1).map((part) => Number(part ?? 0))
  return new Date(Date.UTC(year, month - 1, day, ...time))
}

const dayMs = 86_400_000
const addDays = (date: Date, days: number) => new Date(date.getTime() + days * dayMs)
const startOfYear = (date: Date) => Date.UTC(date.getUTCFullYear(), 0, 1)
/** 0 is Monday. */
const weekday = (date: Date) => (date.getUTCDay() + 6) % 7

/** The week that has the year's first Thursday is its first (ISO 8601). */
function isoWeek(date: Date): number {
  const thursday = addDays(date, 3 - weekday(date))
  return Math.floor((thursday.getTime() - startOfYear(thursday)) / dayMs / 7) + 1
}

const parts: Readonly<Record<string, (date: Date) => number>> = {
  year: (date) => date.getUTCFullYear(),
  quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  month: (date) => date.getUTCMonth() + 1,
  week: isoWeek,
  day: (date) => date.getUTCDate(),
  // 0 is Sunday, as PostgreSQL and strftime have it
  dow: (date) => date.getUTCDay(),
  doy: (date) => Math.floor((date.getTime() - startOfYear(date)) / dayMs) + 1,
  hour: (date) => date.getUTCHours(),
  minute: (date) => date.getUTCMinutes(),
}

const toDay = (date: Date) => date.toISOString().slice(0, 10)
const truncations: Readonly<Record<string, (date: Date) => string>> = {
  year: (date) => `${date.getUTCFullYear()}-01-01`,
  quarter: (date) => toDay(new Date(Date.UTC(date.getUTCFullYear(), 3 * Math.floor(date.getUTCMonth() / 3)))),
  month: (date) => `${toDay(date).slice(0, 7)}-01`,
  week: (date) => toDay(addDays(date, -weekday(date))),
  day: toDay,
  hour: (date) => `${toDay(date)} ${date.toISOString().slice(11, 13)}:00:00`,
  minute: (date) => `${toDay(date)} ${date.toISOString().slice(11, 16)}:00`,
}

/** @throws a sentence for the writer of the statement */
function apply<Result>(
  functions: Readonly<Record<string, (date: Date) => Result>>,
  unit: unknown,
  value: unknown,
): Result | null {
  const known = typeof unit === 'string' ? functions[unit.toLowerCase()] : undefined
  if (!known)
    throw new Error(`unknown part of a date: ${String(unit)} (known: ${Object.keys(functions).join(', ')})`)
  const date = readDate(value)
  return date && !Number.isNaN(date.getTime()) ? known(date) : null
}

/** Adds `date_trunc`, `date_part`, `year`, `quarter`, `month` and `day`. */
export function addDateFunctions(database: DatabaseSync): void {
  const pure = { deterministic: true } as const
  database.function('date_trunc', pure, (unit, value) => apply(truncations, unit, value))
  database.function('date_part', pure, (unit, value) => apply(parts, unit, value))
  for (const unit of ['year', 'quarter', 'month', 'day'])
    database.function(unit, pure, (value) => apply(parts, unit, value))
}
