import * as z from 'zod'
import { fc, wellFormedText } from './fuzz.ts'

/** Generates values that a schema accepts, for every kind of schema in the contracts. */

interface Definition {
  type: string
  [part: string]: unknown
}

const getDefinition = (schema: z.ZodType) => schema.def as unknown as Definition

/** @throws Error for a new kind of schema, which needs a line here */
export function valuesFor(schema: z.ZodType): fc.Arbitrary<unknown> {
  return unchecked(schema).filter((value) => schema.safeParse(value).success)
}

function unchecked(schema: z.ZodType): fc.Arbitrary<unknown> {
  const definition = getDefinition(schema)
  const inner = () => unchecked(definition['innerType'] as z.ZodType)
  switch (definition.type) {
    case 'string':
      return textFor(schema as z.ZodString)
    case 'number':
      return numberFor(schema as z.ZodNumber, definition['coerce'] === true)
    case 'boolean':
      return fc.boolean()
    case 'literal':
      return fc.constantFrom(...(definition['values'] as unknown[]))
    case 'enum':
      return fc.constantFrom(...Object.values(definition['entries'] as object))
    case 'unknown':
    // `z.json()`
    case 'lazy':
      return fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.option(inner(), { nil: undefined })
    case 'pipe': {
      // a transformation has no values of its own
      const out = definition['out'] as z.ZodType
      return valuesFor(getDefinition(out).type === 'transform' ? (definition['in'] as z.ZodType) : out)
    }
    case 'nullable':
      return fc.option(inner(), { nil: null })
    case 'array':
      return fc.array(valuesFor(definition['element'] as z.ZodType), {
        minLength: bound(schema, 'min_length') ?? 0,
        maxLength: Math.min(3, bound(schema, 'max_length') ?? 3),
      })
    case 'record':
      return fc.dictionary(
        valuesFor(definition['keyType'] as z.ZodType) as fc.Arbitrary<string>,
        valuesFor(definition['valueType'] as z.ZodType),
        { maxKeys: 4, noNullPrototype: true },
      )
    case 'union':
      return fc.oneof(...(definition['options'] as z.ZodType[]).map(valuesFor))
    case 'object': {
      const parts = Object.entries(definition['shape'] as Record<string, z.ZodType>)
      // an absent field, not an undefined one, which JSON does not have
      return fc
        .record(Object.fromEntries(parts.map(([name, part]) => [name, valuesFor(part)])), {
          noNullPrototype: true,
        })
        .map((value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)))
    }
    default:
      throw new Error(`values of ${definition.type} are not known here`)
  }
}

const getChecks = (schema: z.ZodType) =>
  ((getDefinition(schema)['checks'] ?? []) as z.core.$ZodCheck[]).map(
    ({ _zod }) => _zod.def as unknown as Record<string, unknown>,
  )

function bound(schema: z.ZodType, kind: 'min_length' | 'max_length'): number | undefined {
  const found = getChecks(schema).find(({ check }) => check === kind)
  return (found?.['minimum'] ?? found?.['maximum']) as number | undefined
}

function textFor(schema: z.ZodString): fc.Arbitrary<unknown> {
  const { format, pattern } = {
    ...getDefinition(schema),
    ...getChecks(schema).find(({ check }) => check === 'string_format'),
  }
  if (format === 'url') return fc.webUrl()
  if (format === 'email') return fc.emailAddress()
  if (format === 'datetime')
    // with milliseconds, without seconds, or without a zone: a schema takes one of them at least
    return fc
      .tuple(
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        fc.constantFrom(
          (iso: string) => iso,
          (iso: string) => `${iso.slice(0, 16)}Z`,
          (iso: string) => iso.slice(0, 19),
        ),
      )
      .map(([date, shorten]) => shorten(date.toISOString()))
  if (pattern instanceof RegExp) return fc.stringMatching(pattern, { maxLength: 80 })
  const maxLength = bound(schema, 'max_length') ?? 40
  const short = wellFormedText(Math.min(maxLength, 40))
  // a schema may take only the names of zones of time, which no generated text is
  if (getChecks(schema).some(({ check }) => check === 'custom'))
    return fc.oneof(short, fc.constantFrom('Europe/Berlin', 'UTC', 'America/St_Johns'))
  // now and then the maximum length
  return maxLength > 10_000
    ? short
    : fc.oneof({ arbitrary: short, weight: 9 }, { arbitrary: fc.constant('x'.repeat(maxLength)), weight: 1 })
}

function numberFor({ minValue, maxValue, isInt }: z.ZodNumber, coerced: boolean): fc.Arbitrary<unknown> {
  const range = { min: Math.max(minValue ?? -1e6, -1e6), max: Math.min(maxValue ?? 1e9, 1e9) }
  const numbers = isInt ? fc.integer(range) : fc.double({ ...range, noNaN: true })
  return coerced ? numbers.map(String) : numbers
}
