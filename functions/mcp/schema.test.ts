import { describe, expect, it, vi } from 'vitest'
import { checkSchemas, cleanSchema, runWithTimeout, SchemaUnusable, buildParameters } from './schema.ts'

const nest = (depth: number): Record<string, unknown> =>
  Array.from({ length: depth }).reduce<Record<string, unknown>>((inner) => ({ not: inner }), {})
const buildEnum = (values: number) => ({ enum: Array.from({ length: values }, () => 1) })

describe('a schema of a server', () => {
  it.each<[string, object, object]>([
    ['a depth of 24 and one of 25', nest(24), nest(25)],
    // the schema, its list and each value of that
    ['4,000 parts and one more', buildEnum(3_998), buildEnum(3_999)],
    [
      '40,000 characters and one more',
      { pattern: 'x'.repeat(40_000 - '{"pattern":""}'.length) },
      { pattern: 'x'.repeat(40_001 - '{"pattern":""}'.length) },
    ],
  ])('is limited in size: %s', (_, accepted, refused) => {
    expect(cleanSchema(accepted as Record<string, unknown>)).toEqual(accepted)
    expect(() => cleanSchema(refused as Record<string, unknown>)).toThrow(SchemaUnusable)
    expect(() => cleanSchema(refused as Record<string, unknown>)).toThrow(/^(many|large)$/)
  })

  it('loses hidden characters in its texts, and nothing else', () => {
    const trick = 'a\u0000b\u202ec'
    expect(
      cleanSchema({
        title: trick,
        $comment: trick,
        description: 'd'.repeat(501),
        pattern: trick,
        items: [{ description: trick, default: null, minimum: 0 }],
        // parameters with these names, not texts
        properties: { title: { type: 'string' }, description: { type: 'number' } },
      }),
    ).toEqual({
      title: 'abc',
      $comment: 'abc',
      description: `${'d'.repeat(500)}…`,
      pattern: trick,
      items: [{ description: 'abc', default: null, minimum: 0 }],
      properties: { title: { type: 'string' }, description: { type: 'number' } },
    })
  })
})

describe('the schema shown to the model', () => {
  const getShownSchema = (schema: Record<string, unknown>) => buildParameters(schema).schema
  const a = { properties: { a: { type: 'string' } } }
  const b = { properties: { b: { type: 'number' } } }
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>
  const merged = { type: 'object', properties: { ...a.properties, ...b.properties } }

  it.each<[string, Record<string, unknown>]>([
    ['oneOf', { oneOf: [a, b] }],
    ['anyOf', { anyOf: [a, b] }],
    ['allOf', { allOf: [a, b, true] }],
    ['a condition', parse(`{"if":{},"then":${JSON.stringify(a)},"else":${JSON.stringify(b)}}`)],
    ['a reference', { ...b, $ref: '#/$defs/a' }],
    ['references in alternatives', { anyOf: [{ $ref: '#/$defs/a' }, b] }],
    ['a reference with escapes', { ...b, $ref: '#/$defs/a~1b~0c' }],
    ['what must not be', { ...merged, not: { required: ['a'] } }],
    ['values', { ...merged, enum: [{ a: 'x' }] }],
  ])('%s is merged into one object', (_, schema) => {
    const $defs = { a, 'a/b~c': a }
    expect(getShownSchema({ ...schema, $defs })).toEqual({ ...merged, $defs })
  })

  it.each(['https://example.com/a.json', '#a', '#/$defs/none', '#/constructor/name', 7])(
    'a reference to %s adds nothing',
    ($ref) => {
      expect(getShownSchema({ ...a, $ref })).toEqual({ ...a, type: 'object' })
    },
  )

  it('a plain one stays unchanged, always an object', () => {
    expect(getShownSchema({ ...a, required: ['a'] })).toEqual({ ...a, required: ['a'], type: 'object' })
    expect(getShownSchema({})).toEqual({ type: 'object' })
  })

  it('its own properties take precedence over those of its alternatives', () => {
    const ownProperties = { properties: { a: { type: 'string', description: 'own' } } }
    expect(getShownSchema({ ...ownProperties, anyOf: [{ properties: { a: { type: 'number' } } }] })).toEqual({
      ...ownProperties,
      type: 'object',
    })
  })
})

describe('arguments', () => {
  it('are checked by the schema, whatever id it has', () => {
    const parameters = buildParameters({
      $id: 'https://example.com/schema.json',
      id: 'another',
      $defs: { city: { type: 'string', minLength: 2 } },
      properties: { city: { $ref: '#/$defs/city' } },
      required: ['city'],
    })
    expect(parameters.check({ city: 'Rome' })).toEqual({ input: { city: 'Rome' } })
    expect(parameters.check({ city: 'R' })).toMatchObject({
      problem: { text: expect.stringMatching(/city/) as string },
    })
    expect(parameters.check({})).toMatchObject({ problem: { text: expect.stringMatching(/city/) as string } })
  })

  it('that are invalid are reported in at most 500 characters', () => {
    const name = 'n'.repeat(1_000)
    const result = buildParameters({ required: [name] }).check({})
    expect(result).toEqual({ problem: expect.anything() as unknown })
    expect('problem' in result ? result.problem.text.length : 0).toBe(501)
  })

  it('of each tool can be checked, even with an invalid schema among them', () => {
    const invalidSchema = { allOf: [{ $ref: '#/$defs/none' }] }
    const validSchema = { properties: { a: { type: 'string' } } }
    expect(checkSchemas([validSchema, invalidSchema, {}])).toEqual([true, false, true])
    expect(checkSchemas([validSchema, {}])).toEqual([true, true])
    expect(checkSchemas([])).toEqual([])
  })
})

describe('a time limit', () => {
  /** far longer than a busy machine pauses the process five times in a row */
  const timeoutMs = 200
  const usedMs = (ms: number) => ({ user: ms * 1_000, system: 0 })

  it('ends work that does not end', () => {
    vi.spyOn(process, 'cpuUsage').mockReturnValue(usedMs(timeoutMs))
    let attempts = 0
    const work = () => {
      attempts += 1
      for (;;);
    }
    expect(() => runWithTimeout(work, timeoutMs)).toThrow(/timed out/)
    expect(attempts).toBeLessThan(2)
  })

  it('does not count the time in which the machine has paused the process', () => {
    vi.spyOn(process, 'cpuUsage').mockReturnValue(usedMs(1))
    let attempts = 0
    const work = () => {
      attempts += 1
      // the first attempt never ends
      while (attempts === 1);
      return 'done'
    }
    expect(runWithTimeout(work, timeoutMs)).toBe('done')
  })
})
