import type { TableCell } from '#shared/table-result.ts'
import { locale } from '../../../lib/text/locale.ts'

/** How the values of one column are shown. */
export interface ColumnFormat {
  isNumeric: boolean
  format: (value: TableCell) => string
}

/** Floating-point sums of decimal fractions are wrong in the digits after these. */
const significantDigits = 14
/** Decimals of amounts of money. */
const moneyDecimals = 2
/** A column with one decimal and a number from here on is taken for amounts of money. */
const minMoneyAmount = 100
/** Further decimals are rounded away. */
const maxDecimals = 6
/** From here on a number has more digits than it is exact for; it is shown as JavaScript writes it. */
const maxFormattedNumber = 1e15
/** Names of columns whose numbers have no separators: years in the page's languages; in English and German, numbers that identify something. */
const unseparatedName =
  /(?:^|_)(?:id|no|nr|zip|plz|year|fy|jahr|ann[ée]e|a[nñ]o|ano)(?:$|_)|\p{L}(?:year|jahr|nummer|_?number|_code)$|年|سنة|عام/iu

function countDecimals(value: number): number {
  if (Math.abs(value) >= maxFormattedNumber) return 0
  const rounded = Number(Number(value.toPrecision(significantDigits)).toFixed(maxDecimals))
  return String(rounded).split('.')[1]?.length ?? 0
}

/**
 * Chooses one format for all values of a column: how many decimals its numbers have, and whether they have separators.
 * @param name of the column; years and numbers that identify something are recognised by it
 * @param values null or undefined for empty cells
 */
export function formatColumn(name: string, values: readonly (TableCell | undefined)[]): ColumnFormat {
  const numbers = values.filter((value) => typeof value === 'number')
  const isNumeric = numbers.length > 0 && values.every((value) => typeof value !== 'string')
  const most = numbers.reduce((max, value) => Math.max(max, countDecimals(value)), 0)
  const isMoney = most === 1 && numbers.some((value) => Math.abs(value) >= minMoneyAmount)
  const decimals = isMoney ? moneyDecimals : most
  const isUnseparated = decimals === 0 && unseparatedName.test(name)
  const formatter = new Intl.NumberFormat(locale, {
    useGrouping: !isUnseparated,
    minimumFractionDigits: decimals <= moneyDecimals ? decimals : 0,
    maximumFractionDigits: decimals,
    // no minus before zero, which the rest of a sum may be rounded to
    signDisplay: 'negative',
  })
  return {
    isNumeric,
    format: (value) => {
      if (typeof value !== 'number') return value ?? ''
      return Math.abs(value) >= maxFormattedNumber ? String(value) : formatter.format(value)
    },
  }
}

/** Writes a column's name as people do: `days_late` as "Days late". An expression, and a name without letters or digits, stays as it is. */
export function formatColumnName(name: string): string {
  if (!/^_*[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_]*$/u.test(name)) return name
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
