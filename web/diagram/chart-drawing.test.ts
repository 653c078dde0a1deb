import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { readChart } from '../src/features/chat/charts/read-chart.ts'
import { drawChart, type DrawingRequest } from './chart-drawing.ts'
import { darkColours, lightColours } from './chart-theme.ts'

const look = { isDark: false, locale: 'en-US-u-nu-latn', widthPx: 700 }

/** Reads and draws a chart as the page and its frame do. @returns the drawing */
async function draw(spec: object | string, changes: Partial<DrawingRequest> = {}) {
  const chart = readChart(typeof spec === 'string' ? spec : JSON.stringify(spec))
  if ('kind' in chart) throw new Error(JSON.stringify(chart))
  const drawn = await drawChart({ id: 1, spec: chart.spec, ...look, ...changes })
  if ('reason' in drawn) throw new Error(drawn.reason)
  return drawn.svg
}

/** The texts of a drawing, in its order. */
const texts = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)</g)].flatMap(([, text = '']) => (text === '' ? [] : [text]))
const widthOf = (svg: string) => Number(/ width="([\d.]+)"/.exec(svg)?.[1])
const countMarks = (svg: string, kind = 'bar') => svg.split(`aria-roledescription="${kind}"`).length - 1

const x = (field: string, more: object = {}) => ({ x: { field, type: 'nominal', ...more } })
const y = (field: string, more: object = {}) => ({ y: { field, type: 'quantitative', ...more } })
const data = (...values: object[]) => ({ data: { values } })
const sales = data(
  { m: 'Jan', n: 10, s: 'A', k: 1 },
  { m: 'Feb', n: 40, s: 'A' },
  { m: 'Jan', n: 30, s: 'B' },
)

it('has the colours of the page', () => {
  const tokens = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8')
  const inPage = (name: string) =>
    new RegExp(`--color-${name === 'surface' ? 'surface-raised' : name}: light-dark\\((#\\w+), (#\\w+)\\)`)
      .exec(tokens)
      ?.slice(1, 3)
  for (const name of Object.keys(lightColours) as (keyof typeof lightColours)[])
    expect([name, lightColours[name], darkColours[name]]).toEqual([name, ...(inPage(name) ?? [])])
})

it('names counts and means in the language of the page', async () => {
  const spec = (aggregate: string) => ({
    ...sales,
    mark: 'bar',
    encoding: {
      ...x('m'),
      y: { aggregate, ...(aggregate === 'mean' && { field: 'n' }), type: 'quantitative' },
    },
  })
  const german = { locale: 'de-u-nu-latn', aggregates: { count: 'Anzahl', mean: 'Mittelwert' } }
  expect(texts(await draw(spec('count'), german))).toContain('Anzahl')
  expect(texts(await draw(spec('mean'), german))).toContain('n (Mittelwert)')
  expect(texts(await draw(spec('mean')))).toContain('Mean of n')
})

