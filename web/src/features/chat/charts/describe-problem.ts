import { t } from '@lingui/core/macro'
import { truncate } from '#shared/truncate.ts'
import { formatCount, formatList } from '../../../lib/text/locale.ts'
import { chartLimits, type ChartProblem } from './check-chart.ts'

/** A sentence quotes no more of a text: a path, a name or a value may be as long as the block. */
const maxQuotedCharacters = 60

const quote = (text: string) => truncate(text, maxQuotedCharacters)

/** Says why a chart is not drawn. Words of the specification are quoted as they are, but shortened. */
export function describeProblem(problem: ChartProblem): string {
  switch (problem.kind) {
    case 'syntax': {
      const { line, column } = problem
      return t`This chart is not drawn: its JSON has a mistake in line ${line}, column ${column}.`
    }
    case 'vega':
      return t`This chart is not drawn: it is written in Vega. Charts are drawn from Vega-Lite.`
    case 'noMark': {
      const path = quote(problem.path)
      return path === ''
        ? t`This chart is not drawn: it has no "mark".`
        : t`This chart is not drawn: "${path}" has no "mark".`
    }
    case 'noData':
      return t`This chart is not drawn: it has no data. The rows have to stand in "data.values".`
    case 'stopped':
      return t`This chart was stopped: drawing it takes too long.`
    case 'refused': {
      const path = quote(problem.path)
      return t`This chart is not drawn: "${path}" is not allowed. A chart loads nothing, has no links and takes no input; its data stands in the block.`
    }
    case 'unknown': {
      const path = quote(problem.path)
      const value = quote(problem.value)
      const known = formatList(problem.known)
      return t`This chart is not drawn: "${path}" is "${value}". Known are ${known}.`
    }
    case 'noField': {
      const path = quote(problem.path)
      const field = quote(problem.field)
      const columns = formatList(problem.columns.map(quote))
      return t`This chart is not drawn: its data has no field "${field}" ("${path}"). It has ${columns}.`
    }
    case 'noNumbers': {
      const path = quote(problem.path)
      const field = quote(problem.field)
      const example = quote(problem.example)
      return t`This chart is not drawn: the field "${field}" ("${path}") has values that are no numbers, such as "${example}".`
    }
    case 'tooManyRows': {
      const count = formatCount(problem.count)
      const limit = formatCount(chartLimits.rows)
      return t`This chart is not drawn: it has ${count} rows, and at most ${limit} are drawn.`
    }
    case 'tooManyViews': {
      const count = formatCount(problem.count)
      const limit = formatCount(chartLimits.views)
      return t`This chart is not drawn: it has ${count} parts, and at most ${limit} are drawn.`
    }
    case 'tooLarge': {
      const path = quote(problem.path)
      return t`This chart is not drawn: "${path}" is too large.`
    }
    case 'library': {
      const { reason } = problem
      return reason === '' ? t`This chart could not be drawn.` : t`This chart could not be drawn: ${reason}`
    }
  }
}
