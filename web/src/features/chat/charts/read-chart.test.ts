import { describe, expect, it, vi } from 'vitest'
import { describeProblem } from './chart-card.tsx'
import { formatRowsAsCsv } from './chart-table.tsx'
import { createChartFileName } from './export-chart.ts'
import { isChart } from './is-chart.ts'
import { parseNumber } from './parse-number.ts'
import { type Chart, readChart } from './read-chart.ts'

const values = [
  { region: 'South', share: 12.6, day: '2026-01-01' },
  { region: 'North', share: 6.3, day: '2026-01-02' },
]
const encoding = { x: { field: 'region', type: 'nominal' }, y: { field: 'share', type: 'quantitative' } }
const bars = { data: { values }, mark: 'bar', encoding }
const read = (spec: object) => readChart(JSON.stringify(spec))
const schema = 'https://vega.github.io/schema/vega-lite/v5.json'

describe('isChart', () => {
  it.each([
    ['vega-lite', '{}', true],
    ['Vega-Lite', '{', true],
    ['vegalite', '{}', true],
    ['language-vega-lite', '{}', true],
    ['application/vnd.vegalite.v5+json', '{}', true],
    ['vega', '{"mark": "bar"}', true],
    ['vega', `{"$schema": "${schema}", "layer": [{"marks": 1}]}`, true],
    ['vega', '{"$schema": "https://vega.github.io/schema/vega/v5.json"}', false],
    ['vega', '{"marks": []}', false],
    ['json', `\n{"$schema": "${schema}"}`, true],
    ['jsonc', `{"$schema": "${schema}"}`, true],
    ['', `{"$schema": "${schema}"}`, true],
    ['json', '{"mark": "bar"}', false],
    ['python', `chart = {"$schema": "${schema}"}`, false],
    ['vega-lite', 'x'.repeat(2_000_001), false],
  ])('%s %#', (language, code, expected) => expect(isChart(language, code)).toBe(expected))
})

describe('the rows of a chart are', () => {
  const rows = [
    { a: 'x', b: 1 },
    { a: 'y', b: 2 },
  ]
  it.each<[string, object, unknown]>([
    ['a list', { values: rows }, rows],
    ['in a named dataset', { name: 'sales' }, rows],
    ['columns', { values: { a: ['x', 'y'], b: [1, 2] } }, rows],
    ['a text of JSON', { values: JSON.stringify(rows) }, rows],
    ['below a property', { values: { result: { rows } }, format: { property: 'result.rows' } }, rows],
    ['the data itself', rows, rows],
    [
      'CSV',
      { values: 'a,b\nx,1\ny,', format: { type: 'csv' } },
      [
        { a: 'x', b: '1' },
        { a: 'y', b: null },
      ],
    ],
    ['single values', { values: [1, 2] }, [{ data: 1 }, { data: 2 }]],
  ])('%s', (_, data, expected) => {
    const chart = read({
      data,
      datasets: { sales: rows },
      mark: 'bar',
      encoding: { x: { field: '*', aggregate: 'count' } },
    })
    const found = 'kind' in chart ? chart : chart.rows
    expect(found).toEqual(expected)
  })
})

describe('deep nesting', () => {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  it.each([
    ['in a setting', `{"mark": "bar", "config": ${nest(100_000)}}`, 'config'],
    ['in the data', `{"mark": "bar", "data": {"values": [{"a": ${nest(100_000)}}]}}`, 'data'],
    ['of parts', `${'{"spec":'.repeat(50)}{"mark": "bar"}${'}'.repeat(50)}`, 'spec'],
  ])('%s is refused', (_, code, path) => expect(readChart(code)).toEqual({ kind: 'tooLarge', path }))

  it('in data that is a text of JSON has no rows', () => {
    const code = JSON.stringify({ mark: 'bar', data: { values: `[{"a": ${nest(100_000)}}]` } })
    expect(readChart(code)).toMatchObject({ rows: [] })
  })

  it('does not hide a part from the checks', () => {
    const part = { mark: 'bar', encoding: { x: { field: 'nowhere' } } }
    const spec = Array.from({ length: 30 }).reduce<object>(
      (inner) => ({ repeat: ['share'], spec: inner }),
      part,
    )
    expect(read({ data: { values }, ...spec })).toMatchObject({ kind: 'noField', field: 'nowhere' })
  })
})

