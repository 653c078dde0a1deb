import { getOwn } from '#shared/get-own.ts'
import { parseChartDate } from '#shared/chart-dates.ts'
import { isPathLike, maskName } from '#shared/chart-names.ts'
import { truncate } from '#shared/truncate.ts'
import { isObject, listColumns, readRows, type JsonObject, type Row } from './chart-data.ts'
import { listChannels, listViews, type Channel } from './chart-views.ts'
import { expandType, needsNumbers } from './check-chart.ts'
import { findColumn, namesColumn } from './find-column.ts'
import { isYear } from './is-year.ts'
import { fixLogScale } from './fix-log-scale.ts'
import { dropUnknownStyles, isKnownStyle } from './drop-unknown-styles.ts'
import { parseNumber } from './parse-number.ts'
import type { Chart } from './read-chart.ts'

/** Keys that are dropped: styles are the product's, in both themes, and sizes follow the card that shows the chart. */
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

/** Copies a specification, or a part of it, without its styles. Named data is copied to each part that uses it. */
function copySpec(value: unknown, datasets: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => copySpec(one, datasets))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (inner === null && !nullKeys.has(key)) return []
      if (!isKnownStyle(key, inner)) return []
      if (guideStyles.test(key) || droppedKeys.has(key)) return []
      if (key === 'data') {
        const rows = readRows(inner, datasets)
        return [[key, rows ? { values: rows } : inner]]
      }
      if (key === 'transform' && isObject(inner)) return [[key, [copySpec(inner, datasets)]]]
      return [[key, copySpec(inner, datasets)]]
    }),
  )
}

/** Channels whose numbers are drawn as a length or a position. */
const measureChannels = new Set(['x', 'y', 'theta', 'radius', 'size'])

/** Whether a channel is sorted by its own values. */
const isSortedByItself = (name: string, sort: unknown) =>
  sort === 'ascending' || sort === name || sort === `-${name}`

/** Whether a value is the name of a month or a weekday, in a language of the page. Their alphabetical order is never meant. */
const isCalendarName = (value: unknown) => typeof value === 'string' && calendarNames.has(value.toLowerCase())
const calendarNames: ReadonlySet<string> = new Set(
  ['en', 'de', 'fr', 'es', 'pt', 'ja', 'ar'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) =>
      Array.from({ length: 12 }, (_, index) => Date.UTC(2026, index, index + 1)).flatMap((day) =>
        [{ month: style }, { weekday: style }].map((form) =>
          new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).format(day).toLowerCase(),
        ),
      ),
    ),
  ),
)

/** Corrects the type of a channel: a missing one, dates that cannot be parsed, years with a separator of thousands. Changes the definition. */
function fixChannelType({ name, definition }: Channel, values: readonly unknown[]): void {
  if ('type' in definition) definition['type'] = expandType(definition['type'])
  const { type = 'nominal', aggregate, bin, timeUnit } = definition
  const isDerived = [aggregate, bin, timeUnit].some((one) => one !== undefined)
  if (isDerived || values.length === 0) return
  if (
    !('type' in definition) &&
    measureChannels.has(name) &&
    values.every((value) => typeof value === 'number')
  )
    definition['type'] = values.every(isYear) ? 'ordinal' : 'quantitative'
  // keep the order of the data, which is usually meant, instead of the alphabetical one
  if ((type === 'nominal' || type === 'ordinal') && values.some((value) => typeof value === 'string'))
    if (
      !('sort' in definition) ||
      (isSortedByItself(name, definition['sort']) && values.every(isCalendarName))
    )
      definition['sort'] = null
  if (type === 'temporal' && values.some((value) => parseChartDate(value) === null)) {
    definition['type'] = 'ordinal'
    definition['sort'] ??= null
  }
  if (
    type === 'quantitative' &&
    (name === 'x' || name === 'y') &&
    definition['axis'] !== null &&
    values.every(isYear)
  )
    definition['axis'] = { format: 'd', ...(definition['axis'] as JsonObject) }
}

/** Converts texts to numbers where they are drawn as numbers, and corrects channels. Changes the specification and its rows. */
function convertValues(spec: JsonObject): void {
  for (const view of listViews(spec)) {
    for (const channel of listChannels(view)) {
      const { definition } = channel
      const { field } = definition
      const existingColumn = typeof field === 'string' ? findColumn(field, new Set(view.fields)) : undefined
      const column =
        existingColumn !== undefined && view.derived.has(existingColumn) ? undefined : existingColumn
      const rows =
        column === undefined ? [] : (view.rows ?? []).filter((row) => (getOwn(row, column) ?? null) !== null)
      if (column !== undefined && needsNumbers(definition))
        for (const row of rows) if (typeof row[column] === 'string') row[column] = parseNumber(row[column])
      fixChannelType(channel, column === undefined ? [] : rows.map((row) => row[column]))
      dropUnknownStyles(channel.name, definition)
    }
    fixLogScale(view)
  }
}

/** Replaces the names of columns that the library would read as paths, wherever they occur in a specification. */
function maskNames(value: unknown, names: readonly string[]): unknown {
  if (typeof value === 'string') return names.reduce(maskIn, value)
  if (Array.isArray(value)) return value.map((one: unknown) => maskNames(one, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'data' && isObject(inner) ? maskColumns(inner, new Set(names)) : maskNames(inner, names),
    ]),
  )
}

const maskColumns = ({ values }: JsonObject, names: ReadonlySet<string>) => ({
  values: (values as Row[]).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [names.has(column) ? maskName(column) : column, value]),
    ),
  ),
})

function maskIn(text: string, name: string): string {
  if (namesColumn(text, name)) return maskName(name)
  // in expressions
  const escaped = name.replaceAll(/[.[\]'"]/g, String.raw`\$&`)
  return text
    .replaceAll(`'${name}'`, `'${maskName(name)}'`)
    .replaceAll(`"${name}"`, `"${maskName(name)}"`)
    .replaceAll(escaped, maskName(name))
}

/** Reads a text of a title, which may be a list of lines. */
const readText = (text: unknown): string =>
  truncate((Array.isArray(text) ? text.join(' ') : typeof text === 'string' ? text : '').trim(), 300)

function readTitle({ title, description }: JsonObject): Pick<Chart, 'title' | 'subtitle'> {
  const subtitle = isObject(title) ? readText(title['subtitle']) : ''
  return { title: readText(isObject(title) ? title['text'] : title) || readText(description), subtitle }
}

/**
 * Prepares a specification for the frame that draws it.
 * @param chart a specification without problems (`checkChart`)
 */
export function prepareChart(chart: JsonObject): Chart {
  // of the whole chart alone: the padding of a scale has a meaning
  const { padding: _, ...withoutPadding } = chart
  const original = copySpec(withoutPadding, chart['datasets']) as JsonObject
  const titles = readTitle(original)
  delete original['title']
  const tables = listTables(original)
  const rows = tables.reduce<Row[]>((largest, next) => (next.length > largest.length ? next : largest), [])
  // copied before values are converted: the table shows what stands in the block
  const shownRows = rows.map((row) => ({ ...row }))
  convertValues(original)
  const names = tables.flatMap(listColumns).filter(isPathLike)
  const spec = names.length === 0 ? original : (maskNames(original, names) as JsonObject)
  return { ...titles, spec, rows: shownRows }
}

const listTables = (spec: JsonObject): Row[][] => [
  ...new Set(listViews(spec).flatMap(({ rows }) => (rows ? [rows] : []))),
]
