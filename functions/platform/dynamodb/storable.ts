import { head } from '#shared/text-head.ts'

/** A row of the table nests 32 levels; what is kept here lies some levels inside of one. */
const maxDepth = 24
/** Smaller numbers than this are none to the table. */
const smallest = 1e-100

/** Names by which the SDK takes a value for something else on its way to the table. */
const misleading = new Set(['', '__proto__', 'constructor'])
const isName = (name: string) => !misleading.has(name) && name.isWellFormed()

/** Whether the table takes a value as it is: no empty name, no number beyond what is exact, not too deep, no half of a letter. */
function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER && (value === 0 || Math.abs(value) >= smallest)
  if (typeof value !== 'object') return typeof value === 'boolean' || value === undefined
  if (value === null) return true
  if (depth >= maxDepth) return false
  return Object.entries(value).every(([name, one]) => isName(name) && isPlain(one, depth + 1))
}

/** The JSON of a value; of what is too deep to be written, and of what has none, words in its place. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '[too deep to be kept]'
  }
}

/**
 * What of a stranger's JSON a row can hold: the value itself where the table takes it and it is short enough, else the beginning of
 * its text. A row that could not be written would take everything else in it along.
 */
export function storable(value: unknown, mostCharacters: number): unknown {
  const text = typeof value === 'string' ? value : asJson(value)
  if (text.length > mostCharacters)
    return `${head(text, mostCharacters).toWellFormed()}…\n[${text.length} characters in all]`
  return isPlain(value) ? value : text.toWellFormed()
}

/** As `storable`, for arguments, which have names. */
export function storableFields(
  fields: Record<string, unknown>,
  mostCharacters: number,
): Record<string, unknown> {
  const kept = storable(fields, mostCharacters)
  return kept === fields ? fields : { arguments: kept }
}
