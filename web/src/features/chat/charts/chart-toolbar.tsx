import { t } from '@lingui/core/macro'
import { CodeXml, Download, PanelRight, Sheet, Table2 } from 'lucide-react'
import { use, type ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { PreviewContext } from '../preview-context.ts'
import { formatRowsAsCsv } from './chart-table.tsx'
import { createChartFileName, toPng, type ChartImage } from './export-chart.ts'
import type { Chart } from './read-chart.ts'

/** Names of formats, the same in every language. */
const pngName = 'PNG'
const svgName = 'SVG'

interface ChartToolbarProps extends ActionsProps {
  wantsCode: boolean | undefined
  /** absent where the user cannot choose to see the code, as in the preview panel */
  onWantsCodeChange: ((wantsCode: boolean) => void) | undefined
  wantsTable: boolean
  onWantsTableChange: (wantsTable: boolean) => void
}

/** The title of a drawn chart, and its buttons. */
export function ChartToolbar({
  chart,
  wantsCode,
  onWantsCodeChange,
  wantsTable,
  onWantsTableChange,
  ...actions
}: ChartToolbarProps) {
  const { title, subtitle } = chart
  return (
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
          onClick={() => onWantsTableChange(!wantsTable)}
          className="aria-pressed:text-accent-ink"
        />
        <Actions {...actions} chart={chart} isPreview={!onWantsCodeChange} />
      </div>
    </div>
  )
}

interface ActionsProps {
  code: string
  chart: Chart
  buildImage: () => ChartImage
}

/** The buttons that open the chart elsewhere or download it. Where blocks have no previews there is only the download. */
function Actions({ code, chart, isPreview, buildImage }: ActionsProps & { isPreview: boolean }) {
  const previews = use(PreviewContext)
  const { title, rows } = chart
  return (
    <>
      {previews && !isPreview && (
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
              void toPng(buildImage()).then(
                (blob) => downloadBlob(blob, createChartFileName(title, 'png')),
                (cause: unknown) => showToast('error', t`Download failed`, { cause }),
              )
            }}
          >
            {pngName}
          </MenuItem>
          <MenuItem
            onSelect={() =>
              downloadBlob(
                new Blob([buildImage().svg], { type: 'image/svg+xml' }),
                createChartFileName(title, 'svg'),
              )
            }
          >
            {svgName}
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
