import clsx from 'clsx'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { listColumns } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import type { ChartProblem } from './check-chart.ts'
import { buildChartImage } from './export-chart.ts'
import { readChart, type Chart } from './read-chart.ts'
import { describeProblem } from './describe-problem.ts'
import { cardClass } from '../../../components/ui/card-class.ts'

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