describe('what others could not draw', () => {
  it.each<[string, object | string, readonly string[], Partial<DrawingRequest>?]>([
    [
      'dots in names',
      { ...data({ 'a.x': 'A', 'b.y': 28 }), mark: 'bar', encoding: { ...x('a.x'), ...y('b.y') } },
      ['A', 'a.x', 'b.y', '25'],
    ],
    [
      'escaped dots',
      { ...data({ Name: 'n', 'A.': 1 }), mark: 'bar', encoding: { ...x('Name'), ...y(String.raw`A\.`) } },
      ['A.', 'Name'],
    ],
    [
      'a dot and brackets',
      { ...data({ k: 'v', 'a.[b]': 2 }), mark: 'bar', encoding: { ...x('k'), ...y('a.[b]') } },
      ['a.[b]'],
    ],
    [
      'names in expressions',
      {
        ...data({ k: 'v', 'a.b': 2 }),
        transform: [{ calculate: "datum['a.b'] * 50", as: 'c' }],
        mark: 'bar',
        encoding: { ...x('k'), ...y('c') },
      },
      ['100'],
    ],
    [
      'sums of such names',
      {
        ...data({ k: 'v', 'a.b': 2 }),
        mark: 'bar',
        encoding: { ...x('k'), ...y('a.b', { aggregate: 'sum' }) },
      },
      ['Sum of a.b'],
    ],
    [
      'an empty name and quotes',
      { ...data({ '"a" & <b>': 'v', n: 1 }), mark: 'bar', encoding: { ...x('"a" & <b>'), ...y('n') } },
      ['&quot;a&quot; &amp; &lt;b&gt;'],
    ],
    [
      'nested values',
      { ...data({ a: { b: 'in' }, n: 1 }), mark: 'bar', encoding: { ...x('a.b'), ...y('n') } },
      ['in'],
    ],
    [
      'dates without a time',
      {
        ...data({ d: '2026-01-01', n: 1 }, { d: '2026-06-01', n: 2 }),
        mark: 'line',
        encoding: { x: { field: 'd', timeUnit: 'yearmonth', type: 'ordinal' }, ...y('n') },
      },
      ['Jan 2026', 'Jun 2026'],
    ],
    [
      'years as numbers',
      {
        ...data({ d: 2020, n: 1 }, { d: 2021, n: 2 }),
        mark: 'line',
        encoding: { x: { field: 'd', type: 'temporal' }, ...y('n') },
      },
      ['2021'],
    ],
    [
      'years as quantities',
      {
        ...data({ d: 2020, n: 1 }, { d: 2024, n: 2 }),
        mark: 'point',
        encoding: { x: { field: 'd', type: 'quantitative', scale: { zero: false } }, ...y('n') },
      },
      ['2020', '2024'],
    ],
    [
      'days of a week as dates',
      {
        ...data({ d: 'Mon', n: 1 }, { d: 'Fri', n: 2 }),
        mark: 'bar',
        encoding: { x: { field: 'd', type: 'temporal' }, ...y('n') },
      },
      ['Mon', 'Fri'],
    ],
    ...['log', 'logarithmic'].map((type): [string, object, readonly string[]] => [
      `bars on a scale that is ${type}`,
      { ...sales, mark: 'bar', encoding: { ...x('m'), ...y('n', { scale: { type } }) } },
      ['1', '10'],
    ]),
    [
      'layers on a logarithmic scale',
      {
        ...sales,
        encoding: { ...x('m'), ...y('n', { scale: { type: 'log' } }) },
        layer: [{ mark: 'bar' }, { mark: 'text', encoding: { text: { field: 'n' } } }],
      },
      ['1', '10', '40'],
    ],
    [
      'zeros on a logarithmic scale',
      {
        ...data({ m: 'a', n: 0 }, { m: 'b', n: 100 }),
        mark: 'line',
        encoding: { ...x('m'), ...y('n', { scale: { type: 'log' } }) },
      },
      ['0', '100'],
    ],
    [
      'unknown colours, curves, shapes and formats',
      {
        ...data({ m: 'a', n: 1, s: 'A' }, { m: 'b', n: 100, s: 'B' }),
        mark: { type: 'line', interpolate: 'smooth', shape: 'star-big' },
        encoding: {
          ...x('m'),
          ...y('n', { axis: { format: '#,##0.00' } }),
          color: { field: 's', scale: { scheme: 'diverging' } },
          detail: { field: 's', scale: { range: 'rainbow' } },
        },
      },
      ['A', '100'],
    ],
    [
      'curves with the name of a colour space',
      {
        ...data({ m: 'a', n: 1 }, { m: 'b', n: 100 }),
        mark: { type: 'area', interpolate: 'lab', line: { interpolate: 'hcl' } },
        encoding: { ...x('m'), ...y('n') },
      },
      ['a', '100'],
    ],
    [
      'colour spaces with the name of a curve',
      {
        ...data({ m: 'a', n: 1 }, { m: 'b', n: 100 }),
        mark: 'bar',
        encoding: {
          ...x('m'),
          ...y('n'),
          color: { field: 'n', type: 'quantitative', scale: { interpolate: 'step' } },
        },
      },
      ['a', '100'],
    ],
    [
      'scales of their own within facets',
      {
        ...sales,
        facet: { field: 's', type: 'nominal' },
        spec: {
          layer: ['n', 'k'].map((field) => ({ mark: 'point', encoding: { ...x('m'), ...y(field) } })),
          resolve: { scale: { y: 'independent' } },
        },
      },
      ['A', 'B'],
    ],
    [
      'months in their order',
      {
        ...sales,
        mark: 'bar',
        encoding: { ...x('m', { axis: { title: null } }), ...y('n', { title: null }) },
      },
      ['Jan', 'Feb'],
    ],
    [
      'empty values',
      {
        ...data({ m: 'a', n: null }, { m: 'b', n: 3 }, { m: null, n: '' }),
        mark: 'bar',
        encoding: { ...x('m'), ...y('n') },
      },
      ['a', 'b', 'null'],
    ],
    [
      'huge and tiny numbers',
      {
        ...data({ m: 'a', n: 1.5e15 }, { m: 'b', n: 1e-9 }),
        mark: 'bar',
        encoding: { ...x('m'), ...y('n') },
      },
      ['1,500,000,000,000,000'],
    ],
    [
      'large round numbers with units',
      {
        ...data({ m: 'a', n: 2e6 }),
        mark: 'bar',
        encoding: { ...x('m'), ...y('n', { axis: { format: '~s' } }) },
      },
      ['2M'],
    ],
    [
      'numbers of another language',
      {
        ...data({ m: 'a', n: 4000.5 }),
        mark: 'text',
        encoding: { ...x('m'), text: { field: 'n', type: 'quantitative', format: ',.2f' } },
      },
      ['4.000,50'],
      { locale: 'de-DE' },
    ],
    [
      'dollars of another language',
      {
        ...data({ m: 'a', n: 4000 }),
        mark: 'text',
        encoding: { ...x('m'), text: { field: 'n', type: 'quantitative', format: '$,.0f' } },
      },
      ['$4.000'],
      { locale: 'de-DE' },
    ],
    [
      'months of another language',
      {
        ...data({ d: '2026-03-01', n: 1 }),
        mark: 'bar',
        encoding: { x: { field: 'd', timeUnit: 'month', type: 'ordinal' }, ...y('n') },
      },
      ['mars'],
      { locale: 'fr-FR' },
    ],
    [
      'times of day',
      {
        ...data({ d: '2026-03-01 13:00', n: 1 }, { d: '2026-03-01 15:00', n: 1 }),
        mark: 'line',
        encoding: { x: { field: 'd', type: 'temporal' }, ...y('n') },
      },
      ['14:00'],
      { locale: 'de-DE' },
    ],
    [
      'Arabic',
      { ...data({ m: 'المبيعات (2026)', n: 1 }), mark: 'bar', encoding: { ...y('n'), ...x('m') } },
      ['المبيعات (2026)'],
      { locale: 'ar-u-nu-latn' },
    ],
    [
      'Japanese and emoji',
      { ...data({ m: '売上 📈', n: 1 }), mark: 'bar', encoding: { ...y('n'), ...x('m') } },
      ['売上 📈'],
    ],
    [
      'an old schema',
      {
        $schema: 'https://vega.github.io/schema/vega-lite/v2.json',
        ...sales,
        mark: 'bar',
        encoding: { ...x('m'), ...y('n', { aggregate: 'sum' }) },
      },
      ['Sum of n'],
    ],
    [
      'comments and trailing commas',
      '{/* bars */ "data": {"values": [{"m": "a", "n": 1},]}, "mark": "bar", // simple\n "encoding": {"x": {"field": "m"}, "y": {"field": "n"}}}',
      ['a'],
    ],
    [
      'data as CSV',
      {
        data: { values: 'm,n\na,1\nb,20', format: { type: 'csv' } },
        mark: 'bar',
        encoding: { ...x('m'), ...y('n') },
      },
      ['a', 'b', '20'],
    ],
    [
      'data as a text',
      { data: { values: '[{"m":"a","n":7}]' }, mark: 'bar', encoding: { ...x('m'), ...y('n') } },
      ['a', '7'],
    ],
    [
      'data as columns',
      { data: { values: { m: ['a', 'b'], n: [1, 2] } }, mark: 'bar', encoding: { ...x('m'), ...y('n') } },
      ['a', 'b'],
    ],
    [
      'wide data',
      {
        ...data({ m: 'a', in: 1, out: 2 }),
        transform: [{ fold: ['in', 'out'], as: ['k', 'v'] }],
        mark: 'bar',
        encoding: { ...x('m'), ...y('v'), color: { field: 'k', type: 'nominal' } },
      },
      ['in', 'out'],
    ],
    [
      'a pie',
      {
        ...sales,
        mark: { type: 'arc', innerRadius: 40 },
        encoding: { theta: { field: 'n', type: 'quantitative' }, color: { field: 'm', type: 'nominal' } },
      },
      ['Jan', 'Feb'],
    ],
    [
      'layers with labels',
      {
        ...sales,
        layer: [{ mark: 'bar' }, { mark: { type: 'text', dy: -8 }, encoding: { text: { field: 'n' } } }],
        encoding: { ...x('m'), ...y('n') },
      },
      ['40'],
    ],
    [
      'two axes',
      {
        ...sales,
        encoding: x('m'),
        layer: [
          { mark: 'bar', encoding: y('n') },
          { mark: 'line', encoding: { y: { aggregate: 'count', title: 'Orders' } } },
        ],
        resolve: { scale: { y: 'independent' } },
      },
      ['Orders'],
    ],
    [
      'a heat map',
      {
        ...sales,
        mark: 'rect',
        encoding: {
          ...x('m'),
          y: { field: 's', type: 'nominal' },
          color: { field: 'n', type: 'quantitative' },
        },
      },
      ['A', 'B'],
    ],
    [
      'a histogram',
      { ...sales, mark: 'bar', encoding: { x: { field: 'n', bin: true }, y: { aggregate: 'count' } } },
      ['n (binned)'],
    ],
    ['a box plot', { ...sales, mark: 'boxplot', encoding: { ...x('s'), ...y('n') } }, ['A', 'B']],
    [
      'a trend',
      {
        ...sales,
        layer: [
          { mark: 'point', encoding: { x: { field: 'n', type: 'quantitative' }, ...y('n') } },
          {
            transform: [{ regression: 'n', on: 'n' }],
            mark: 'line',
            encoding: { x: { field: 'n', type: 'quantitative' }, ...y('n') },
          },
        ],
      },
      ['n'],
    ],
    [
      'a funnel',
      {
        ...sales,
        mark: 'bar',
        encoding: {
          y: { field: 'm', type: 'nominal', sort: null },
          x: { field: 'n', type: 'quantitative', stack: 'center' },
        },
      },
      ['Jan', 'Feb'],
    ],
  ])('%s', async (_, spec, expected, changes) => {
    // west of London, where days without a time were shown as the day before
    vi.stubEnv('TZ', 'America/New_York')
    const svg = await draw(spec, changes)
    expect(texts(svg)).toEqual(expect.arrayContaining(expected.slice()))
    expect(widthOf(svg)).toBeLessThanOrEqual(701)
  })
})

