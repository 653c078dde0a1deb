import { locale } from './locale.ts'

/** Of the keyboards for Arabic and Persian. The last four bits of their code are their value. */
const arabicDigits = /[٠-٩۰-۹]/g

/** A text with the digits and letters of ASCII, where a keyboard has written them in full width or has digits of its own. */
export const toAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf))

/** `.`, or `,` as in German. */
const decimalSeparator =
  new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Without the exponent that `String` writes for small numbers. */
const plainNumber = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 9 })

/** A number as a field shows it. `parseNumberInput` reads it again, unless it is negative or has more digits than that takes. */
export const formatNumberInput = (value: number): string =>
  plainNumber.format(value).replace('.', decimalSeparator)

/**
 * Parses a number as people write it: `50000`, `50 000`, `50,000` and in German `50.000`; with decimals `2.50`, in German `2,50`, too, whatever
 * digits the keyboard has. What others would read as another number is refused: `2,5` in English, and in German `1.250` where decimals are
 * allowed.
 * @param options.hasDecimals whether the number may have decimals
 * @returns undefined for an empty text, NaN for what is no number, is negative, or has more than 13 digits before or 9 after the separator
 */
export function parseNumberInput(
  text: string,
  { hasDecimals = false }: { hasDecimals?: boolean } = {},
): number | undefined {
  const trimmed = toAsciiDigits(text).replaceAll('٫', decimalSeparator).replaceAll('٬', '’').trim()
  if (trimmed === '') return undefined
  const isComma = decimalSeparator === ','
  const group = /^[1-9]\d{0,2}(?:([.,'’ \u{202f}\u{a0}])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/u.exec(trimmed)?.[1]
  const isGrouped = group !== undefined && group !== decimalSeparator
  // ambiguous: one dot before three digits: the thousands of German, or decimals of English
  if (isGrouped && isComma && hasDecimals && /^\d+\.\d{3}$/.test(trimmed)) return Number.NaN
  const digits = isGrouped ? trimmed.replaceAll(group, '') : trimmed
  const number = isComma ? digits.replace(',', '.') : digits
  return (hasDecimals ? /^\d{1,13}(?:\.\d{1,9})?$/ : /^\d{1,13}$/).test(number) ? Number(number) : Number.NaN
}
