/** The fields of an object of an export. Any of them may be missing or have another type. */
export type Fields = Readonly<Record<string, unknown>>

/** @returns the object; one without fields for anything else */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
/** @returns the list; an empty one for anything else */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** @returns the string; an empty one for anything else */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Larger numbers are milliseconds, others seconds: 1e11 seconds are in the year 5138, and 1e11 milliseconds in 1973. */
const maxSeconds = 1e11
/**
 * A time in milliseconds since 1970.
 * @param value a date as text, such as ISO 8601, or a number of seconds or milliseconds
 * @returns undefined for anything else, for times before 1970, and for times to come
 */
export function toTimeMs(value: unknown): number | undefined {
  const isSeconds = typeof value === 'number' && value <= maxSeconds
  const timeMs = typeof value === 'number' ? value * (isSeconds ? 1_000 : 1) : Date.parse(toText(value))
  return timeMs > 0 && timeMs <= Date.now() ? Math.floor(timeMs) : undefined
}

/** The object that stands as JSON in a string. @returns one without fields for anything else */
export function parseFields(json: string): Fields {
  try {
    return toFields(JSON.parse(json))
  } catch {
    // no JSON
    return {}
  }
}

/** The last part of a path, on any system. */
export const toBaseName = (path: string) =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** The name of a text as a file that the product reads as text: with `.txt` behind it, unless its extension is one of a text. */
export const toTextFileName = (name: string) =>
  /\.(txt|md|csv|json|log)$/i.test(name) ? name : `${name || 'pasted'}.txt`

/** The id of a project or a saved prompt as the service takes it; '' if nothing of it is left. */
export const toLibraryId = (id: unknown): string =>
  toText(id)
    .replace(/[^A-Za-z0-9_-]/g, '')
    .slice(0, 64)
