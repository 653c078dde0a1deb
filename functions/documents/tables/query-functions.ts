import type { DatabaseSync } from 'node:sqlite'
import { addDateFunctions } from './date-functions.ts'

// What statements of other databases use and SQLite lacks, and what it does for ASCII alone. They run in the process of a query, which ends
// with its time.

const toText = (value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
const pure = { deterministic: true } as const

/** Patterns of a statement, as it uses them. */
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