it.each([
  ['of one view', { ...sales, mark: 'bar', encoding: { ...x('m'), ...y('n') } }],
  ['that layers share', { ...sales, layer: [{ mark: 'bar' }], encoding: { ...x('m'), ...y('n') } }],
])('names are in the order of the data: %s', async (_, spec) => {
  const shown = texts(await draw(spec))
  expect(shown.indexOf('Jan')).toBeGreaterThanOrEqual(0)
  expect(shown.indexOf('Jan')).toBeLessThan(shown.indexOf('Feb'))
})

describe('fits the width', () => {
  const part = { mark: 'bar', encoding: { ...x('m'), ...y('n') } }
  const lying = { mark: 'bar', encoding: { y: { field: 'm' }, x: { field: 'n', type: 'quantitative' } } }
  const shapes: [string, object, number][] = [
    ['one view with a width of its own', { ...sales, ...lying, width: 1200 }, 3],
    ['one that takes its container’s', { ...sales, ...lying, width: 'container', height: 'container' }, 3],
    [
      'columns',
      { ...sales, ...part, encoding: { ...part.encoding, column: { field: 's', type: 'nominal' } } },
      3,
    ],
    ['a facet', { ...sales, facet: { field: 's' }, columns: 4, spec: { ...part, width: 500 } }, 3],
    ['views beside each other', { ...sales, hconcat: [{ ...part, width: 600 }, part] }, 6],
    ['a grid of views', { ...sales, vconcat: [{ hconcat: [part, part] }, part] }, 9],
    [
      'repeated views',
      {
        ...sales,
        repeat: { column: ['n', 'k'] },
        spec: {
          mark: 'bar',
          encoding: { ...x('m'), y: { field: { repeat: 'column' }, type: 'quantitative' } },
        },
      },
      4,
    ],
  ]
  it.each(
    shapes.flatMap(([name, spec, marks]) => [300, 700].map((widthPx) => ({ name, spec, marks, widthPx }))),
  )('$name: $widthPx px', async ({ spec, marks, widthPx }) => {
    const svg = await draw(spec, { widthPx })
    expect(widthOf(svg)).toBeLessThanOrEqual(widthPx + 2)
    expect(widthOf(svg)).toBeGreaterThan(widthPx * 0.7)
    expect(countMarks(svg)).toBe(marks)
  })
})

