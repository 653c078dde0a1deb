import type { DatabaseSync } from 'node:sqlite'

// What statements of other databases use and SQLite lacks, and what it does for ASCII alone. They run in the process of a query, which ends
// with its time.

const toText = (value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
const pure = { deterministic: true } as const

const patterns = new Map<string, RegExp>()
const maxPatterns = 100

function compile(key: string, create: () => RegExp): RegExp {
  const known = patterns.get(key)
  if (known) return known
  if (patterns.size >= maxPatterns) patterns.clear()
  const pattern = create()
  patterns.set(key, pattern)
  return pattern
}

const escapeExpression = (character: string) => character.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/** `%` and `_` as an expression. */
function toExpression(pattern: string, escape: string | undefined): RegExp {
  let source = ''
  let isEscaped = false
  for (const character of pattern) {
    if (!isEscaped && character === escape) {
      isEscaped = true
      continue
    }
    const isPlain = isEscaped || (character !== '%' && character !== '_')
    source += isPlain ? escapeExpression(character) : character === '%' ? '[^]*' : '[^]'
    isEscaped = false
  }
  return new RegExp(`^${source}$`, 'iu')
}

function like(pattern: unknown, text: unknown, escape?: unknown): number | null {
  if (pattern === null || text === null || escape === null) return null
  const form = toText(pattern)
  if (form.length > maxLikeCharacters) throw new Error('LIKE or GLOB pattern too complex')
  const mark = escape === undefined ? undefined : toText(escape)
  return compile(`like ${mark} ${form}`, () => toExpression(form, mark)).test(toText(text)) ? 1 : 0
}
const maxLikeCharacters = 200

interface Spread {
  count: number
  mean: number
  /** the sum of the squared distances from the mean */
  squares: number
}

/** Welford's method: exact also where the values are large and differ little. */
function addValue({ count, mean, squares }: Spread, value: unknown): Spread {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number') return { count, mean, squares }
  const distance = number - mean
  const next = mean + distance / (count + 1)
  return { count: count + 1, mean: next, squares: squares + distance * (number - next) }
}

/** Adds `stddev` and `variance` with their usual names, functions of dates, `regexp`, and `lower`, `upper` and `like` for all letters. */
export function addFunctions(database: DatabaseSync): void {
  const addSpread = (names: readonly string[], less: number, finish: (variance: number) => number) => {
    for (const name of names)
      database.aggregate(name, {
        // Node keeps any value; its types know those of SQLite alone
        start: { count: 0, mean: 0, squares: 0 } as never,
        step: (spread, value) => addValue(spread as unknown as Spread, value) as never,
        result: (result) => {
          const { count, squares } = result as unknown as Spread
          return count - less < 1 ? null : finish(squares / (count - less))
        },
      })
  }
  addDateFunctions(database)
  addSpread(['stddev', 'stdev', 'stddev_samp'], 1, Math.sqrt)
  addSpread(['variance', 'var_samp'], 1, (value) => value)
  addSpread(['stddev_pop', 'stdevp'], 0, Math.sqrt)
  addSpread(['var_pop'], 0, (value) => value)
  database.function('lower', pure, (text) => (text === null ? null : toText(text).toLowerCase()))
  database.function('upper', pure, (text) => (text === null ? null : toText(text).toUpperCase()))
  database.function('like', pure, (pattern, text) => like(pattern, text))
  database.function('like', pure, (pattern, text, escape) => like(pattern, text, escape))
  database.function('regexp', pure, (pattern, text) =>
    pattern === null || text === null
      ? null
      : compile(`regexp ${toText(pattern)}`, () => new RegExp(toText(pattern), 'u')).test(toText(text))
        ? 1
        : 0,
  )
}

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
