import { parseChartDate } from '#shared/chart-dates.ts'
import { isPathLike, maskName } from '#shared/chart-names.ts'
import { truncate } from '#shared/truncate.ts'
import {
  isObject,
  isYear,
  type JsonObject,
  listColumns,
  readRows,
  type Row,
  splitWords,
} from './chart-data.ts'
import { type Channel, type ChartView, listChannels, listViews } from './chart-views.ts'
import { expandType, needsNumbers } from './check-chart.ts'
import { findDataColumn, namesColumn } from './find-column.ts'
import { fixLogScale } from './fix-log-scale.ts'
import { parseNumber } from './parse-number.ts'
import type { Chart } from './read-chart.ts'

// Names of styles that the library does not know would leave the chart empty. It is drawn without them.

/** https://vega.github.io/vega/docs/schemes/ */
const schemes = new Set(
  splitWords(
    'accent category10 category20 category20b category20c dark2 observable10 paired pastel1 pastel2 set1 set2 set3 tableau10 tableau20 blues greens greys oranges purples reds bluegreen bluepurple greenblue orangered purpleblue purplebluegreen purplered redpurple yellowgreen yelloworangebrown yelloworangered blueorange brownbluegreen purplegreen purpleorange redblue redgrey yellowgreenblue redyellowblue redyellowgreen pinkyellowgreen spectral viridis magma inferno plasma cividis rainbow sinebow turbo browns tealblues teals warmgreys goldgreen goldorange goldred lightgreyred lightgreyteal lightmulti lightorange lighttealblue darkblue darkgold darkgreen darkmulti darkred',
  ),
)
/** https://vega.github.io/vega-lite/docs/scale.html#range-config */
const ranges = new Set(splitWords('width height symbol category ordinal ramp diverging heatmap'))
/** https://vega.github.io/vega-lite/docs/line.html#properties */
const curves = new Set(
  splitWords(
    'basis basis-open basis-closed bundle cardinal cardinal-open cardinal-closed catmull-rom linear linear-closed monotone natural step step-before step-after',
  ),
)
/** https://vega.github.io/vega/docs/scales/#quantitative */
const colourSpaces = new Set(splitWords('rgb hsl hsl-long lab hcl hcl-long cubehelix cubehelix-long'))
/** https://vega.github.io/vega-lite/docs/point.html#properties */
const shapes = new Set(
  splitWords(
    'circle square cross diamond triangle triangle-up triangle-down triangle-right triangle-left arrow wedge stroke',
  ),
)

const isScheme = (scheme: unknown) => {
  const name = isObject(scheme) ? scheme['name'] : scheme
  return Array.isArray(name) || (typeof name === 'string' && schemes.has(name.toLowerCase()))
}

/** https://d3js.org/d3-format#locale_format */
const numberFormat = /^(?:.?[<>=^])?[+\-( ]?[$#]?0?\d*,?(?:\.\d+)?~?[a-z%]?$/i

/** The way in which a scale mixes colours, or a mark connects points. */
const isInterpolation = (value: unknown, isOfScale: boolean) => {
  const name = isObject(value) ? value['type'] : value
  return typeof name !== 'string' || (isOfScale ? colourSpaces : curves).has(name)
}

/** Whether the library may know the value of a key. True for keys that are not checked here. @param parent the key of the object around it */
function isKnownStyle(key: string, value: unknown, parent: string | undefined): boolean {
  switch (key) {
    case 'scheme':
      return isScheme(value)
    case 'range':
      return typeof value !== 'string' || ranges.has(value)
    case 'interpolate':
      return isInterpolation(value, parent === 'scale')
    case 'shape':
      return typeof value !== 'string' || isShape(value)
    default:
      return true
  }
}

/** Whether a text is the name of a shape, or an SVG path. */
const isShape = (shape: string) => shapes.has(shape) || /^[Mm]\s*-?[\d.]/.test(shape)

/** Whether the library can format by a text: `%Y` for times, `,.2f` for numbers. */
const isFormat = (format: string, isTime: boolean) =>
  isTime ? /%[-_0]?[a-z]/i.test(format) : numberFormat.test(format)

/** Drops invalid formats and shapes of a channel, in place. @param name of the channel */
function dropUnknownStyles(name: string, definition: JsonObject): void {
  if (name === 'shape' && typeof definition['value'] === 'string' && !isShape(definition['value']))
    delete definition['value']
  const isTime = definition['type'] === 'temporal' || definition['timeUnit'] !== undefined
  for (const part of [definition, definition['axis'], definition['legend'], definition['header']]) {
    if (!isObject(part) || typeof part['format'] !== 'string') continue
    if (!isFormat(part['format'], isTime || part['formatType'] === 'time')) delete part['format']
  }
}

/** Keys that are dropped: styles are the product's, in both themes, sizes follow the card that shows the chart, and the rest is not drawn. */
const droppedKeys = new Set(['$schema', 'autosize', 'background', 'config', 'datasets', 'usermeta'])
/** Colours and fonts of axes, legends and headers. */
const guideStyles = /^(?:label|title|subtitle|grid|domain|tick|header)(?:Color|Font)$/

/** Keys whose null has a meaning, such as that an axis is left out. With any other key null is dropped. */
const nullKeys = new Set([
  'aggregate',
  'axis',
  'bin',
  'header',
  'invalid',
  'legend',
  'scale',
  'sort',
  'stack',
  'title',
  'value',
])

/**
 * Copies a specification, or a part of it, without styles and nulls that have no meaning here. Its rows are not copied: named ones are put into
 * each part that uses them.
 * @param parent the key of the part
 */
function copySpec(value: unknown, datasets: unknown, parent?: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => copySpec(one, datasets, parent))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (inner === null && !nullKeys.has(key)) return []
      if (!isKnownStyle(key, inner, parent)) return []
      if (guideStyles.test(key) || droppedKeys.has(key)) return []
      if (key === 'data') {
        const rows = readRows(inner, datasets)
        return [[key, rows ? { values: rows } : inner]]
      }
      if (key === 'transform' && isObject(inner)) return [[key, [copySpec(inner, datasets, key)]]]
      return [[key, copySpec(inner, datasets, key)]]
    }),
  )
}

