import type { TableCell } from '#shared/table-result.ts'
import { locale } from '../../../lib/locale.ts'

/** How the values of one column are shown. */
export interface ColumnFormat {
  isNumeric: boolean
  format: (value: TableCell) => string
}

/** Sums of decimal fractions differ in the last digits that a number has. */
const significantDigits = 14
/** Amounts have as many decimals in all rows, those of money two. */
const alignedDecimals = 2
const smallestAmount = 100
const maxDecimals = 6
/** Years, and numbers that name something, in the languages of the page. */
const plainName =
  /(?:^|_)(?:id|no|nr|zip|plz|year|fy|jahr|ann[ée]e|a[nñ]o|ano)(?:$|_)|\p{L}(?:year|jahr|nummer|_?number|_code)$|年|سنة|عام/iu

function countDecimals(value: number): number {
  const [, decimals = ''] = String(Number(value.toPrecision(significantDigits))).split('.')
  return decimals.includes('e') ? maxDecimals : Math.min(maxDecimals, decimals.length)
}

/** Numbers of a column are alike: a year, or a number of a row, has no separators. */
export function formatColumn(name: string, values: readonly (TableCell | undefined)[]): ColumnFormat {
  const numbers = values.filter((value) => typeof value === 'number')
  const isNumeric = numbers.length > 0 && values.every((value) => typeof value !== 'string')
  const most = numbers.reduce((max, value) => Math.max(max, countDecimals(value)), 0)
  const isMoney = most === 1 && numbers.some((value) => Math.abs(value) >= smallestAmount)
  const decimals = isMoney ? alignedDecimals : most
  const isPlain = decimals === 0 && plainName.test(name)
  const formatter = new Intl.NumberFormat(locale, {
    useGrouping: !isPlain,
    minimumFractionDigits: decimals <= alignedDecimals ? decimals : 0,
    maximumFractionDigits: decimals,
  })
  return {
    isNumeric,
    format: (value) =>
      typeof value === 'number'
        ? Math.abs(value) >= 1e15
          ? String(value)
          : formatter.format(value)
        : (value ?? ''),
  }
}

/** A column's name as people write it: `days_late` as "Days late". Expressions stay. */
export function formatColumnName(name: string): string {
  if (!/^[\p{L}\p{M}\p{N}_]+$/u.test(name)) return name
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Main words of a statement that begin a line. */
const clause =
  /^(?:select|from|where|group by|having|order by|limit|union(?: all)?|intersect|except|(?:(?:left|right|full|inner|cross|natural)(?: outer)? )?join)\b/i

/**
 * Breaks a statement that is one line before its clauses. What is in quotation marks, comments and parentheses stays as it is.
 */
export function formatSql(sql: string): string {
  const text = sql.trim()
  if (text.includes('\n')) return text
  let formatted = ''
  let depth = 0
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? ''
    const closing = character === '[' ? ']' : /["'`]/.test(character) ? character : ''
    if (closing !== '') {
      const end = text.indexOf(closing, at + 1)
      const next = end < 0 ? text.length : end + 1
      formatted += text.slice(at, next)
      at = next
      continue
    }
    if (text.startsWith('--', at)) return formatted + text.slice(at)
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ' ' && depth === 0 && clause.test(text.slice(at + 1, at + 30))) {
      formatted = `${formatted.trimEnd()}\n`
      const [words = ''] = clause.exec(text.slice(at + 1, at + 30)) ?? []
      formatted += words
      at += 1 + words.length
      continue
    }
    formatted += character
    at += 1
  }
  return formatted
}
