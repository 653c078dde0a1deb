import { describe, expect, it } from 'vitest'
import { toSentSchema } from './sent-schema.ts'

type Schema = Record<string, unknown>

/** A tool's parameters with the property `v`, as they are sent. */
const sendProperty = (v: unknown, more: Schema = {}, isSimple = false) =>
  toSentSchema({ type: 'object', properties: { v }, ...more }, isSimple)
const getProperty = (v: unknown, more?: Schema, isSimple?: boolean) =>
  (sendProperty(v, more, isSimple).schema['properties'] as Schema)['v']

describe('a property of a tool is sent as all providers take it', () => {
  const text = { type: 'string' }
  it.each<[string, unknown, unknown]>([
    // vespo92/SolidworksMCP-TS#29, mark3labs/mcphost#35, typesense/typesense#3059
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    ['items true', { type: 'array', items: true }, { type: 'array', items: {} }],
    [
      'a tuple',
      { type: 'array', prefixItems: [text, { type: 'number' }] },
      { type: 'array', items: { anyOf: [text, { type: 'number' }] } },
    ],
    ['a tuple of draft 4', { type: 'array', items: [text, text] }, { type: 'array', items: text }],
    [
      'an array within an array',
      { type: 'array', items: { type: 'array' } },
      { type: 'array', items: { type: 'array', items: {} } },
    ],
    ['items without a type', { items: text }, { type: 'array', items: text }],
    ['properties without a type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    // MoonshotAI/kimi-code#2661, openclaw/openclaw#113130
    [
      'a type beside alternatives',
      { type: 'string', description: 'When', anyOf: [{ format: 'date' }, { format: 'time' }] },
      {
        description: 'When',
        anyOf: [
          { type: 'string', description: 'Format: date.' },
          { type: 'string', description: 'Format: time.' },
        ],
      },
    ],
    ['one of', { oneOf: [text, { type: 'number' }] }, { anyOf: [text, { type: 'number' }] }],
    ['alternatives that say the same', { anyOf: [text, text] }, text],
    ['null beside a type', { anyOf: [text, { type: 'null' }], default: null }, text],
    ['a list of types', { type: ['string', 'number'] }, { anyOf: [text, { type: 'number' }] }],
    ['a list of a type and null', { type: ['string', 'null'], title: 'A' }, { type: 'string', title: 'A' }],
    // Gemini refuses `items` beside another type: anomalyco/opencode#48073, sbroenne/mcp-server-excel#672
    [
      'types with keywords of each',
      {
        type: ['array', 'string', 'object', 'integer', 'null'],
        items: text,
        minItems: 1,
        minLength: 2,
        properties: { a: text },
        required: ['a'],
        maximum: 3,
        description: 'A.',
      },
      {
        description: 'A.',
        anyOf: [
          { type: 'array', description: 'At least 1 item.', items: text },
          { type: 'string', description: 'At least 2 characters.' },
          { type: 'object', properties: { a: text }, required: ['a'] },
          { type: 'integer', maximum: 3 },
        ],
      },
    ],
    [
      'alternatives beside items',
      { type: 'array', items: text, anyOf: [text, { type: 'array' }] },
      { anyOf: [text, { type: 'array', items: text }] },
    ],
    [
      'a choice with items',
      { type: 'array', items: text, enum: ['a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    ['nullable', { type: 'string', nullable: true }, text],
    // router-for-me/CLIProxyAPI#1076, microsoft/azure-devops-mcp#139
    [
      'a choice of numbers',
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'One of: 1, 2.' },
    ],
    ['a choice of all kinds', { description: 'A.', enum: [1, 'a'] }, { description: 'A. One of: 1, "a".' }],
    ['a choice with null', { enum: ['a', null] }, { type: 'string', enum: ['a'] }],
    ['a constant', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'all of',
      { allOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
      { type: 'object', properties: { a: text, b: text }, required: ['a'] },
    ],
    [
      'a reference',
      { $ref: '#/$defs/a', description: 'Own' },
      { type: 'string', description: 'Own At least 1 character.' },
    ],
    [
      'a reference to a reference',
      { $ref: '#/definitions/b' },
      { type: 'string', description: 'At least 1 character.' },
    ],
    ['a reference to nothing', { $ref: '#/$defs/none', type: 'string' }, text],
    ['a reference to another document', { $ref: 'https://example.com/a', type: 'string' }, text],
    [
      'an exclusive limit of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'conditions',
      {
        type: 'string',
        not: { const: 'a' },
        if: {},
        dependentRequired: {},
        $comment: 'x',
        'x-own': 1,
        example: 1,
      },
      text,
    ],
    [
      'properties by pattern',
      { type: 'object', patternProperties: { '^a': text } },
      { type: 'object', additionalProperties: text },
    ],
    ['a type of another language', { type: 'Int' }, { type: 'integer' }],
    ['an unknown type', { type: 'any', description: 'x' }, { description: 'x' }],
    [
      'values of the wrong kind',
      { type: 'string', description: 5, minLength: '2', pattern: null, enum: [] },
      text,
    ],
    ['true', true, {}],
    ['null', null, {}],
  ])('%s', (_, property, sent) => {
    const $defs = { a: { type: 'string', minLength: 1 } }
    expect(getProperty(property, { $defs, definitions: { b: { $ref: '#/$defs/a' } } })).toEqual(sent)
  })

  // ggml-org/llama.cpp#25746, firecrawl/firecrawl#4512, openclaw/openclaw#113562, google-gemini/gemini-cli#3178
  it.each<[string, unknown, unknown]>([
    [
      'a length and a pattern',
      { ...text, description: 'A.', minLength: 1, maxLength: 20_000, pattern: '^(?!x)' },
      { ...text, description: 'A. 1 to 20000 characters. Pattern: ^(?!x)' },
    ],
    [
      'one length',
      { ...text, minLength: 3, maxLength: 3 },
      { ...text, description: 'Exactly 3 characters.' },
    ],
    [
      'a list',
      { type: 'array', items: { ...text, maxLength: 1 }, maxItems: 5_000, uniqueItems: true },
      {
        type: 'array',
        items: { ...text, description: 'At most 1 character.' },
        description: 'At most 5000 items. No item twice.',
      },
    ],
    [
      'an object of others',
      { type: 'object', additionalProperties: { ...text, format: 'uri' }, minProperties: 1 },
      {
        type: 'object',
        additionalProperties: { ...text, description: 'Format: uri.' },
        description: 'At least 1 field.',
      },
    ],
    [
      'a property that is called as a bound',
      { type: 'object', properties: { maxLength: { type: 'integer', multipleOf: 5, minimum: 1 } } },
      {
        type: 'object',
        properties: { maxLength: { type: 'integer', minimum: 1, description: 'A multiple of 5.' } },
      },
    ],
    [
      'the limits of an integer',
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'integer' },
    ],
    ['bounds that say nothing', { ...text, minLength: 0 }, text],
  ])('bounds that a grammar would repeat are sent in words: %s', (_, property, sent) => {
    expect(getProperty(property)).toEqual(sent)
    expect((getProperty(property, {}, true) as Schema)['description']).toBe((sent as Schema)['description'])
  })

  it('one that nothing fits is not sent', () => {
    for (const property of [false, { type: 'null' }])
      expect(sendProperty(property).schema).toEqual({ type: 'object', properties: {} })
  })

  it('in the simplest words, for a server that refuses those', () => {
    const property = {
      type: 'string',
      format: 'date',
      pattern: '(?=a)',
      default: 'x',
      title: 'T',
      description: 'D',
    }
    expect(getProperty(property, {}, true)).toEqual({
      type: 'string',
      description: 'D Format: date. Pattern: (?=a)',
    })
    expect(getProperty({ type: 'string', enum: ['', 'a'] }, {}, true)).toEqual({
      type: 'string',
      enum: ['a'],
    })
    expect(getProperty({ anyOf: [{ type: 'string' }, { type: 'number' }] }, {}, true)).toEqual({
      type: 'string',
    })
    expect(getProperty({}, {}, true)).toEqual({ type: 'string' })
  })
})

describe('parameters', () => {
  it.each<[string, Schema, Schema]>([
    // QwenLM/Qwen-Agent#536
    ['without properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['without anything', {}, { type: 'object', properties: {} }],
    ['of another type', { type: 'string' }, { type: 'object', properties: {} }],
    [
      'of which one of several has to fit',
      {
        anyOf: [{ properties: { a: {} }, required: ['a'] }, { $ref: '#/$defs/b' }],
        $defs: { b: { properties: { b: {} } } },
      },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [
      'with words of their own',
      { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', additionalProperties: false },
      { type: 'object', properties: {}, additionalProperties: false },
    ],
    // moonrepo/moon#2396
    [
      'of an old draft',
      { properties: { a: { type: 'string', required: true }, b: { required: false } } },
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
    ],
    [
      'with demands that nothing meets',
      { properties: { a: {} }, required: ['a', 'c', 5] },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
  ])('%s', (_, schema, sent) => {
    expect(toSentSchema(schema).schema).toEqual(sent)
    expect(toSentSchema(schema).restore).toBeUndefined()
  })

  it('that name themselves are cut where they begin anew, and long chains of references end', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } }
    const kids = {
      type: 'array',
      items: { type: 'object', properties: { kids: { type: 'array', items: { type: 'object' } } } },
    }
    expect(toSentSchema({ ...tree, $defs: { tree } }).schema).toEqual({
      type: 'object',
      properties: { kids },
    })
    expect(toSentSchema({ properties: { self: { $ref: '#' } } }).schema).toMatchObject({ type: 'object' })
    // each doubles the one before
    const levels = Array.from({ length: 30 }, (_, level) => [
      `l${level}`,
      { properties: { a: { $ref: `#/$defs/l${level + 1}` }, b: { $ref: `#/$defs/l${level + 1}` } } },
    ])
    const size = JSON.stringify(
      toSentSchema({ $ref: '#/$defs/l0', $defs: Object.fromEntries(levels) as Schema }).schema,
    ).length
    expect(size).toBeLessThan(100_000)
  })

  it('with names that providers do not take have others, and arguments get their own back', () => {
    const { schema, restore } = toSentSchema({
      properties: {
        'first name': { type: 'string', description: 'As written' },
        first_name: { type: 'string' },
        $filter: {
          type: 'array',
          items: {
            type: 'object',
            properties: { 'größer als': { type: 'number' } },
            required: ['größer als'],
          },
        },
        '§': {},
        ['x'.repeat(65)]: {},
      },
      required: ['first name'],
    })
    expect(schema).toEqual({
      type: 'object',
      properties: {
        first_name_2: { type: 'string', description: 'As written “first name”' },
        first_name: { type: 'string' },
        _filter: {
          type: 'array',
          description: '“$filter”',
          items: {
            type: 'object',
            properties: { gr_er_als: { type: 'number', description: '“größer als”' } },
            required: ['gr_er_als'],
          },
        },
        _: { description: '“§”' },
        ['x'.repeat(60)]: { description: `“${'x'.repeat(65)}”` },
      },
      required: ['first_name_2'],
    })
    expect(restore?.({ first_name_2: 'Ann', first_name: 'b', _filter: [{ gr_er_als: 3 }], more: 1 })).toEqual(
      {
        'first name': 'Ann',
        first_name: 'b',
        $filter: [{ 'größer als': 3 }],
        more: 1,
      },
    )
  })

  it('that may be null, and must be there, are null where the model leaves them out', () => {
    const { schema, restore } = toSentSchema({
      properties: { a: { type: ['string', 'null'] }, b: { type: ['string', 'null'] }, c: { type: 'string' } },
      required: ['a', 'c'],
    })
    expect(schema).toMatchObject({ required: ['c'] })
    expect(restore?.({ c: 'x' })).toEqual({ a: null, c: 'x' })
    expect(restore?.({ a: 'y', c: 'x' })).toEqual({ a: 'y', c: 'x' })
  })

  it('with alternatives get back the names of the one that fits', () => {
    const { restore } = sendProperty({
      anyOf: [
        { type: 'object', properties: { 'a b': {} } },
        { type: 'object', properties: { 'c d': {} } },
        { type: 'string' },
      ],
    })
    expect([{ a_b: 1 }, { c_d: 2 }, 'text'].map((v) => restore?.({ v }))).toEqual([
      { v: { 'a b': 1 } },
      { v: { 'c d': 2 } },
      { v: 'text' },
    ])
  })
})