/** Channels whose numbers are drawn as a position or a size. */
const measureChannels = new Set(['x', 'y', 'theta', 'radius', 'size'])

/** Whether a channel is sorted by its own values. */
const isSortedByItself = (name: string, sort: unknown) =>
  ['ascending', 'descending', name, `-${name}`].some((own) => own === sort)

/** Whether a value is the name of a month or a weekday, in a language of the page. Their alphabetical order is never meant. */
const isCalendarName = (value: unknown) => typeof value === 'string' && calendarNames.has(value.toLowerCase())
/** The languages of the page (`web/src/languages`), without their regions. */
const calendarLanguages = ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar']
const months = Array.from({ length: 12 }, (_, index) => Date.UTC(2026, index))
const weekdays = Array.from({ length: 7 }, (_, index) => Date.UTC(2026, 0, 1 + index))
const calendarNames: ReadonlySet<string> = new Set(
  (['long', 'short'] as const).flatMap((style) => [
    ...listCalendarNames(months, { month: style }),
    ...listCalendarNames(weekdays, { weekday: style }),
  ]),
)

function listCalendarNames(days: readonly number[], form: Intl.DateTimeFormatOptions): string[] {
  return calendarLanguages.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' })
    return days.map((day) => format.format(day).toLowerCase())
  })
}

/** Expands the type of a channel. If its values are not calculated, also corrects its type, its order, and how it writes years. Changes the definition. */
function fixChannel({ name, definition }: Channel, values: readonly unknown[]): void {
  if ('type' in definition) definition['type'] = expandType(definition['type'])
  const { aggregate, bin, timeUnit } = definition
  const isCalculated = [aggregate, bin, timeUnit].some((one) => one !== undefined)
  if (isCalculated || values.length === 0) return
  addMissingType(name, definition, values)
  fixOrder(name, definition, values)
  fixDates(definition, values)
  fixYears(name, definition, values)
}

/** Numbers that are drawn as a position or a size are quantities, except years. Without a type the library would draw them as names. */
function addMissingType(name: string, definition: JsonObject, values: readonly unknown[]): void {
  if ('type' in definition || !measureChannels.has(name)) return
  if (!values.every((value) => typeof value === 'number')) return
  definition['type'] = values.every(isYear) ? 'ordinal' : 'quantitative'
}

/** Keeps the order of the data for names: it is usually meant, and the library's order is the alphabetical one. */
function fixOrder(name: string, definition: JsonObject, values: readonly unknown[]): void {
  const { type = 'nominal', sort } = definition
  if (type !== 'nominal' && type !== 'ordinal') return
  if (!values.some((value) => typeof value === 'string')) return
  const isAlphabetical = isSortedByItself(name, sort) && values.every(isCalendarName)
  if (!('sort' in definition) || isAlphabetical) definition['sort'] = null
}

