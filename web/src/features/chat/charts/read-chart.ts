import JSON5 from 'json5'
import { checkChart, type ChartProblem } from './check-chart.ts'
import { isObject, type JsonObject, type Row } from './chart-data.ts'
import { prepareChart } from './prepare-chart.ts'

export interface Chart {
  /** as the frame draws it */
  spec: JsonObject
  /** its title, or what it shows; may be empty */
  title: string
  subtitle: string
  /** the data: of the largest of its tables */
  rows: readonly Row[]
}

/** Also with comments, trailing commas, single quotes and NaN. */
function parse(code: string): unknown {
  try {
    return JSON.parse(code)
  } catch {
    return JSON5.parse(code)
  }
}

/** Reads a block of Vega-Lite. */
export function readChart(code: string): Chart | ChartProblem {
  let parsed: unknown
  try {
    parsed = parse(code)
  } catch (error) {
    const { lineNumber = 1, columnNumber = 1 } = error as { lineNumber?: number; columnNumber?: number }
    return { kind: 'syntax', line: lineNumber, column: columnNumber }
  }
  if (!isObject(parsed)) return { kind: 'noMark' }
  if (typeof parsed['$schema'] === 'string' && parsed['$schema'].includes('/schema/vega/'))
    return { kind: 'vega' }
  return checkChart(parsed) ?? prepareChart(parsed)
}
