import * as z from 'zod'

/** `full`: every field; `required`: only required ones; `null`: every field, and null where it may be */
export type Extent = 'full' | 'required' | 'null'
export const extents: readonly Extent[] = ['full', 'required', 'null']

interface JsonSchema {
  /** several where the value may be null */
  type?: string | string[]
  examples?: unknown[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  format?: string
  minimum?: number
}

/** A response that a contract allows. A value with a pattern needs an `example` in the contract. */
export const sampleResponse = (schema: z.ZodType, extent: Extent): unknown =>
  sample(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, extent)

const strings: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T15:00:00Z',
  date: '2026-11-20',
  email: 'ann@example.org',
  uri: 'https://example.org/page',
}

function sample(schema: JsonSchema, extent: Extent): unknown {
  const [type, ...others] = [schema.type ?? []].flat()
  if (type && others.includes('null')) return extent === 'null' ? null : sample({ ...schema, type }, extent)
  const variants = schema.anyOf ?? schema.oneOf ?? []
  if (extent === 'null' && variants.some(({ type }) => type === 'null')) return null
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [variant] = variants
  if (variant) return sample(variant, extent)
  switch (type) {
    case 'object':
      return sampleObject(schema, extent)
    case 'array':
      return schema.items ? [sample(schema.items, extent)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return strings[schema.format ?? ''] ?? 'a text'
  }
}

function sampleObject({ properties = {}, required = [], additionalProperties }: JsonSchema, extent: Extent) {
  const fields = Object.entries(properties)
    .filter(([name]) => extent !== 'required' || required.includes(name))
    .map(([name, field]) => [name, sample(field, extent)])
  const further =
    typeof additionalProperties === 'object' && extent !== 'required'
      ? [['further', sample(additionalProperties, extent)]]
      : []
  return Object.fromEntries([...further, ...fields]) as Record<string, unknown>
}
