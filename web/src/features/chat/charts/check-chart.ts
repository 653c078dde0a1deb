import { getOwn } from '#shared/get-own.ts'
import {
  findIncomplete,
  getMark,
  joinPath,
  listChannels,
  listViews,
  operationLists,
  type ChartView,
} from './chart-views.ts'
import { isObject, type JsonObject, splitWords } from './chart-data.ts'
import { findColumn, namesColumn } from './find-column.ts'
import { parseNumber } from './parse-number.ts'

/**
 * The greatest number of rows and of drawn parts, and the greatest value of settings that make work. More would keep the frame busy for
 * long; what models write has far less.
 */
export const chartLimits = { rows: 5_000, views: 40, number: 1_000 }

/** A sentence names so many of the columns: a table may have thousands. */
const maxNamedColumns = 20

/** Why a specification is not drawn. */
export type ChartProblem =
  | { kind: 'syntax'; line: number; column: number }
  | { kind: 'vega' | 'noData' | 'stopped' }
  /** @property path of the part without one; empty for the whole */
  | { kind: 'noMark'; path: string }
  /** it would load something, link to somewhere, or take input */
  | { kind: 'refused'; path: string }
  | { kind: 'unknown'; path: string; value: string; known: readonly string[] }
  | { kind: 'noField'; path: string; field: string; columns: readonly string[] }
  | { kind: 'noNumbers'; path: string; field: string; example: string }
  | { kind: 'tooManyRows' | 'tooManyViews'; count: number }
  | { kind: 'tooLarge'; path: string }
  /** @property reason in the words of the library; may be empty */
  | { kind: 'library'; reason: string }

const marks = splitWords(
  'arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail',
)
const channels = splitWords(
  'angle color column description detail facet fill fillOpacity key latitude latitude2 longitude longitude2 opacity order radius radius2 row shape size stroke strokeDash strokeOpacity strokeWidth text theta theta2 time tooltip x x2 xError xError2 xOffset y y2 yError yError2 yOffset',
)
const types = splitWords('quantitative temporal ordinal nominal geojson')
const aggregates = splitWords(
  'argmax argmin average ci0 ci1 count distinct exponential exponentialb max mean median min missing product q1 q3 stderr stdev stdevp sum valid values variance variancep',
)
/** Aggregates that count values of any kind. */
const countingAggregates = new Set(splitWords('argmax argmin count distinct max min missing valid values'))

/** Keys by which a specification would load something, link somewhere, take input, or generate rows. */
const refusedKeys = new Set(splitWords('url href params selection sequence graticule sphere'))

/** Settings whose number decides how much is calculated or drawn. */
const numberKeys = new Set(splitWords('maxbins steps tickCount'))

/** Whether a key has data, or says how it is read. Neither is checked: a column may have any name. */
const isData = (key: string, value: unknown) =>
  key === 'values' || key === 'datasets' || key === 'format' || (key === 'data' && Array.isArray(value))

/** Finds the first key or number that is not allowed, anywhere but in the data. */
function findRefused(value: unknown, path: string): ChartProblem | undefined {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const problem = findRefused(one, `${path}[${index}]`)
      if (problem) return problem
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (isData(key, inner)) continue
    const innerPath = joinPath(path, key)
    const isImage = (key === 'mark' || key === 'type') && inner === 'image'
    // a range of key values, of which the library imputes a row for each
    const isGenerator = key === 'keyvals' && isObject(inner)
    if (refusedKeys.has(key) || isImage || isGenerator) return { kind: 'refused', path: innerPath }
    if (numberKeys.has(key) && typeof inner === 'number' && inner > chartLimits.number)
      return { kind: 'tooLarge', path: innerPath }
    const problem = findRefused(inner, innerPath)
    if (problem) return problem
  }
  return undefined
}

/** Other names of types that models use. */
const typeAliases: Readonly<Record<string, string>> = {
  q: 'quantitative',
  number: 'quantitative',
  numeric: 'quantitative',
  numerical: 'quantitative',
  t: 'temporal',
  date: 'temporal',
  datetime: 'temporal',
  o: 'ordinal',
  n: 'nominal',
  category: 'nominal',
  categorical: 'nominal',
  string: 'nominal',
}

/** Expands a short or other name of a channel's type. An unknown value is returned as it is. */
export function expandType(type: unknown): unknown {
  const name = typeof type === 'string' ? type.toLowerCase() : ''
  if (types.includes(name)) return name
  return getOwn(typeAliases, name) ?? type
}

const checkWord = (value: unknown, path: string, known: readonly string[]): ChartProblem | undefined =>
  typeof value !== 'string' || known.includes(value) ? undefined : { kind: 'unknown', path, value, known }

