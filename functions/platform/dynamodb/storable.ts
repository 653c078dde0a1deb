import { truncate } from '#shared/truncate.ts'

/** A row of the table nests 32 levels; what is kept here lies some levels inside of one. */
const maxDepth = 24
/** Smaller numbers than this are none to the table. */
const minMagnitude = 1e-100

/** Names by which the SDK takes a value for something else on its way to the table. */
const reservedNames = new Set(['', '__proto__', 'constructor'])
const isName = (name: string) => !reservedNames.has(name) && name.isWellFormed()

/** Whether the table takes a value as it is: no empty name, no number beyond what is exact, not too deep, no half of a letter. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER && (value === 0 || Math.abs(value) >= minMagnitude)
  if (typeof value !== 'object') return typeof value === 'boolean' || value === undefined
  if (value === null) return true
  if (depth >= maxDepth) return false
  return Object.entries(value).every(([name, one]) => isName(name) && isStorable(one, depth + 1))
}

/** The JSON of a value; of what is too deep to be written, and of what has none, words in its place. */
function toJson(value: unknown): string {
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
export function toStorable(value: unknown, maxCharacters: number): unknown {
  const text = typeof value === 'string' ? value : toJson(value)
  if (text.length > maxCharacters)
    return `${truncate(text, maxCharacters).toWellFormed()}…\n[${text.length} characters in all]`
  return isStorable(value) ? value : text.toWellFormed()
}

/** As `storable`, for arguments, which have names. */
export function toStorableFields(
  fields: Record<string, unknown>,
  maxCharacters: number,
): Record<string, unknown> {
  const kept = toStorable(fields, maxCharacters)
  return kept === fields ? fields : { arguments: kept }
}
