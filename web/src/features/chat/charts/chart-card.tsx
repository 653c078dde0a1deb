import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { chartFrameFile, type ChartMessage, type ChartRequest } from '#shared/chart-frame.ts'
import { truncate } from '#shared/truncate.ts'
import { DrawingFrame } from '../../../components/drawing-frame.tsx'
import { cardClass } from '../../../components/ui/card-class.ts'
import { useIsDark } from '../../../lib/browser/theme.ts'
import { formatCount, formatList, language, locale } from '../../../lib/text/locale.ts'
import { listenToFrame } from '../listen-to-frame.ts'
import { listColumns } from './chart-data.ts'
import { ChartTable } from './chart-table.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { chartLimits, type ChartProblem } from './check-chart.ts'
import { buildChartImage } from './export-chart.ts'
import { type Chart, readChart } from './read-chart.ts'

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

/** A chart without a title is named by its first columns. */
const maxColumnsInName = 5

/** Whether a chart is drawn, or why not. While it is being drawn there is neither. */
export interface ChartState {
  isDrawn: boolean
  problem?: string
}

interface ChartCardProps {
  code: string
  /** whether the user has chosen to see the code below the card */
  wantsCode?: boolean
  /** absent where there is no such choice, as in the preview panel */
  onWantsCodeChange?: (wantsCode: boolean) => void
  onStateChange: (state: ChartState) => void
}

/**
 * The chart that a block of Vega-Lite describes, or its data as a table. Takes no space until it is drawn, and renders nothing if it cannot be.
 * Needs the code as `key`, because a failure is that of one code.
 */
export function ChartCard({ code, onStateChange, ...rest }: ChartCardProps) {
  const chart = useMemo(() => readChart(code), [code])
  const [failure, setFailure] = useState<ChartProblem>()
  const problem = 'kind' in chart ? chart : failure
  const report = useEffectEvent((cause: ChartProblem) =>
    onStateChange({ isDrawn: false, problem: describeProblem(cause) }),
  )
  useEffect(() => {
    if (problem) report(problem)
  }, [problem])
  if (problem || 'kind' in chart) return null
  return (
    <DrawableChart
      {...rest}
      code={code}
      chart={chart}
      onDrawn={() => onStateChange({ isDrawn: true })}
      onProblem={setFailure}
    />
  )
}

interface DrawableChartProps extends Omit<ChartCardProps, 'onStateChange'> {
  chart: Chart
  onDrawn: () => void
  onProblem: (problem: ChartProblem) => void
}

/** A chart without problems, with its toolbar. */
function DrawableChart({
  code,
  chart,
  wantsCode,
  onWantsCodeChange,
  onDrawn,
  onProblem,
}: DrawableChartProps) {
  const { rows, title } = chart
  const card = useRef<HTMLDivElement>(null)
  const [svg, setSvg] = useState<string>()
  const [wantsTable, setWantsTable] = useState(false)
  const name = title || listColumns(rows).slice(0, maxColumnsInName).join(', ')
  const frameTitle = name === '' ? t`Chart` : t`Chart: ${name}`
  return (
    <div
      ref={card}
      {...(svg !== undefined && { role: 'group', 'aria-label': frameTitle })}
      className={svg === undefined ? 'h-0' : clsx(cardClass, '@container relative overflow-hidden')}
    >
      {svg !== undefined && (
        <ChartToolbar
          code={code}
          chart={chart}
          wantsCode={wantsCode}
          onWantsCodeChange={onWantsCodeChange}
          wantsTable={wantsTable}
          onWantsTableChange={setWantsTable}
          buildImage={() => {
            const { color, backgroundColor } = getComputedStyle(card.current ?? document.body)
            return buildChartImage(svg, title, { ink: color, surface: backgroundColor })
          }}
        />
      )}
      {/* rendered also while it is hidden: a copy of the reply has the table in place of the chart */}
      {rows.length > 0 && <ChartTable rows={rows} title={frameTitle} isHidden={!wantsTable} />}
      <ChartFrame
        chart={chart}
        title={frameTitle}
        isHidden={wantsTable}
        onDrawn={(drawing) => {
          setSvg(drawing)
          onDrawn()
        }}
        onProblem={onProblem}
      />
    </div>
  )
}

/** A frame that sends nothing for so long has crashed or will never finish. The first chart also loads the library in this time. */
const drawLimitMs = 20_000
/** The library's message is shown as one sentence. The frame is untrusted and may send any text. */
const maxReasonCharacters = 300

/** The names of aggregates in the page's language. In English the library's own names are used, of which it has more. */
const aggregates =
  language === 'en'
    ? undefined
    : {
        count: t`Number of entries`,
        distinct: t`Distinct values`,
        sum: t`Sum`,
        mean: t`Mean`,
        average: t`Mean`,
        median: t`Median`,
        min: t`Minimum`,
        max: t`Maximum`,
      }

interface ChartFrameProps {
  chart: Chart
  title: string
  isHidden: boolean
  /** @param svg the drawing; untrusted */
  onDrawn: (svg: string) => void
  onProblem: (problem: ChartProblem) => void
}

/** A chart. It is drawn in a sandboxed frame, because its specification is untrusted. */
function ChartFrame({ chart, title, isHidden, onDrawn, onProblem }: ChartFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  /** counts the documents that the frame has loaded */
  const [loadCount, setLoadCount] = useState(0)
  const [heightPx, setHeightPx] = useState<number>()
  /** of the newest request, so that a late answer to an earlier one is ignored */
  const requestId = useRef(0)
  const isDark = useIsDark()
  const reportDrawing = useEffectEvent(onDrawn)
  const reportProblem = useEffectEvent(onProblem)

  useEffect(() => {
    if (loadCount === 0) return
    const { spec } = chart
    const id = (requestId.current += 1)
    const request: ChartRequest = { id, spec, isDark, locale, ...(aggregates && { aggregates }) }
    // to any origin, because the sandboxed document has none
    frame.current?.contentWindow?.postMessage(request, '*')
    const timer = setTimeout(() => reportProblem({ kind: 'stopped' }), drawLimitMs)
    const stopListening = listenToFrame<ChartMessage>(frame, (message) => {
      if (message?.state === 'drawn' && message.id === id && Number.isFinite(message.heightPx)) {
        clearTimeout(timer)
        setHeightPx(Number(message.heightPx))
        reportDrawing(String(message.svg))
      }
      if (message?.state === 'failed' && message.id === id) {
        clearTimeout(timer)
        reportProblem({ kind: 'library', reason: truncate(String(message.reason), maxReasonCharacters) })
      }
    })
    return () => {
      clearTimeout(timer)
      stopListening()
    }
  }, [loadCount, chart, isDark])

  useEffect(
    () =>
      listenToFrame<ChartMessage>(frame, (message) => {
        if (message?.state === 'ready') setLoadCount((count) => count + 1)
      }),
    [],
  )

  return (
    <DrawingFrame
      ref={frame}
      src={chartFrameFile}
      title={title}
      heightPx={heightPx}
      isHidden={isHidden}
      isDark={isDark}
    />
  )
}
