import clsx from 'clsx'
import { t } from '@lingui/core/macro'
import { CodeXml, Download, PanelRight, Sheet, Table2 } from 'lucide-react'
import { use, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { downloadBlob } from '../../../lib/download.ts'
import { PreviewContext } from '../preview-context.ts'
import { listColumns } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable, formatRowsAsCsv } from './chart-table.tsx'
import type { ChartProblem } from './check-chart.ts'
import { buildChartImage, createChartFileName, toPng, type ChartImage } from './export-chart.ts'
import { readChart, type Chart } from './read-chart.ts'
import { describeProblem } from './describe-problem.ts'
import { cardClass } from '../../../components/ui/card-class.ts'

const png = 'PNG'
const svgText = 'SVG'

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

/** The chart that a block of Vega-Lite describes, or its data as a table. Takes no space until it is drawn, and renders nothing if it cannot be. */
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
  const { rows, title, subtitle } = chart
  const card = useRef<HTMLDivElement>(null)
  const [svg, setSvg] = useState<string>()
  const [wantsTable, setWantsTable] = useState(false)
  const name = title || listColumns(rows).slice(0, 5).join(', ')
  const frameTitle = name === '' ? t`Chart` : t`Chart: ${name}`
  const frame = (
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
  )
  return (
    <div
      ref={card}
      role="group"
      aria-label={frameTitle}
      className={svg === undefined ? 'h-0' : clsx(cardClass, '@container relative overflow-hidden')}
    >
      {svg !== undefined && (
        <div className="flex min-h-11 items-center gap-0.5 py-1 pe-1.5 ps-4 print:[&_button]:hidden">
          <div className="min-w-0 flex-1 py-1.5" dir="auto">
            <b className="font-medium">{title || t`Chart`}</b>
            {subtitle !== '' && <span className="block text-sm text-ink-muted">{subtitle}</span>}
          </div>
          <div data-not-copied="" className="contents">
            {onWantsCodeChange && (
              <IconButton
                size="sm"
                label={t`Show code`}
                aria-pressed={wantsCode}
                icon={<CodeXml size={16} />}
                onClick={() => onWantsCodeChange(!wantsCode)}
                className="aria-pressed:text-accent-ink"
              />
            )}
            <IconButton
              size="sm"
              label={t`Show as table`}
              aria-pressed={wantsTable}
              icon={<Table2 size={16} />}
              onClick={() => setWantsTable(!wantsTable)}
              className="aria-pressed:text-accent-ink"
            />
            <Actions
              code={code}
              chart={chart}
              hasPreview={onWantsCodeChange !== undefined}
              buildPicture={() => {
                const { color, backgroundColor } = getComputedStyle(card.current ?? document.body)
                return buildChartImage(svg, title, { ink: color, surface: backgroundColor })
              }}
            />
          </div>
        </div>
      )}
      {/* also when it is hidden: a copy of the reply has the table in place of the chart */}
      {rows.length > 0 && <ChartTable rows={rows} title={frameTitle} isHidden={!wantsTable} />}
      {frame}
    </div>
  )
}

interface ActionsProps {
  code: string
  chart: Chart
  hasPreview: boolean
  buildPicture: () => ChartImage
}

/** The buttons that open the chart elsewhere or download it. Without a preview panel there is only the download. */
function Actions({ code, chart, hasPreview, buildPicture }: ActionsProps) {
  const previews = use(PreviewContext)
  const { title, rows } = chart
  return (
    <>
      {previews && hasPreview && (
        <Action
          label={t`Preview`}
          icon={<PanelRight size={16} />}
          onClick={(opener) => previews.open({ kind: 'vega-lite', code }, opener)}
        />
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="compact" aria-label={t`Download`} className={actionClass}>
            <Download size={16} />
            <ActionLabel>{t`Download`}</ActionLabel>
          </Button>
        </MenuTrigger>
        <MenuContent align="end" className="min-w-32">
          <MenuItem
            onSelect={() => {
              void toPng(buildPicture()).then(
                (blob) => downloadBlob(blob, createChartFileName(title, 'png')),
                () => showToast('error', t`Download failed`),
              )
            }}
          >
            {png}
          </MenuItem>
          <MenuItem
            onSelect={() =>
              downloadBlob(
                new Blob([buildPicture().svg], { type: 'image/svg+xml' }),
                createChartFileName(title, 'svg'),
              )
            }
          >
            {svgText}
          </MenuItem>
        </MenuContent>
      </Menu>
      {previews && rows.length > 0 && (
        <Action
          label={t`Open as table`}
          icon={<Sheet size={16} />}
          onClick={(opener) => previews.open({ kind: 'csv', code: formatRowsAsCsv(rows) }, opener)}
        />
      )}
    </>
  )
}

interface ActionProps {
  label: string
  icon: ReactNode
  onClick: (opener: HTMLElement) => void
}

const Action = ({ label, icon, onClick }: ActionProps) => (
  <Button
    variant="ghost"
    size="compact"
    aria-label={label}
    className={actionClass}
    onClick={({ currentTarget }) => onClick(currentTarget)}
  >
    {icon}
    <ActionLabel>{label}</ActionLabel>
  </Button>
)

const actionClass = 'max-sm:w-9'

/** The label of a button, hidden in a narrow card, where only its icon is shown. */
const ActionLabel = ({ children }: { children: ReactNode }) => (
  <span className="@max-[36rem]:sr-only">{children}</span>
)
