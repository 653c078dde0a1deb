/** Texts in tables that mean that there is no value. */
const emptyValues = new Set(['', '-', '–', '—', 'n/a', 'na', 'nan', 'null', 'none', '.'])

/** No number in a table is longer; this also bounds the work of the patterns below. */
const maxCharacters = 60

const thousands = /^[+-]?[1-9]\d{0,2}(?:,\d{3}){1,9}(?:\.\d{1,20})?$/
const plain = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,3})?$/i
/** Three digits are decimals only after a zero: otherwise they are thousands. */
const decimalComma = /^[+-]?(?:\d{1,15},\d{1,2}|0,\d{1,20})$/
const unit = /^[$€£¥]\s?|\s?[%$€£¥]$/g

/**
 * Parses a number as it stands in tables: also with commas between thousands or before decimals, a percent sign, or the sign of a currency.
 * Truth values are 1 and 0, as the library draws them.
 * @returns null for an empty value and a number that is not finite, undefined for a value that is no number
 */
export function parseNumber(value: unknown): number | null | undefined {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string' || value.length > maxCharacters) return undefined
  const text = value.trim().replaceAll('−', '-').replaceAll(unit, '')
  if (emptyValues.has(text.toLowerCase())) return null
  if (plain.test(text)) return parseNumber(Number(text))
  if (thousands.test(text)) return Number(text.replaceAll(',', ''))
  if (decimalComma.test(text)) return Number(text.replace(',', '.'))
  return undefined
}
