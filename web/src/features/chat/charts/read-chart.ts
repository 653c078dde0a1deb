import JSON5 from 'json5'
import { checkChart, type ChartProblem } from './check-chart.ts'
import { isObject, type JsonObject, type Row } from './chart-data.ts'
import { dropSelections } from './drop-selections.ts'
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

/** The tolerant parser takes a second for some more. */
const maxTolerantCharacters = 200_000

/** Also with comments, trailing commas, single quotes and NaN. */
function parse(code: string): unknown {
  try {
    return JSON.parse(code)
  } catch (error) {
    if (code.length > maxTolerantCharacters) throw error
    return JSON5.parse(code)
  }
}

/** Where a parser found a mistake: JSON5 says so in properties, browsers in their messages. */
function findMistake(error: unknown): { line: number; column: number } {
  const {
    lineNumber,
    columnNumber,
    message = '',
  } = error as {
    lineNumber?: number
    columnNumber?: number
    message?: string
  }
  const [, line = 1, column = 1] = /line (\d+) column (\d+)/.exec(message) ?? []
  return { line: lineNumber ?? Number(line), column: columnNumber ?? Number(column) }
}

/** Reads a block of Vega-Lite. */
export function readChart(code: string): Chart | ChartProblem {
  let parsed: unknown
  try {
    parsed = parse(code)
  } catch (error) {
    return { kind: 'syntax', ...findMistake(error) }
  }
  if (!isObject(parsed)) return { kind: 'noMark', path: '' }
  if (typeof parsed['$schema'] === 'string' && parsed['$schema'].includes('/schema/vega/'))
    return { kind: 'vega' }
  const chart = dropSelections(parsed) as JsonObject
  return checkChart(chart) ?? prepareChart(chart)
}
