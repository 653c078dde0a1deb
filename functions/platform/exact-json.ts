// TypeScript's library does not have these yet; every runtime of the product does (Node 24)
declare global {
  interface JSON {
    /** @see https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** A number as it was written. `JSON.stringify` writes it unchanged. */
export interface RawJson {
  readonly rawJSON: string
}

/**
 * Parses JSON without changing a number: one that JavaScript would write differently, such as a whole number above 2^53, becomes a
 * `RawJson`, which `JSON.stringify` writes as it was.
 * @param checkKey called for the name of each field
 * @throws SyntaxError, and what `checkKey` throws
 */
export const parseExactJson = (text: string, checkKey?: (key: string) => void): unknown =>
  JSON.parse(text, (key, value, { source }) => {
    checkKey?.(key)
    return typeof value === 'number' && source !== undefined && source !== String(value)
      ? JSON.rawJSON(source)
      : value
  })

/** As `parseExactJson`. @returns undefined for what is no JSON */
export function tryParseExactJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/** A copy of a value in which each `RawJson` is replaced; the value itself if it has none. */
function mapRawNumbers(value: unknown, replace: (source: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (JSON.isRawJSON(value)) return replace(value.rawJSON)
  if (Array.isArray(value)) {
    const copy = value.map((each: unknown) => mapRawNumbers(each, replace))
    return copy.some((each, index) => each !== value[index]) ? copy : value
  }
  const entries = Object.entries(value)
  const copies = entries.map(([name, each]): [string, unknown] => [name, mapRawNumbers(each, replace)])
  return copies.some(([, each], index) => each !== entries[index]?.[1]) ? Object.fromEntries(copies) : value
}

/** Exact numbers as the nearest ones that JavaScript has, to check them against a schema. */
export const toNearestNumbers = (value: unknown): unknown => mapRawNumbers(value, Number)

/** A number of JavaScript has at least this many significant decimal digits. */
const exactDigits = 15

/** Whether a number of JavaScript has the value of the text. */
function isExact(source: string): boolean {
  const [mantissa = ''] = source.toLowerCase().split('e')
  const digits = mantissa.replace(/\D/g, '').replace(/^0+/, '')
  const significant = mantissa.includes('.') || digits.length > exactDigits ? trimZeros(digits) : digits
  return significant.length <= exactDigits && Number.isFinite(Number(source))
}

function trimZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Exact numbers as plain data: as numbers where that changes no value, else as texts of their digits. */
export const toPlainNumbers = <T>(value: T): T =>
  mapRawNumbers(value, (source) => (isExact(source) ? Number(source) : source)) as T