/** Finds a value of a column that is neither empty nor a number. @param path of the field */
function findWrongValue({ rows = [] }: ChartView, column: string, path: string): ChartProblem | undefined {
  const wrong = rows.find(
    (row) => getOwn(row, column) !== undefined && parseNumber(row[column]) === undefined,
  )
  return (
    wrong && {
      kind: 'noNumbers',
      path,
      field: column,
      example: formatValue(wrong[column]),
    }
  )
}

const formatValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function checkChannels(view: ChartView): ChartProblem | undefined {
  for (const { name, definition, path } of listChannels(view)) {
    const { field, type, aggregate, sort } = definition
    const problem =
      checkWord(name, path, channels) ??
      checkWord(expandType(type), `${path}.type`, types) ??
      checkWord(aggregate, `${path}.aggregate`, aggregates) ??
      (isObject(sort) ? checkWord(sort['op'], `${path}.sort.op`, aggregates) : undefined)
    if (problem) return problem
    if (typeof field !== 'string' || aggregate === 'count' || !view.fields) continue
    const column = findColumn(field, view.fields)
    if (column === undefined)
      return {
        kind: 'noField',
        path: `${path}.field`,
        field,
        columns: [...view.fields].slice(0, maxNamedColumns),
      }
    if (needsNumbers(definition) && !view.derived.has(column) && namesColumn(field, column)) {
      const wrong = findWrongValue(view, column, `${path}.field`)
      if (wrong) return wrong
    }
  }
  return undefined
}

const windowOperations = splitWords(
  'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value',
)

/** Checks the operations of transforms: an unknown one would leave the chart empty. */
function checkTransforms({ spec, path }: ChartView): ChartProblem | undefined {
  const { transform } = spec
  if (!Array.isArray(transform)) return checkTransform(transform, joinPath(path, 'transform'))
  for (const [index, one] of transform.entries()) {
    const problem = checkTransform(one, joinPath(path, `transform[${index}]`))
    if (problem) return problem
  }
  return undefined
}

function checkTransform(transform: unknown, path: string): ChartProblem | undefined {
  if (!isObject(transform)) return undefined
  for (const key of operationLists) {
    const operations = transform[key]
    if (!Array.isArray(operations)) continue
    const known = key === 'window' ? [...windowOperations, ...aggregates] : aggregates
    for (const [index, operation] of operations.entries()) {
      const name: unknown = isObject(operation) ? operation['op'] : undefined
      const problem = checkWord(name, `${path}.${key}[${index}].op`, known)
      if (problem) return problem
    }
  }
  return undefined
}

/** Whether the values of a channel are drawn or summed up as numbers. */
export function needsNumbers({ type, aggregate, bin, timeUnit, field }: JsonObject): boolean {
  if (typeof field !== 'string' || timeUnit !== undefined) return false
  if (typeof aggregate === 'string') return !countingAggregates.has(aggregate)
  return (
    expandType(type) === 'quantitative' ||
    (bin !== undefined && bin !== false && bin !== 'binned' && bin !== null)
  )
}

function checkView(view: ChartView): ChartProblem | undefined {
  const { spec, path } = view
  const problem = checkTransforms(view)
  if (problem) return problem
  if (!('mark' in spec)) return checkChannels(view)
  const mark = getMark(spec)
  const markPath = joinPath(path, 'mark')
  if (typeof mark !== 'string')
    return { kind: 'unknown', path: markPath, value: JSON.stringify(mark), known: marks }
  return checkWord(mark, markPath, marks) ?? checkChannels(view)
}

/** Whether anything is drawn from data. */
const needsData = (views: readonly ChartView[]) =>
  views.some((view) =>
    listChannels(view).some(({ definition }) => 'field' in definition || 'aggregate' in definition),
  )

/**
 * Checks a specification for what is not allowed, and for what the library would draw wrongly, or not at all, without saying why. It does not
 * check the whole grammar: what is not known here is left to the library.
 * @returns the first problem
 */
export function checkChart(chart: JsonObject): ChartProblem | undefined {
  const incomplete = findIncomplete(chart)
  if (incomplete !== undefined)
    return 'marks' in chart ? { kind: 'vega' } : { kind: 'noMark', path: incomplete }
  const refused = findRefused(chart, '')
  if (refused) return refused
  const views = listViews(chart)
  const viewCount = views.reduce((total, { count }) => total + count, 0)
  if (viewCount > chartLimits.views) return { kind: 'tooManyViews', count: viewCount }
  const tables = new Set(views.flatMap(({ rows }) => (rows ? [rows] : [])))
  const rowCount = [...tables].reduce((total, rows) => total + rows.length, 0)
  if (rowCount > chartLimits.rows) return { kind: 'tooManyRows', count: rowCount }
  if (rowCount === 0 && needsData(views)) return { kind: 'noData' }
  for (const view of views) {
    const problem = checkView(view)
    if (problem) return problem
  }
  return undefined
}
