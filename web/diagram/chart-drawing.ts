import { expressionFunction, logger, parse, typeParsers, View, type Loader, type LoggerInterface } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type TopLevelSpec } from 'vega-lite'
import { parseChartDate } from '#shared/chart-dates.ts'
import type { ChartLook } from '#shared/chart-frame.ts'
import { unmaskNames } from '#shared/chart-names.ts'
import { themeColours } from './chart-colours.ts'
import { fitWidth, hasLongLabels } from './chart-layout.ts'
import { createChartLocale, dayPattern } from './chart-locale.ts'
import { buildChartConfig } from './chart-theme.ts'

export interface DrawingRequest extends ChartLook {
  id: number
  spec: object
  /** what there is for the drawing */
  widthPx: number
}

export type DrawnChart = { id: number; svg: string; widthPx: number } | { id: number; reason: string }

const refuse = (reason: string) => () => Promise.reject(new Error(reason))

/** Nothing is loaded: the data is in the specification. */
const noLoader = {
  load: refuse('charts have no network'),
  sanitize: refuse('charts have no links'),
  http: refuse('charts have no network'),
  file: refuse('charts have no files'),
} as unknown as Loader

/** What the library warns of is not for the console of the page. */
const silent = logger(0) as LoggerInterface

typeParsers['date'] = parseChartDate
expressionFunction('toDate', parseChartDate)

/** Text that mixes directions is ordered by its own first letter. */
const textStyle = '<style>text{unicode-bidi:plaintext}</style>'

/** A time within data that is no midnight. */
const timeOfDay = /[T ](?!00:00)\d{2}:\d{2}/

/** Titles of axes in the page's words: 'sales (Mean)'. */
const titleFields =
  (
    aggregates: Readonly<Record<string, string>>,
  ): NonNullable<NonNullable<Parameters<typeof compile>[1]>['fieldTitle']> =>
  ({ aggregate, field }) => {
    const name = typeof field === 'string' ? field : ''
    if (typeof aggregate !== 'string') return name
    const word = aggregates[aggregate] ?? aggregate
    return name === '' ? word : `${name} (${word})`
  }

async function drawSvg(
  spec: object,
  { isDark, locale, aggregates, widthPx }: DrawingRequest,
): Promise<string> {
  const timeFormat = dayPattern(locale, timeOfDay.test(JSON.stringify(spec)))
  const { spec: vegaSpec } = compile(spec as TopLevelSpec, {
    config: {
      ...buildChartConfig(isDark, widthPx, hasLongLabels(spec, widthPx - 80)),
      timeFormat,
      // all digits that say something
      tooltipFormat: { timeFormat, numberFormat: ',.10~r' },
    },
    ...(aggregates && { fieldTitle: titleFields(aggregates) }),
    logger: silent as never,
  })
  const view = new View(parse(vegaSpec, undefined, { ast: true }), {
    expr: expressionInterpreter,
    loader: noLoader,
    logger: silent,
    renderer: 'none',
  })
  view.locale(createChartLocale(locale))
  const svg = await view.toSVG()
  view.finalize()
  return svg
}

const readSvgWidth = (svg: string) => Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1])

/** Scales of their own, as the library cannot always give them to layers within facets: then they are shared. */
function shareScales(spec: unknown): unknown {
  if (Array.isArray(spec)) return spec.map(shareScales)
  if (typeof spec !== 'object' || spec === null) return spec
  return Object.fromEntries(
    Object.entries(spec).flatMap(([key, value]) =>
      key === 'resolve' ? [] : [[key, key === 'data' ? (value as unknown) : shareScales(value)]],
    ),
  )
}

const isScaleError = (error: unknown) =>
  error instanceof Error && error.message.startsWith('Unrecognized scale name')

/** Draws a chart as SVG, without a page and without a network. @param isShared its scales are shared already */
export async function drawChart(request: DrawingRequest, isShared = false): Promise<DrawnChart> {
  const { id, isDark, widthPx } = request
  try {
    const spec = themeColours(request.spec, isDark) as object
    const fitted = await fitWidth(spec, widthPx, async (one) => readSvgWidth(await drawSvg(one, request)))
    const svg = await drawSvg(fitted, request)
    return { id, svg: unmaskNames(svg.replace('>', `>${textStyle}`)), widthPx }
  } catch (error) {
    if (isScaleError(error) && !isShared)
      return drawChart({ ...request, spec: shareScales(request.spec) as object }, true)
    // of its own errors the library writes sentences; others are of no use to a reader
    const isSentence = error instanceof Error && !(error instanceof TypeError)
    return { id, reason: isSentence ? unmaskNames(error.message) : '' }
  }
}
