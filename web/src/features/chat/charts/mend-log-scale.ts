import { getOwn } from '#shared/get-own.ts'
import { isObject, type JsonObject, type Row } from './chart-data.ts'
import type { ChartView } from './chart-views.ts'
import { findColumn } from './find-column.ts'
import { parseNumber } from './parse-number.ts'

const names: Readonly<Record<string, string>> = { logarithmic: 'log', log10: 'log', log2: 'log', ln: 'log' }
/** Scales on which a sum of parts has no meaning, so that the library puts the parts over each other. */
const unstacked = new Set<unknown>(['log', 'symlog', 'sqrt', 'pow'])
const barMarks = new Set<unknown>(['bar', 'area'])

/** The smallest value that is drawn, or may be; undefined if transforms make the values. */
function findMinimum(
  { aggregate, field }: JsonObject,
  { rows, fields, derived }: ChartView,
): number | undefined {
  if (aggregate === 'count' || aggregate === 'distinct') return 1
  const column = typeof field === 'string' && fields ? findColumn(field, fields) : undefined
  if (column === undefined || derived.has(column)) return undefined
  const values = (rows ?? []).flatMap((row: Row) => parseNumber(getOwn(row, column)) ?? [])
  return values.length === 0 ? undefined : Math.min(...values)
}

/** The power of ten below a value. */
const powerBelow = (value: number) => 10 ** (Math.ceil(Math.log10(value)) - 1)

/**
 * Bars and areas begin at zero, which a logarithmic scale does not have: the library draws none. They begin at a power of ten below their
 * values instead, and bars of several series stand beside each other. Where values are zero or less, or not known here, the scale is linear
 * around zero (symlog).
 */
export function mendLogScale(view: ChartView): void {
  const { spec, encoding } = view
  if (!('mark' in spec)) return
  const mark = isObject(spec['mark']) ? spec['mark']['type'] : spec['mark']
  for (const name of ['x', 'y'] as const) {
    const definition = encoding[name]
    if (!isObject(definition) || !isObject(definition['scale'])) continue
    const { scale } = definition
    if (typeof scale['type'] === 'string')
      scale['type'] = getOwn(names, scale['type'].toLowerCase()) ?? scale['type']
    if (!unstacked.has(scale['type'])) continue
    const isBar = barMarks.has(mark) && !(`${name}2` in encoding)
    const separateEncoding: JsonObject =
      isBar && mark === 'bar' ? separateSeries(encoding, name === 'y' ? 'x' : 'y') : {}
    if (scale['type'] === 'log') {
      const minimum = findMinimum(definition, view)
      if (minimum === undefined ? isBar : minimum <= 0) scale['type'] = 'symlog'
      else if (isBar && minimum !== undefined) {
        const start = powerBelow(minimum)
        definition['stack'] = null
        if (!('domain' in scale)) scale['domainMin'] ??= start
        separateEncoding[`${name}2`] = { datum: start }
      }
    }
    // of the bars alone, not of the layers that share their channels
    if (Object.keys(separateEncoding).length > 0)
      spec['encoding'] = { ...(spec['encoding'] as object), ...separateEncoding }
  }
}

const isDiscreteType = (type: unknown) => type === undefined || type === 'nominal' || type === 'ordinal'

/** Gives the bars of each series a place of their own. @param band the axis along which bars stand */
function separateSeries(encoding: JsonObject, band: 'x' | 'y'): JsonObject {
  const series = encoding['color'] ?? encoding['fill']
  const place = encoding[band]
  if (!isObject(series) || !isObject(place) || typeof series['field'] !== 'string') return {}
  const isDiscrete = isDiscreteType(place['type'])
  if (!isDiscrete || series['field'] === place['field'] || series['type'] === 'quantitative') return {}
  return `${band}Offset` in encoding ? {} : { [`${band}Offset`]: { field: series['field'] } }
}
