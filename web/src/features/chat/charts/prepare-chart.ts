import { getOwn } from '#shared/get-own.ts'
import { parseChartDate } from '#shared/chart-dates.ts'
import { isPathLike, maskName } from '#shared/chart-names.ts'
import { truncate } from '#shared/truncate.ts'
import { isObject, listColumns, readRows, type JsonObject, type Row } from './chart-data.ts'
import { listChannels, listViews, type Channel } from './chart-views.ts'
import { expandType, needsNumbers } from './check-chart.ts'
import { findColumn, namesColumn } from './find-column.ts'
import { mendLogScale } from './mend-log-scale.ts'
import { dropUnknownLooks, isKnownLook } from './mend-looks.ts'
import { parseNumber } from './parse-number.ts'
import type { Chart } from './read-chart.ts'

/** The look is the product's, in both themes; sizes follow the place where the chart is shown. */
const droppedKeys = new Set([
  '$schema',
  'autosize',
  'background',
  'config',
  'datasets',
  'padding',
  'usermeta',
])
const lookOfGuides = /^(?:label|title|subtitle|grid|domain|tick|header)(?:Color|Font)$/

/** Keys whose null means that something is left out; elsewhere it is as if they were not there. */
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

/** A copy without its look. Data stands in each place that uses it. */
function copySpec(value: unknown, datasets: unknown, isTop = false): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => copySpec(one, datasets))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (inner === null && !nullKeys.has(key)) return []
      if (!isKnownLook(key, inner)) return []
      if (lookOfGuides.test(key) || (droppedKeys.has(key) && (isTop || key !== 'padding'))) return []
      if (key === 'data') {
        const rows = readRows(inner, datasets)
        return [[key, rows ? { values: rows } : inner]]
      }
      if (key === 'transform' && isObject(inner)) return [[key, [copySpec(inner, datasets)]]]
      return [[key, copySpec(inner, datasets)]]
    }),
  )
}

/** Channels whose numbers are drawn as a length or a place. */
const measures = new Set(['x', 'y', 'theta', 'radius', 'size'])

const isYear = (value: unknown) => Number.isInteger(value) && Number(value) >= 1900 && Number(value) <= 2100

/** An order by the names themselves. */
const isOwnOrder = (name: string, sort: unknown) =>
  sort === 'ascending' || sort === name || sort === `-${name}`

/** Names of months and of days of the week, in any language: their alphabet is never meant. */
const isPartOfYear = (value: unknown) => typeof value === 'string' && partsOfYear.has(value.toLowerCase())
const partsOfYear: ReadonlySet<string> = new Set(
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

/** What a type would show wrongly: a missing one, dates that are none, years with a separator of thousands. */
function mendType({ name, definition }: Channel, values: readonly unknown[]): void {
  if ('type' in definition) definition['type'] = expandType(definition['type'])
  const { type = 'nominal', aggregate, bin, timeUnit } = definition
  const isDerived = [aggregate, bin, timeUnit].some((one) => one !== undefined)
  if (isDerived || values.length === 0) return
  if (!('type' in definition) && measures.has(name) && values.every((value) => typeof value === 'number'))
    definition['type'] = values.every(isYear) ? 'ordinal' : 'quantitative'
  // the order of the data says more than the alphabet, such as that of months
  if ((type === 'nominal' || type === 'ordinal') && values.some((value) => typeof value === 'string'))
    if (!('sort' in definition) || (isOwnOrder(name, definition['sort']) && values.every(isPartOfYear)))
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

/** Texts that are numbers become numbers where they are drawn as such. */
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
      mendType(channel, column === undefined ? [] : rows.map((row) => row[column]))
      dropUnknownLooks(channel.name, definition)
    }
    mendLogScale(view)
  }
}

/** Renames columns whose names the library would read as paths, wherever they are named. */
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

/** A text of a title, also one of several lines. */
const readText = (text: unknown): string =>
  truncate((Array.isArray(text) ? text.join(' ') : typeof text === 'string' ? text : '').trim(), 300)

function readTitle({ title, description }: JsonObject): Pick<Chart, 'title' | 'subtitle'> {
  const subtitle = isObject(title) ? readText(title['subtitle']) : ''
  return { title: readText(isObject(title) ? title['text'] : title) || readText(description), subtitle }
}

/** @param chart a checked specification */
export function prepareChart(chart: JsonObject): Chart {
  const original = copySpec(chart, chart['datasets'], true) as JsonObject
  const titles = readTitle(original)
  delete original['title']
  const tables = listTables(original)
  const rows = tables.reduce<Row[]>((largest, next) => (next.length > largest.length ? next : largest), [])
  // the table shows what stands in the block
  const shownRows = rows.map((row) => ({ ...row }))
  convertValues(original)
  const names = tables.flatMap(listColumns).filter(isPathLike)
  const spec = names.length === 0 ? original : (maskNames(original, names) as JsonObject)
  return { ...titles, spec, rows: shownRows }
}

const listTables = (spec: JsonObject): Row[][] => [
  ...new Set(listViews(spec).flatMap(({ rows }) => (rows ? [rows] : []))),
]
