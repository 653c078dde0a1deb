import { getOwn } from '#shared/get-own.ts'
import { isObject, type JsonObject, type Row } from './chart-data.ts'
import { getMark, type ChartView } from './chart-views.ts'
import { findDataColumn } from './find-column.ts'
import { parseNumber } from './parse-number.ts'

/** Other names of the logarithmic scale that models use. */
const scaleNames: Readonly<Record<string, string>> = {
  logarithmic: 'log',
  log10: 'log',
  log2: 'log',
  ln: 'log',
}
/** Scales on which the library does not stack parts, because their sum has no meaning, but draws them over each other. */
const unstacked = new Set<unknown>(['log', 'symlog', 'sqrt', 'pow'])
const barMarks = new Set<unknown>(['bar', 'area'])

/** Finds the smallest value of the column that a channel draws; 1 for counts. @returns undefined if a transform calculates it, or it has no numbers */
function findMinimum({ aggregate, field }: JsonObject, view: ChartView): number | undefined {
  if (aggregate === 'count' || aggregate === 'distinct') return 1
  const column = findDataColumn(field, view)
  if (column === undefined) return undefined
  const values = (view.rows ?? []).flatMap((row: Row) => parseNumber(getOwn(row, column)) ?? [])
  return values.length === 0 ? undefined : Math.min(...values)
}

/** Calculates the greatest power of ten that is less than a value. */
const getPowerBelow = (value: number) => 10 ** (Math.ceil(Math.log10(value)) - 1)

/**
 * Corrects a logarithmic scale, in place. Bars and areas begin at zero, which such a scale does not have, so the library would draw none. Here
 * they begin at a power of ten below their values, and bars of several series stand beside each other. If values are zero or less, or not
 * known here, the scale becomes linear around zero (symlog).
 */
export function fixLogScale(view: ChartView): void {
  const { spec, encoding } = view
  if (!('mark' in spec)) return
  const mark = getMark(spec)
  for (const name of ['x', 'y'] as const) {
    const definition = encoding[name]
    if (!isObject(definition) || !isObject(definition['scale'])) continue
    const { scale } = definition
    if (typeof scale['type'] === 'string')
      scale['type'] = getOwn(scaleNames, scale['type'].toLowerCase()) ?? scale['type']
    if (!unstacked.has(scale['type'])) continue
    const isBar = barMarks.has(mark) && !(`${name}2` in encoding)
    const separateEncoding: JsonObject =
      isBar && mark === 'bar' ? separateSeries(encoding, name === 'y' ? 'x' : 'y') : {}
    if (scale['type'] === 'log') {
      const minimum = findMinimum(definition, view)
      if (minimum === undefined ? isBar : minimum <= 0) scale['type'] = 'symlog'
      else if (isBar && minimum !== undefined) {
        const start = getPowerBelow(minimum)
        definition['stack'] = null
        if (!('domain' in scale)) scale['domainMin'] ??= start
        separateEncoding[`${name}2`] = { datum: start }
      }
    }
    // only for the bars, not for the layers that share their encoding
    if (Object.keys(separateEncoding).length > 0)
      spec['encoding'] = { ...(spec['encoding'] as object), ...separateEncoding }
  }
}

const isDiscreteType = (type: unknown) => type === undefined || type === 'nominal' || type === 'ordinal'

/** Builds the channel that puts the bars of each series beside each other; empty if there are no series. @param band the axis along which bars stand */
function separateSeries(encoding: JsonObject, band: 'x' | 'y'): JsonObject {
  const series = encoding['color'] ?? encoding['fill']
  const bandChannel = encoding[band]
  if (!isObject(series) || !isObject(bandChannel) || typeof series['field'] !== 'string') return {}
  const isDiscrete = isDiscreteType(bandChannel['type'])
  if (!isDiscrete || series['field'] === bandChannel['field'] || series['type'] === 'quantitative') return {}
  return `${band}Offset` in encoding ? {} : { [`${band}Offset`]: { field: series['field'] } }
}