describe('a chart is refused, and says why', () => {
  const many = Array.from({ length: 5_001 }, (_, index) => ({ region: index, share: 1 }))
  it.each<[string, object | string, object]>([
    ['no JSON', '{"mark": "bar"\n"data": 1}', { kind: 'syntax', line: 2, column: 1 }],
    ['half of it', '{"mark": ', { kind: 'syntax', line: 1, column: 10 }],
    ['a list', '[1]', { kind: 'noMark' }],
    ['Vega', '{"$schema": "https://vega.github.io/schema/vega/v6.json"}', { kind: 'vega' }],
    ['Vega without a schema', { data: [], marks: [] }, { kind: 'vega' }],
    ['no mark', { data: { values }, encoding }, { kind: 'noMark', path: '' }],
    [
      'a part without one',
      { layer: [bars, { data: { values }, encoding }] },
      { kind: 'noMark', path: 'layer[1]' },
    ],
    ['a part that is none', { hconcat: [bars, 'bar'] }, { kind: 'noMark', path: 'hconcat[1]' }],
    ['no parts', { facet: { field: 'region' }, spec: {} }, { kind: 'noMark', path: 'spec' }],
    ['no data', { mark: 'bar', encoding }, { kind: 'noData' }],
    ['empty data', { ...bars, data: { values: [] } }, { kind: 'noData' }],
    ['data from elsewhere', { ...bars, data: { url: 'x.csv' } }, { kind: 'refused', path: 'data.url' }],
    [
      'a lookup elsewhere',
      { ...bars, transform: [{ lookup: 'region', from: { data: { url: 'x' }, key: 'a', fields: ['b'] } }] },
      { kind: 'refused', path: 'transform[0].from.data.url' },
    ],
    [
      'made-up data',
      { ...bars, data: { sequence: { start: 0, stop: 1e9 } } },
      { kind: 'refused', path: 'data.sequence' },
    ],
    [
      'imputed rows',
      { ...bars, encoding: { ...encoding, y: { ...encoding.y, impute: { keyvals: { stop: 1e9 } } } } },
      { kind: 'refused', path: 'encoding.y.impute.keyvals' },
    ],
    [
      'links',
      { ...bars, encoding: { ...encoding, href: { value: 'https://x' } } },
      { kind: 'refused', path: 'encoding.href' },
    ],
    ['pictures', { ...bars, mark: { type: 'image' } }, { kind: 'refused', path: 'mark.type' }],
    [
      'a selection',
      { ...bars, params: [{ name: 'p', select: 'point' }] },
      { kind: 'refused', path: 'params' },
    ],
    [
      'a selection of version 4',
      { ...bars, selection: { p: { type: 'single' } } },
      { kind: 'refused', path: 'selection' },
    ],
    [
      'input',
      { ...bars, params: [{ name: 'n', value: 5, bind: { input: 'range' } }] },
      { kind: 'refused', path: 'params' },
    ],
    [
      'an unknown operation of an order',
      {
        ...bars,
        encoding: { ...encoding, x: { ...encoding.x, sort: { field: 'share', op: 'total' } } },
      },
      { kind: 'unknown', path: 'encoding.x.sort.op', value: 'total' },
    ],
    [
      'an unknown operation of a transform',
      {
        ...bars,
        transform: [{ aggregate: [{ op: 'total', field: 'share', as: 'share' }], groupby: ['region'] }],
      },
      { kind: 'unknown', path: 'transform[0].aggregate[0].op', value: 'total' },
    ],
    [
      'a deep part of it',
      { layer: [bars, { ...bars, mark: { type: 'bar', href: 'x' } }] },
      { kind: 'refused', path: 'layer[1].mark.href' },
    ],
    [
      'many steps',
      { ...bars, transform: [{ density: 'share', steps: 1e6 }] },
      { kind: 'tooLarge', path: 'transform[0].steps' },
    ],
    ['many rows', { ...bars, data: { values: many } }, { kind: 'tooManyRows', count: 5_001 }],
    [
      'many parts',
      {
        ...bars,
        data: { values: many.slice(0, 41) },
        encoding: { ...encoding, column: { field: 'region' } },
      },
      { kind: 'tooManyViews', count: 41 },
    ],
    [
      'many repetitions',
      {
        data: { values },
        repeat: { row: Array(7).fill('share'), column: Array(7).fill('share') },
        spec: { mark: 'bar' },
      },
      { kind: 'tooManyViews', count: 49 },
    ],
    ['an unknown mark', { ...bars, mark: 'bars' }, { kind: 'unknown', path: 'mark', value: 'bars' }],
    ['a mark of another kind', { ...bars, mark: 7 }, { kind: 'unknown', path: 'mark', value: '7' }],
    [
      'an unknown channel',
      { ...bars, encoding: { X: encoding.x } },
      { kind: 'unknown', path: 'encoding.X', value: 'X' },
    ],
    [
      'an unknown type',
      { ...bars, encoding: { x: { field: 'region', type: 'wide' } } },
      { kind: 'unknown', path: 'encoding.x.type', value: 'wide' },
    ],
    [
      'an unknown aggregate',
      { ...bars, encoding: { y: { field: 'share', aggregate: 'avg' } } },
      { kind: 'unknown', path: 'encoding.y.aggregate', value: 'avg' },
    ],
    [
      'a field that is not there',
      { ...bars, encoding: { ...encoding, color: { field: 'Region' } } },
      { kind: 'noField', path: 'encoding.color.field', field: 'Region', columns: ['region', 'share', 'day'] },
    ],
    [
      'one of a layer',
      {
        data: { values },
        encoding: { x: encoding.x },
        layer: [{ mark: 'bar' }, { mark: 'text', encoding: { text: { field: 'label' } } }],
      },
      { kind: 'noField', path: 'layer[1].encoding.text.field', field: 'label' },
    ],
    [
      'a field that layers share',
      { data: { values }, encoding: { x: { field: 'label' } }, layer: [{ mark: 'bar' }] },
      { kind: 'noField', path: 'encoding.x.field', field: 'label' },
    ],
    [
      'numbers that are none',
      { ...bars, encoding: { y: { field: 'region', type: 'quantitative' } } },
      { kind: 'noNumbers', path: 'encoding.y.field', field: 'region', example: 'South' },
    ],
  ])('%s', (_, spec, problem) => {
    expect(typeof spec === 'string' ? readChart(spec) : read(spec)).toMatchObject(problem)
  })
})

