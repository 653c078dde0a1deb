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
/** Zod writes the limits of JavaScript's integers, which say nothing. */
const isLimit = (value: unknown) => isNumber(value) && Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER
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
  minimum: isLimit,
  maximum: isLimit,
  exclusiveMinimum: isLimit,
  exclusiveMaximum: isLimit,
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

/** `1 to 5 items`; empty without a bound */
function sayRange(min: unknown, max: unknown, one: string, many: string): string {
  const [least, most] = [Number(min ?? 0), Number(max ?? Infinity)]
  const unit = (count: number) => (count === 1 ? one : many)
  if (least > 0 && least === most) return `Exactly ${least} ${unit(least)}.`
  if (most < Infinity) return `${least > 0 ? `${least} to` : 'At most'} ${most} ${unit(most)}.`
  return least > 0 ? `At least ${least} ${unit(least)}.` : ''
}

/**
 * Bounds that servers build grammars from, in words for the model: the product checks them when a call comes back. llama.cpp, and LM Studio
 * with it, repeats a rule as often as a length or a list may have, and refuses 2,000 or more
 * (https://github.com/ggml-org/llama.cpp/issues/25746, https://github.com/firecrawl/firecrawl/issues/4512), and patterns that are not wholly
 * anchored (https://github.com/openclaw/openclaw/issues/113562). vLLM's xgrammar knows no `multipleOf`, no `uniqueItems` and few formats
 * (https://docs.vllm.ai/en/v0.28.0/api/vllm/v1/structured_output/backend_xgrammar/), Gemini two formats
 * (https://github.com/google-gemini/gemini-cli/issues/3178). Ranges of numbers and words to choose from are sent as they are.
 */
const bounds = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
]

const describeBounds = (schema: Schema): string =>
  [
    sayRange(schema['minLength'], schema['maxLength'], 'character', 'characters'),
    sayRange(schema['minItems'], schema['maxItems'], 'item', 'items'),
    sayRange(schema['minProperties'], schema['maxProperties'], 'field', 'fields'),
    schema['uniqueItems'] === true ? 'No item twice.' : '',
    'multipleOf' in schema ? `A multiple of ${String(schema['multipleOf'])}.` : '',
    'format' in schema ? `Format: ${String(schema['format'])}.` : '',
    'pattern' in schema ? `Pattern: ${String(schema['pattern'])}` : '',
  ]
    .filter((words) => words !== '')
    .join(' ')

/** What even servers take that know a part of OpenAPI's schemas only; bounds are said in words. */
const simpleKeywords = new Set([
  'type',
  'description',
  'enum',
  'anyOf',
  'properties',
  'required',
  'items',
  'prefixItems',
  ...bounds,
])

export const withNote = (schema: Schema, note: string): Schema => ({
  ...schema,
  description: [schema['description'], note].filter((part) => typeof part === 'string').join(' '),
})

/** A schema that may be sent, with its bounds and those within it in words. */
export function sayBounds(schema: Schema): Schema {
  const within = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(within) : isRecord(value) ? sayBounds(value) : value
  const { properties, items, anyOf, additionalProperties: more } = schema
  const note = describeBounds(schema)
  const sent: Schema = {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => !bounds.includes(name))),
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, within(one)])),
    }),
    ...(items !== undefined && { items: within(items) }),
    ...(anyOf !== undefined && { anyOf: within(anyOf) }),
    ...(more !== undefined && { additionalProperties: within(more) }),
  }
  return note === '' ? sent : withNote(sent, note)
}

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