describe('colours', () => {
  const filled = { ...sales, mark: 'bar', encoding: { ...x('m'), ...y('n') } }
  const coloured = (value: string) => ({ ...filled, encoding: { ...filled.encoding, color: { value } } })
  it.each([
    ['grey, if none is said', filled, '#948f88', '#77726d'],
    ['the accent', coloured('accent'), '#5f49c5', '#aa9cf6'],
    ['black text', { ...filled, mark: { type: 'text', color: 'black' } }, '#221f1b', '#edebe7'],
    ['one of its own', coloured('tomato'), 'tomato', 'tomato'],
  ])('%s', async (_, spec, light, dark) => {
    expect(await draw(spec)).toContain(`fill="${light}"`)
    expect(await draw(spec, { isDark: true })).toContain(`fill="${dark}"`)
  })

  it('of guides follow the theme, whatever a specification says', async () => {
    const svg = await draw(
      {
        ...filled,
        background: 'white',
        config: { axis: { labelColor: '#123456' } },
        encoding: { ...filled.encoding, ...x('m', { axis: { titleColor: '#123456' } }) },
      },
      { isDark: true },
    )
    expect(svg).not.toContain('#123456')
    expect(svg).toContain('fill="#1e1c1a"')
  })
})

it.each([
  ['en-US', '2026-03-01', 'Mar 1, 2026'],
  ['de-DE', '2026-03-01', '1. Mär 2026'],
  ['de-DE', '2026-03-01 14:30', '1. Mär 2026, 14:30'],
  ['ja-JP', '2026-03-01', '2026年3月1日'],
])('the values of a mark are as its language writes them: %s %s', async (locale, d, day) => {
  const svg = await draw(
    {
      ...data({ d, n: 1234.5678 }),
      mark: 'line',
      encoding: { x: { field: 'd', type: 'temporal' }, ...y('n') },
    },
    { locale },
  )
  const number = (1234.5678).toLocaleString(locale, { maximumFractionDigits: 10 })
  expect(svg).toContain(
    `aria-label="d: ${day}; n: ${number}" role="graphics-symbol" aria-roledescription="point"`,
  )
})

it.each([
  [
    'an expression',
    { ...sales, transform: [{ calculate: 'datum.(', as: 'x' }], mark: 'bar', encoding: x('m') },
  ],
  [
    'a function that is unknown',
    { ...sales, transform: [{ calculate: 'evaluate("1")', as: 'x' }], mark: 'bar', encoding: x('m') },
  ],
])('says what the library does not draw: %s', async (_, spec) => {
  await expect(draw(spec)).rejects.toThrow(/Unexpected token|Unrecognized function/)
})

it.each(['ascending', 'x', '-x'])(
  'months are in the order of the data, not in their alphabet: %s',
  async (sort) => {
    const values = ['Jan', 'Feb', 'Mar', 'Apr'].map((m, n) => ({ m, n }))
    const svg = await draw({ data: { values }, mark: 'bar', encoding: { ...x('m', { sort }), ...y('n') } })
    expect(texts(svg).slice(0, 4)).toEqual(['Jan', 'Feb', 'Mar', 'Apr'])
  },
)