/** Written by models, and drawn. */
describe('a chart is read', () => {
  const prepared = (spec: object | string) => {
    const chart = typeof spec === 'string' ? readChart(spec) : read(spec)
    if ('kind' in chart) throw new Error(JSON.stringify(chart))
    return chart as Chart & { spec: { encoding: Record<string, object>; data: { values: object[] } } }
  }

  it('with comments, trailing commas, single quotes and NaN', () => {
    const { title, rows } = prepared(`{
      // late orders
      'title': {text: ['Late', 'orders'], subtitle: "2026"}, /* of all */
      "data": {"values": [{"a": NaN, "b": 1}, {"a": "x", "b": +2},]},
      "mark": "bar", "encoding": {"x": {"field": "a"}, "y": {"field": "b"},},
    }`)
    expect(title).toBe('Late orders')
    expect(rows[1]).toEqual({ a: 'x', b: 2 })
  })

  it('without its look: sizes of the page, colours of guides, the configuration', () => {
    const { spec } = prepared({
      ...bars,
      $schema: schema,
      title: 'Shares',
      background: 'white',
      autosize: 'fit',
      config: { axis: { labelColor: 'black' } },
      usermeta: {},
      encoding: { ...encoding, x: { ...encoding.x, axis: { labelColor: 'black', labelAngle: 10 } } },
    })
    expect(Object.keys(spec)).toEqual(['data', 'mark', 'encoding'])
    expect(spec.encoding['x']).toMatchObject({ axis: { labelAngle: 10 } })
    expect(spec.encoding['x']).not.toHaveProperty('axis.labelColor')
  })

  it('with other words for types, and numbers in texts', () => {
    const { spec, rows } = prepared({
      data: {
        values: [
          { n: '1,234.50 €', d: '2026' },
          { n: 'n/a', d: '2027' },
        ],
      },
      mark: 'bar',
      encoding: { x: { field: 'd', type: 'Date' }, y: { field: 'n', type: 'Q' } },
    })
    expect(spec.encoding).toMatchObject({ x: { type: 'temporal' }, y: { type: 'quantitative' } })
    expect(spec.data.values).toEqual([
      { n: 1234.5, d: '2026' },
      { n: null, d: '2027' },
    ])
    // the table shows what the block has
    expect(rows[0]).toEqual({ n: '1,234.50 €', d: '2026' })
  })

  it.each([
    ['names stay in the order of the data', 'x', { field: 'm', type: 'nominal' }, { sort: null }],
    ['unless they are sorted', 'x', { field: 'm', type: 'nominal', sort: '-y' }, { sort: '-y' }],
    ['dates that are none are names', 'x', { field: 'm', type: 'temporal' }, { type: 'ordinal', sort: null }],
    ['years have no separator', 'x', { field: 'y', type: 'quantitative' }, { axis: { format: 'd' } }],
    ['years without a type are names', 'x', { field: 'y' }, { type: 'ordinal' }],
    ['numbers without a type are numbers', 'y', { field: 'n' }, { type: 'quantitative' }],
  ])('%s', (_, channel, definition, expected) => {
    const data = {
      values: [
        { m: 'Mon', y: 2025, n: 3.5 },
        { m: 'Fri', y: 2026, n: 12 },
      ],
    }
    expect(
      prepared({ data, mark: 'bar', encoding: { [channel]: definition } }).spec.encoding[channel],
    ).toMatchObject(expected)
  })

  it.each([
    ['a.b', 'a.b'],
    ['a.b', String.raw`a\.b`],
    ['a.b', "['a.b']"],
    ['a.b', '[a.b]'],
    ['a.[b]', String.raw`a\.\[b\]`],
    [`it's "so"`, `it's "so"`],
    ['a.b.c', String.raw`a\.b\.c`],
  ])('the column %s is found as %s', (column, field) => {
    const { spec, rows } = prepared({
      data: { values: [{ [column]: 1 }] },
      mark: 'bar',
      encoding: { x: { field, type: 'quantitative' } },
    })
    const [name] = Object.keys(spec.data.values[0] ?? {})
    expect(spec.encoding['x']).toMatchObject({ field: name })
    expect(name).toMatch(/^[^.[\]'"]+$/)
    expect(rows).toEqual([{ [column]: 1 }])
  })

  it.each([
    [
      'a path into a value',
      { data: { values: [{ a: { b: 1 } }] }, mark: 'bar', encoding: { x: { field: 'a.b' } } },
    ],
    [
      'a calculated field',
      {
        ...bars,
        transform: [{ calculate: 'datum.share * 2', as: 'twice' }],
        encoding: { x: { field: 'twice' } },
      },
    ],
    [
      'an aggregated field',
      {
        ...bars,
        transform: [{ aggregate: [{ op: 'sum', field: 'share', as: 'total' }], groupby: ['region'] }],
        encoding: { x: { field: 'total' } },
      },
    ],
    [
      'folded fields',
      { ...bars, transform: [{ fold: ['share'] }], encoding: { x: { field: 'key' }, y: { field: 'value' } } },
    ],
    [
      'pivoted fields',
      { ...bars, transform: [{ pivot: 'region', value: 'share' }], encoding: { x: { field: 'South' } } },
    ],
    [
      'flattened lists',
      {
        data: { values: [{ a: [1, 2] }] },
        transform: [{ flatten: ['a'] }],
        mark: 'bar',
        encoding: { x: { field: 'a', type: 'quantitative' } },
      },
    ],
    [
      'a field that is calculated anew',
      {
        ...bars,
        transform: [{ calculate: '1', as: 'region' }],
        encoding: { x: { field: 'region', type: 'quantitative' } },
      },
    ],
    [
      'a transform without a list',
      { ...bars, transform: { calculate: '1', as: 'one' }, encoding: { x: { field: 'one' } } },
    ],
    [
      'channels that are null',
      {
        ...bars,
        encoding: { ...encoding, color: null, row: null, x: { ...encoding.x, axis: null, timeUnit: null } },
      },
    ],
    [
      'a count',
      { ...bars, encoding: { x: { field: 'region' }, y: { aggregate: 'count', type: 'quantitative' } } },
    ],
    [
      'repeated fields',
      {
        data: { values },
        repeat: ['share'],
        spec: { mark: 'bar', encoding: { x: { field: { repeat: 'repeat' } } } },
      },
    ],
    ['a line of one value', { layer: [bars, { mark: 'rule', encoding: { y: { datum: 10 } } }] }],
    ['a map without data', { mark: { type: 'text' }, encoding: { text: { value: 'Hello' } } }],
    [
      'a field that layers calculate',
      {
        data: { values },
        encoding: { y: { field: 'twice' } },
        layer: [{ ...bars, transform: [{ calculate: 'datum.share * 2', as: 'twice' }] }],
      },
    ],
    ['facets', { data: { values }, facet: { field: 'region' }, spec: { mark: 'bar', encoding } }],
  ])('with %s', (_, spec) => expect(read(spec)).not.toHaveProperty('kind'))
})

it.each([
  ['Verkäufe nach Jahr!', 'Verkäufe-nach-Jahr.png'],
  ['हिन्दी', 'हिन्दी.png'],
  ['…', 'chart.png'],
])('the chart %j is saved as %j', (title, name) => expect(createChartFileName(title, 'png')).toBe(name))

it('a column or a scale may have a name that every object inherits', () => {
  const rows: Record<string, unknown>[] = [{ ['toString']: 'x', share: 1 }, { share: 2 }]
  expect(formatRowsAsCsv(rows)).toBe('toString,share\r\nx,1\r\n,2\r\n')
  const chart = read({
    data: { values: [{ valueOf: 1, region: 'a' }, { region: 'b' }] },
    mark: 'bar',
    encoding: {
      x: { field: 'region', type: 'nominal' },
      y: { field: 'valueOf', type: 'quantitative', scale: { type: 'constructor' } },
    },
  })
  expect(chart).toMatchObject({ spec: { encoding: { y: { scale: { type: 'constructor' } } } } })
})

it.each([
  ['12', 12],
  ['-1.5e3', -1500],
  ['1,234,567.8', 1_234_567.8],
  ['12,5', 12.5],
  ['$1,200', 1200],
  ['45 %', 45],
  ['−3', -3],
  ['N/A', null],
  ['', null],
  [null, null],
  [true, 1],
  ['12 apples', undefined],
  ['1.2.3', undefined],
  [{}, undefined],
])('the number %j is %j', (text, expected) => expect(parseNumber(text)).toBe(expected))

describe('a chart of unusual data', () => {
  const specOf = (spec: object | string) => {
    const chart = typeof spec === 'string' ? readChart(spec) : read(spec)
    if ('kind' in chart) throw new Error(JSON.stringify(chart))
    return chart.spec as Record<string, unknown>
  }
  const chartOf = (field: string, row: object, definition: object) =>
    specOf({ data: { values: [row] }, mark: 'bar', encoding: { x: { field, ...definition } } })

  it.each([
    ['numbers', { a: { b: 1 } }, 'quantitative'],
    ['times', { a: { b: '2026-01-01' } }, 'temporal'],
  ])('reads %s at a path into a value', (_, row, type) =>
    expect(chartOf('a.b', row, { type })).toMatchObject({ encoding: { x: { field: 'a.b', type } } }),
  )

  it('has a layer whose data is missing or empty', () => {
    const layers = (data: object) =>
      specOf({
        data: { values: [{ 'a.b': 1 }] },
        layer: [
          { mark: 'bar', encoding: { x: { field: 'a.b' } } },
          { data, mark: 'rule', encoding: { y: { field: 'c' } } },
        ],
      })
    expect(layers({})).toMatchObject({ layer: [{}, { data: {} }] })
    expect(layers({ values: [] })).toMatchObject({ layer: [{}, { data: { values: [] } }] })
  })

  it.each(['ascending', 'descending', 'x', '-x'])(
    'keeps the order of every weekday in place of %s',
    (sort) => {
      const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
      const chart = specOf({
        data: { values: days.map((day) => ({ day })) },
        mark: 'bar',
        encoding: { x: { field: 'day', sort } },
      })
      expect(chart).toMatchObject({ encoding: { x: { sort: null } } })
    },
  )

  it('keeps a format of times without leading zeros', () =>
    expect(
      chartOf('d', { d: '2026-01-01' }, { type: 'temporal', axis: { format: '%-m/%-d' } }),
    ).toMatchObject({
      encoding: { x: { axis: { format: '%-m/%-d' } } },
    }))

  it('writes years without separators although one is missing', () => {
    const chart = specOf({
      data: { values: [{ y: '2020' }, { y: 'n/a' }] },
      mark: 'bar',
      encoding: { x: { field: 'y', type: 'quantitative' } },
    })
    expect(chart).toMatchObject({ encoding: { x: { axis: { format: 'd' } } } })
  })

  it('has a logarithmic scale although a value is NaN or infinite', () => {
    const chart = specOf(
      '{"data": {"values": [{"a": NaN}, {"a": Infinity}, {"a": 50}]}, "mark": "bar", "encoding": {"y": {"field": "a", "type": "quantitative", "scale": {"type": "log"}}}}',
    )
    expect(chart).toMatchObject({ encoding: { y: { scale: { domainMin: 10 } } } })
  })

  it('has columns with a sign of replacements', () => {
    const name = 'a.$&'
    const { encoding, data } = chartOf(name, { [name]: 1 }, { sort: `datum['${name}']` }) as {
      encoding: { x: { field: string; sort: string } }
      data: { values: object[] }
    }
    expect(Object.keys(data.values[0] ?? {})).toEqual([encoding.x.field])
    const expression = specOf({
      data: { values: [{ [name]: 1 }] },
      transform: [{ calculate: `2 * datum['${name}']`, as: 'b' }],
      mark: 'bar',
      encoding: { x: { field: name } },
    })
    expect(expression).toMatchObject({ transform: [{ calculate: `2 * datum['${encoding.x.field}']` }] })
  })

  it('quotes no more than a sentence of a word that is unknown', () => {
    const chart = read({ ...bars, mark: 'x'.repeat(100_000) })
    const problem = 'kind' in chart ? describeProblem(chart) : ''
    expect(problem).toContain('xxx')
    expect(problem.length).toBeLessThan(1_000)
  })
})

it.each([
  ['0,123', 0.123],
  ['-0,5', -0.5],
  ['+1,200', 1200],
  [Number.NaN, null],
  [Infinity, null],
  ['1e999', null],
])('the number %j is %j, too', (text, expected) => expect(parseNumber(text)).toBe(expected))

it('a mistake is where the message has it, and not the line of the program that some browsers add', () => {
  const error = Object.assign(new SyntaxError('unexpected character at line 3 column 4 of the JSON data'), {
    lineNumber: 999,
    columnNumber: 999,
  })
  const parse = vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw error
  })
  const problem = readChart(' '.repeat(200_001))
  parse.mockRestore()
  expect(problem).toEqual({ kind: 'syntax', line: 3, column: 4 })
})
