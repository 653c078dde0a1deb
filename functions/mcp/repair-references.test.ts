import { expect, it } from 'vitest'
import { buildParameters, checkSchemas, cleanSchema } from './schema.ts'

type Schema = Record<string, unknown>

const read = (schema: Schema) => {
  const cleaned = cleanSchema(schema)
  expect(checkSchemas([cleaned])).toEqual([true])
  return { cleaned, parameters: buildParameters(cleaned) }
}
const toFilters = { type: 'array', items: { $ref: '#/$defs/Filter' } }
const filter = { type: 'object', properties: { field: { type: 'string' }, filters: toFilters } }

// spring-projects/spring-ai#5888
it('a definition within a parameter is found by a reference that takes it for one at the top', () => {
  const { parameters, cleaned } = read({
    type: 'object',
    properties: { request: { $defs: { Filter: filter }, properties: { filters: toFilters } } },
  })
  const build = (field: unknown) => ({ request: { filters: [{ filters: [{ field }] }] } })
  expect(parameters.check(build('name'))).toEqual({ input: build('name') })
  expect(parameters.check(build({}))).toHaveProperty('problem')
  expect(cleaned['$defs']).toEqual({ Filter: filter })
})

it('definitions of the same name in two parameters stay two', () => {
  const parameter = (type: string) => ({
    $defs: { Id: { type } },
    properties: { id: { $ref: '#/$defs/Id' } },
  })
  const { parameters } = read({
    $defs: { Other: {} },
    properties: { one: parameter('integer'), two: parameter('boolean') },
  })
  const right = { one: { id: 1 }, two: { id: true } }
  expect(parameters.check(right)).toEqual({ input: right })
  expect(parameters.check({ one: { id: true } })).toHaveProperty('problem')
  expect(parameters.check({ two: { id: 1 } })).toHaveProperty('problem')
})

it.each<[what: string, property: Schema, rest: Schema]>([
  // quarkiverse/quarkus-mcp-server#539, open-webui/computer#87
  ['a definition that is missing', { $ref: '#/$defs/none' }, {}],
  ['another document', { $ref: 'https://example.com/a.json#/$defs/b' }, {}],
  ['a definition that is missing, in a list', { items: { $ref: '#/$defs/none' } }, {}],
  [
    'a definition of a part that is missing',
    { $ref: '#/$defs/a' },
    { $defs: { a: { properties: { b: { $ref: '#none' } } } } },
  ],
])('a parameter that refers to %s may have any value, and the others are checked', (_, property, rest) => {
  const { parameters } = read({ properties: { any: property, count: { type: 'integer' } }, ...rest })
  for (const any of [[{ a: 1 }], { b: { c: [1] } }, 'text'])
    expect(parameters.check({ any, count: 1 })).toEqual({ input: { any, count: 1 } })
  expect(parameters.check({ any: 1, count: 'many' })).toHaveProperty('problem')
})

it.each<[what: string, $ref: string, rest: Schema]>([
  ['its own address', 'https://example.com/s.json#/$defs/a', { $id: 'https://example.com/s.json' }],
  ['a place in percent-encoding', '#/$defs/List%3Ca%20b%3E', {}],
  ['a place in a list', '#/properties/other/anyOf/1', {}],
  ['an anchor', '#anchored', {}],
  ['a name of its own', 'urn:named', {}],
])('a reference by %s is followed', (_, $ref, rest) => {
  const text = { type: 'string' }
  const { parameters } = read({
    ...rest,
    properties: { one: { $ref }, other: { anyOf: [{ type: 'null' }, text] } },
    $defs: {
      a: text,
      'List<a b>': text,
      anchored: { ...text, $anchor: 'anchored' },
      named: { ...text, $id: 'urn:named' },
    },
  })
  expect(parameters.check({ one: 'a' })).toEqual({ input: { one: 'a' } })
  expect(parameters.check({ one: {} })).toHaveProperty('problem')
})

it('a parameter named $ref, and data that looks like a reference, stay as they are', () => {
  const schema = {
    properties: {
      $ref: { type: 'string' },
      enum: { const: { $ref: '#/$defs/none' } },
      list: { default: [{ $ref: '#/$defs/none' }] },
    },
  }
  expect(read(schema).cleaned).toEqual(schema)
})
