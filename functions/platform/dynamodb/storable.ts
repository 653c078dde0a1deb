import { truncate } from '#shared/truncate.ts'
import { toPlainNumbers } from '../exact-json.ts'

/** DynamoDB allows 32 levels; these values are nested some levels deep in their row. */
const maxDepth = 24
/** DynamoDB rejects numbers of smaller magnitude. */
const minMagnitude = 1e-100

/** Attribute names that the SDK's marshaller misinterprets. */
const reservedNames = new Set(['', '__proto__', 'constructor'])
const isName = (name: string) => !reservedNames.has(name) && name.isWellFormed()

/** A number, or the text of one that the table or its SDK does not take. */
export const toStorableNumber = (value: number): number | string =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER && (value === 0 || Math.abs(value) >= minMagnitude)
    ? value
    : String(value)

/** Whether DynamoDB stores a value unchanged: no reserved names, no unsafe numbers, not too deep, no unpaired surrogates. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return toStorableNumber(value) === value
  if (typeof value !== 'object') return typeof value === 'boolean' || value === undefined
  if (value === null) return true
  if (depth >= maxDepth) return false
  return Object.entries(value).every(([name, one]) => isName(name) && isStorable(one, depth + 1))
}

/** The JSON of a value, or a placeholder if it cannot be serialised. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '[too deep to be kept]'
  }
}

function replaceExactNumbers<T>(value: T): T {
  try {
    return toPlainNumbers(value)
  } catch {
    // beyond the engine's own stack: it is not stored as data
    return value
  }
}

/**
 * Makes untrusted JSON storable: the value itself if the table accepts it and it is short enough, else the start of its text. One
 * unstorable value would make the whole row fail. A number that JavaScript cannot hold becomes the text of its digits.
 */
export function toStorable(data: unknown, maxCharacters: number): unknown {
  const value = replaceExactNumbers(data)
  const text = typeof value === 'string' ? value : toJson(value)
  if (text.length > maxCharacters)
    return `${truncate(text, maxCharacters).toWellFormed()}…\n[${text.length} characters in all]`
  return isStorable(value) ? value : text.toWellFormed()
}

/** As `toStorable`, for arguments, which must stay an object. */
export function toStorableFields(
  fields: Record<string, unknown>,
  maxCharacters: number,
): Record<string, unknown> {
  const plain = replaceExactNumbers(fields)
  const stored = toStorable(plain, maxCharacters)
  return stored === plain ? plain : { arguments: stored }
}
