import { locale } from './locale.ts'

/** `.`, or `,` as in German. */
const decimalSeparator =
  new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** A number as a field shows it, as `parseNumberInput` reads it again. */
export const formatNumberInput = (value: number, decimal = decimalSeparator): string =>
  String(value).replace('.', decimal)

/**
 * Parses a number as people write it: `50000`, `50 000`, `50,000` and in German `50.000`; with decimals `2.50`, in German `2,50`, too. What
 * others would read as another number is refused: `2,5` in English, and in German `1.250` where decimals are allowed.
 * @param options.hasDecimals whether the number may have decimals
 * @param options.decimal the separator of decimals, by default that of the reader's locale
 * @returns undefined for an empty text, NaN for what is no number
 */
export function parseNumberInput(
  text: string,
  { hasDecimals = false, decimal = decimalSeparator }: { hasDecimals?: boolean; decimal?: string } = {},
): number | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const isComma = decimal === ','
  const group = /^[1-9]\d{0,2}(?:([.,'’ \u{202f}\u{a0}])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/u.exec(trimmed)?.[1]
  const isGrouped = group !== undefined && group !== decimal
  // ambiguous: one dot before three digits: the thousands of German, or decimals of English
  if (isGrouped && isComma && hasDecimals && /^\d+\.\d{3}$/.test(trimmed)) return Number.NaN
  const digits = isGrouped ? trimmed.replaceAll(group, '') : trimmed
  const number = isComma ? digits.replace(',', '.') : digits
  return (hasDecimals ? /^\d{1,12}(?:\.\d{1,9})?$/ : /^\d{1,12}$/).test(number) ? Number(number) : Number.NaN
}
