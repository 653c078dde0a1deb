import JSON5 from 'json5'
import { checkChart, type ChartProblem } from './check-chart.ts'
import { isObject, type JsonObject, type Row, isNestedTooDeep } from './chart-data.ts'
import { prepareChart } from './prepare-chart.ts'

/** A chart that can be drawn. */
export interface Chart {
  /** the specification as the frame gets it */
  spec: JsonObject
  /** its title, otherwise its description; may be empty */
  title: string
  subtitle: string
  /** the rows of its largest table, as they stand in the block */
  rows: readonly Row[]
}

/** JSON5 is slow: longer code is parsed as JSON only. */
const maxTolerantCharacters = 200_000

/** Parses JSON; if it is not too long, also with comments, trailing commas, single quotes and NaN (JSON5). @throws SyntaxError */
function parse(code: string): unknown {
  try {
    return JSON.parse(code)
  } catch (error) {
    if (code.length > maxTolerantCharacters) throw error
    return JSON5.parse(code)
  }
}

/**
 * Reads from an error where the mistake is: browsers may have it in the message, JSON5 has it in properties; otherwise the beginning. The
 * message goes first: in Firefox the same properties say where the program calls the parser.
 */
function findMistake(error: unknown): { line: number; column: number } {
  const {
    lineNumber = 1,
    columnNumber = 1,
    message = '',
  } = error as {
    lineNumber?: number
    columnNumber?: number
    message?: string
  }
  const [, line = lineNumber, column = columnNumber] = /line (\d+) column (\d+)/.exec(message) ?? []
  return { line: Number(line), column: Number(column) }
}

/** Reads a block of Vega-Lite. @returns the chart, or the first problem that keeps it from being drawn */
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
  const deepKey = Object.keys(parsed).find((key) => isNestedTooDeep(parsed[key]))
  if (deepKey !== undefined) return { kind: 'tooLarge', path: deepKey }
  return checkChart(parsed) ?? prepareChart(parsed)
}