/** Draws dates that cannot be parsed as names, in the order of the data. */
function fixDates(definition: JsonObject, values: readonly unknown[]): void {
  if (definition['type'] !== 'temporal' || values.every((value) => parseChartDate(value) !== null)) return
  definition['type'] = 'ordinal'
  definition['sort'] ??= null
}

/** Writes years on an axis without the separator of thousands. */
function fixYears(name: string, definition: JsonObject, values: readonly unknown[]): void {
  const { type, axis } = definition
  const hasAxis = (name === 'x' || name === 'y') && axis !== null
  if (type === 'quantitative' && hasAxis && values.every(isYear))
    definition['axis'] = { format: 'd', ...(axis as JsonObject | undefined) }
}

/** Converts texts to numbers where they are drawn as numbers, and corrects channels. Changes the specification and its rows. */
function convertValues(spec: JsonObject): void {
  for (const view of listViews(spec)) {
    for (const channel of listChannels(view)) {
      const values = convertColumn(channel, view)
      fixChannel(channel, values)
      dropUnknownStyles(channel.name, channel.definition)
    }
    fixLogScale(view)
  }
}

/** Converts the column that a channel draws, if it draws numbers. @returns the values of the column, without empty ones */
function convertColumn({ definition }: Channel, view: ChartView): unknown[] {
  const column = findDataColumn(definition['field'], view)
  if (column === undefined) return []
  const rows = (view.rows ?? []).filter((row) => Object.hasOwn(row, column))
  if (needsNumbers(definition))
    for (const row of rows) if (typeof row[column] === 'string') row[column] = parseNumber(row[column])
  return rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined)
}

/** Replaces the names of columns that the library would read as paths, wherever they occur in a specification. */
function maskNames(value: unknown, names: readonly string[]): unknown {
  if (typeof value === 'string') return names.reduce(maskIn, value)
  if (Array.isArray(value)) return value.map((one: unknown) => maskNames(one, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'data' ? maskColumns(inner, new Set(names)) : maskNames(inner, names),
    ]),
  )
}

/** Replaces the names of columns in the rows of data, if it has any. */
function maskColumns(data: unknown, names: ReadonlySet<string>): unknown {
  const rows = readRows(data, undefined)
  if (!rows) return data
  return {
    values: rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [names.has(column) ? maskName(column) : column, value]),
      ),
    ),
  }
}

/** Replaces the name of a column in a text: one that names it, or an expression that reads it. */
function maskIn(text: string, name: string): string {
  const masked = maskName(name)
  if (namesColumn(text, name)) return masked
  const escaped = name.replaceAll(/[.[\]'"]/g, String.raw`\$&`)
  // by functions: a text would be a pattern, in which `$&` has a meaning
  return text
    .replaceAll(`'${name}'`, () => `'${masked}'`)
    .replaceAll(`"${name}"`, () => `"${masked}"`)
    .replaceAll(escaped, () => masked)
}

/** A title is a line above the chart. Models also describe the whole chart there: the rest of a long text is left out. */
const maxTitleCharacters = 300

/** Reads a text of a title, which may be a list of lines. */
function readText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(' ') : value
  return typeof text === 'string' ? truncate(text.trim(), maxTitleCharacters) : ''
}

/** Reads the title of a chart, or else its description; both texts may be empty. */
function readTitle({ title, description }: JsonObject): Pick<Chart, 'title' | 'subtitle'> {
  const subtitle = isObject(title) ? readText(title['subtitle']) : ''
  return { title: readText(isObject(title) ? title['text'] : title) || readText(description), subtitle }
}

/**
 * Prepares a specification for the frame that draws it.
 * @param chart a specification without problems (`checkChart`)
 */
export function prepareChart(chart: JsonObject): Chart {
  // dropped from the whole chart alone: the padding of a scale has a meaning
  const { padding: _, ...withoutPadding } = chart
  const copy = copySpec(withoutPadding, chart['datasets']) as JsonObject
  const titles = readTitle(copy)
  // the card shows it
  delete copy['title']
  const tables = listTables(copy)
  const rows = tables.reduce<Row[]>((largest, next) => (next.length > largest.length ? next : largest), [])
  // copied before values are converted: the table shows what stands in the block
  const shownRows = rows.map((row) => ({ ...row }))
  convertValues(copy)
  const names = tables.flatMap(listColumns).filter(isPathLike)
  const spec = names.length === 0 ? copy : (maskNames(copy, names) as JsonObject)
  return { ...titles, spec, rows: shownRows }
}

/** Lists the data of a chart. Data that several views share is listed once. */
const listTables = (spec: JsonObject): Row[][] => [
  ...new Set(listViews(spec).flatMap(({ rows }) => (rows ? [rows] : []))),
]
