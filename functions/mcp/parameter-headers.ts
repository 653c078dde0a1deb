import type { ToolProblem } from '#shared/sentences/tool-lists.ts'

type Schema = Readonly<Record<string, unknown>>
type HeaderProblem = Extract<ToolProblem, `header_${string}`>

/** The keyword in a parameter's schema whose value names the header `Mcp-Param-<value>` that repeats it (SEP-2243). */
const keyword = 'x-mcp-header'
/** RFC 9110, section 5.6.2 */
const headerToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const headerTypes = new Set<unknown>(['string', 'integer', 'boolean'])
/** `properties` is visited on its own, the values of the others are data, not schemas. */
const skippedKeywords = new Set(['properties', 'const', 'enum', 'default', 'examples', 'required'])
/** Their values are objects of schemas by name. */
const mapKeywords = new Set(['$defs', 'definitions', 'patternProperties', 'dependentSchemas'])

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Finds what is wrong with a tool's header declarations. A client has to leave out a tool with wrong ones (SEP-2243, from revision
 * 2026-07-28): names are unique header tokens, on parameters of a primitive type, which are reached through `properties` only.
 */
export function findHeaderProblem(inputSchema: Schema): HeaderProblem | undefined {
  const names = new Set<string>()

  function check(schema: Schema, isParameter: boolean): HeaderProblem | undefined {
    const name = schema[keyword]
    if (!isParameter) return 'header_place'
    if (typeof name !== 'string' || !headerToken.test(name)) return 'header_name'
    if (!headerTypes.has(schema['type'])) return 'header_type'
    if (names.has(name.toLowerCase())) return 'header_twice'
    names.add(name.toLowerCase())
    return undefined
  }

  function visit(schema: unknown, position: 'root' | 'parameter' | 'elsewhere'): HeaderProblem | undefined {
    if (Array.isArray(schema)) return findFirst(schema, (each) => visit(each, 'elsewhere'))
    if (!isSchema(schema)) return undefined
    const problem = Object.hasOwn(schema, keyword) ? check(schema, position === 'parameter') : undefined
    const { properties } = schema
    return (
      problem ??
      (isSchema(properties)
        ? findFirst(Object.values(properties), (each) =>
            visit(each, position === 'elsewhere' ? 'elsewhere' : 'parameter'),
          )
        : undefined) ??
      findFirst(Object.entries(schema), ([key, value]) => {
        if (skippedKeywords.has(key)) return undefined
        return visit(mapKeywords.has(key) && isSchema(value) ? Object.values(value) : value, 'elsewhere')
      })
    )
  }

  return visit(inputSchema, 'root')
}

function findFirst<T>(
  list: readonly T[],
  find: (each: T) => HeaderProblem | undefined,
): HeaderProblem | undefined {
  for (const each of list) {
    const found = find(each)
    if (found !== undefined) return found
  }
  return undefined
}
