import { parseExactJson } from '../platform/exact-json.ts'
import { isRecord } from './is-record.ts'

type Schema = Readonly<Record<string, unknown>>

const maxDepth = 24

/** What a reference within a schema names. */
export function resolveReference(schema: Schema, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined
  let at: unknown = schema
  for (const part of ref.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isHere = (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, name)
    at = isHere ? (at as Schema)[name] : undefined
  }
  return at
}

/** The schema, or the only alternative beside null. */
function resolve(value: unknown, root: Schema, depth = 0): Schema {
  if (!isRecord(value) || depth > maxDepth) return {}
  if (value['$ref'] !== undefined) return resolve(resolveReference(root, value['$ref']), root, depth + 1)
  for (const list of [value['anyOf'], value['oneOf']]) {
    const others = Array.isArray(list) ? list.filter((one) => !isRecord(one) || one['type'] !== 'null') : []
    if (others.length === 1) return resolve(others[0], root, depth + 1)
  }
  return value
}

const listTypes = ({ type }: Schema): readonly unknown[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type]

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A text as the value that it writes out, if the schema wants such a value and no text. */
function readText(text: string, types: readonly unknown[]): unknown {
  const trimmed = text.trim()
  const isNumber = types.includes('number') || (types.includes('integer') && !/[.eE]/.test(trimmed))
  const isWritten =
    (isNumber && jsonNumber.test(trimmed)) ||
    (types.includes('boolean') && /^(true|false)$/.test(trimmed)) ||
    (types.includes('array') && trimmed.startsWith('[')) ||
    (types.includes('object') && trimmed.startsWith('{'))
  if (!isWritten) return text
  try {
    return parseExactJson(trimmed)
  } catch {
    return text
  }
}

/**
 * Arguments with what models write for the right thing: null for an optional argument is its absence, a number, a truth value, a list or an
 * object may be written as text, and a number where a text is wanted.
 * @param schema of the tool; to be used for arguments that it refuses
 */
export function relaxArguments(schema: Schema, value: unknown, root = schema, depth = 0): unknown {
  const resolved = resolve(schema, root)
  const types = listTypes(resolved)
  if (depth > maxDepth) return value
  if (typeof value === 'string' && types.length > 0 && !types.includes('string')) {
    const read = readText(value, types)
    return read === value ? value : relaxArguments(resolved, read, root, depth + 1)
  }
  if (types.length === 1 && types[0] === 'string' && (typeof value === 'number' || JSON.isRawJSON(value)))
    return JSON.stringify(value)
  const { properties, items, required } = resolved
  if (Array.isArray(value))
    return isRecord(items) ? value.map((one) => relaxArguments(items, one, root, depth + 1)) : value
  if (!isRecord(value) || !isRecord(properties)) return value
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (one === null && !isRequired(name)) return []
      return [[name, isRecord(property) ? relaxArguments(property, one, root, depth + 1) : one]]
    }),
  )
}
