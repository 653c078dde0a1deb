import { isRecord } from '../fields.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Names of types that are not JSON Schema's, as servers of tools write them. */
const typeNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['int', 'long', 'int32', 'int64', 'bigint'].map((name) => [name, 'integer'])),
  ...Object.fromEntries(['float', 'double', 'decimal'].map((name) => [name, 'number'])),
  ...Object.fromEntries(
    ['str', 'text', 'date', 'datetime', 'date-time', 'uuid', 'url', 'file', 'enum'].map((name) => [
      name,
      'string',
    ]),
  ),
  ...Object.fromEntries(['dict', 'map', 'json', 'record'].map((name) => [name, 'object'])),
  ...Object.fromEntries(['list', 'tuple', 'set'].map((name) => [name, 'array'])),
  bool: 'boolean',
  none: 'null',
}
const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** The types of JSON Schema that a schema names; none if any type fits. */
export function toTypes({ type }: Schema): string[] {
  const named = (Array.isArray(type) ? type : [type]).flatMap((one) => {
    const name = typeof one === 'string' ? one.toLowerCase() : ''
    const known = jsonTypes.has(name) ? name : Object.hasOwn(typeNames, name) ? typeNames[name] : undefined
    return known === undefined ? [] : [known]
  })
  // a number may be whole
  return [...new Set(named)].filter((one) => one !== 'integer' || !named.includes('number'))
}

const isNumber = (value: unknown) => typeof value === 'number'
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.length > 0

/** Keywords that all providers take, and what may stand behind each. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isText(value) || Array.isArray(value),
  title: isText,
  description: isText,
  default: (value) => value !== null && value !== undefined,
  enum: isList,
  anyOf: isList,
  properties: isRecord,
  required: Array.isArray,
  additionalProperties: (value) => typeof value === 'boolean' || isRecord(value),
  items: () => true,
  prefixItems: isList,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minProperties: isCount,
  maxProperties: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
  minLength: isCount,
  maxLength: isCount,
  pattern: isText,
  format: isText,
  examples: isList,
}

const keywordTypes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (
    [
      [['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
      [['array'], ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
      [
        ['number', 'integer'],
        ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ],
      [['string'], ['minLength', 'maxLength', 'pattern']],
    ] as const
  ).flatMap(([types, names]) => names.map((name) => [name, types])),
)

/** A schema of one type without the keywords of others, which say nothing of it; Gemini refuses `items` there: https://github.com/anomalyco/opencode/issues/48073. */
export const withoutOtherTypes = (schema: Schema, type: string): Schema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([name]) => !Object.hasOwn(keywordTypes, name) || keywordTypes[name]?.includes(type),
    ),
  )

/** What even servers take that know a part of OpenAPI's schemas only. */
const simpleKeywords = new Set([
  'type',
  'description',
  'enum',
  'anyOf',
  'properties',
  'required',
  'items',
  'prefixItems',
])

/** The keywords of a schema that may be sent, in their newest form: `const`, draft 4's exclusive limits, properties by pattern. */
export function cleanKeywords(schema: Schema, isSimple: boolean): Schema {
  const { const: constant, exclusiveMinimum, exclusiveMaximum, minimum, maximum, patternProperties } = schema
  const patterns = isRecord(patternProperties) ? Object.values(patternProperties) : []
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false
  const newest: Schema = {
    ...schema,
    ...(constant !== undefined && { enum: [constant] }),
    ...(exclusiveMinimum === true && { exclusiveMinimum: minimum, minimum: undefined }),
    ...(exclusiveMaximum === true && { exclusiveMaximum: maximum, maximum: undefined }),
    ...(patterns.length > 0 &&
      !isOpen && { additionalProperties: patterns.length === 1 ? patterns[0] : true }),
  }
  return Object.fromEntries(
    Object.entries(newest).flatMap(([name, value]) => {
      const isKept =
        Object.hasOwn(keywords, name) && keywords[name]?.(value) && (!isSimple || simpleKeywords.has(name))
      return isKept ? [[name, value]] : []
    }),
  )
}

/** Both schemas at once, as `allOf` means it; where they differ, the second counts. */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const [properties, required] = ['properties', 'required'].map((name) => [one[name], other[name]])
  const lists = required?.filter(Array.isArray) as unknown[][] | undefined
  const objects = properties?.filter(isRecord) ?? []
  return {
    ...one,
    ...other,
    ...(objects.length > 0 && { properties: Object.assign({}, ...objects) as Schema }),
    ...(lists && lists.length > 0 && { required: [...new Set(lists.flat())] }),
  }
}

/** What a reference within a schema names; undefined for one that names nothing, or another document. */
export function resolveReference(root: Schema, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      isRecord(at) && Object.hasOwn(at, name)
        ? at[name]
        : Array.isArray(at)
          ? (at as unknown[])[Number(name)]
          : undefined
  }
  return at
}
