import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ArrowLeft, ChevronDown, Ellipsis, FlaskConical, Plus, RefreshCw } from 'lucide-react'
import { Link } from '../../../lib/navigation/router.tsx'
import type { SyncStatus } from '#shared/contracts/registry.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { announce } from '../../../lib/browser/announce.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { useBackToChat } from '../../../lib/navigation/use-back-to-chat.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { phoneQuery, useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import { formatLastSync, formatMoment } from '../state/date-labels.ts'
import { useSync } from './use-sync.ts'

interface CatalogueHeaderProps {
  /** number of entries in the catalogue; undefined until known */
  availableCount: number | undefined
  status: SyncStatus | undefined
  now: Date
  /** undefined: there is nothing to add or to see */
  customLabel: string | undefined
  onAddCustom: () => void
}

/** The page header: catalogue size and age, the sync buttons and Add Custom. */
export function CatalogueHeader({
  availableCount,
  status,
  now,
  customLabel,
  onAddCustom,
}: CatalogueHeaderProps) {
  const { path: chatPath, onBack } = useBackToChat()
  return (
    <header className="sticky top-0 z-(--z-topbar) border-b border-line bg-surface">
      <div className="mx-auto flex min-h-18 max-w-[calc(var(--width-grid)+3rem)] flex-wrap items-center gap-3 px-6 py-3 max-sm:min-h-15 max-sm:flex-nowrap max-sm:gap-1 max-sm:px-4 max-sm:py-2">
        <Link
          to={chatPath}
          onClick={onBack}
          aria-label={t`Back to chat`}
          title={t`Back to chat (Escape)`}
          className="-ms-2 inline-grid size-9 shrink-0 place-items-center rounded-sm text-ink-muted hover:bg-surface-hover hover:text-ink max-sm:-ms-3 max-sm:size-11"
        >
          <ArrowLeft aria-hidden size={20} strokeWidth={1.75} />
        </Link>
        <div className="min-w-60 flex-1 max-sm:min-w-0">
          <div className="flex items-center gap-2">
            <h1 className="truncate text-lg font-semibold tracking-tight">{t`MCP Integrations`}</h1>
            <DemoProviders />
          </div>
          <CatalogueInfo availableCount={availableCount} status={status} now={now} />
        </div>
        <SyncButtons />
        {customLabel !== undefined && <AddCustomButton label={customLabel} onClick={onAddCustom} />}
      </div>
    </header>
  )
}

/** The button that refreshes the catalogue, and the menu with further ways to update it; on a phone all are in the menu. */
function SyncButtons() {
  const { refresh, more } = useSyncActions()
  const isPhone = useMediaQuery(phoneQuery)
  const inMenu = isPhone ? [refresh, ...more] : more
  const isSyncing = inMenu.some(({ isBusy }) => isBusy)
  return (
    <div
      role="group"
      aria-label={t`Sync`}
      className="flex rounded-md border border-line-strong bg-surface-raised max-sm:border-0 max-sm:bg-transparent"
    >
      <button
        type="button"
        aria-busy={refresh.isBusy || undefined}
        onClick={refresh.run}
        className={clsx(splitClass, 'gap-2 rounded-s-md px-3.5 max-sm:hidden')}
      >
        {refresh.isBusy ? <Spinner /> : <RefreshCw aria-hidden size={16} />}
        {refresh.label}
      </button>
      <Menu>
        <MenuTrigger
          aria-label={t`Sync: more`}
          aria-busy={isSyncing || undefined}
          className={clsx(
            splitClass,
            'rounded-e-md border-s border-line px-2 max-sm:size-11 max-sm:rounded-sm max-sm:border-0',
          )}
        >
          {isSyncing ? (
            <Spinner />
          ) : (
            <>
              <ChevronDown aria-hidden size={16} className="max-sm:hidden" />
              <Ellipsis aria-hidden size={20} strokeWidth={1.75} className="sm:hidden" />
            </>
          )}
        </MenuTrigger>
        <MenuContent align="end">
          {inMenu.map((action) => (
            <SyncItem key={action.label} {...action} />
          ))}
        </MenuContent>
      </Menu>
    </div>
  )
}

const splitClass =
  'inline-flex h-9.5 cursor-pointer items-center justify-center text-ui font-medium whitespace-nowrap text-ink-muted transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink focus-visible:-outline-offset-2'

interface SyncAction {
  label: string
  /** what it does, where the name does not say it */
  hint?: string
  isBusy: boolean
  run: () => void
}

/** The button for Refresh, which people look for, and the further ways to update the catalogue, which are in a menu. */
function useSyncActions(): { refresh: SyncAction; more: SyncAction[] } {
  const force = useSync('force')
  const enhanced = useSync('enhanced')
  const github = useSync('github')
  const refresh = useSync('refresh')
  const action = (label: string, sync: typeof force, hint?: string): SyncAction => ({
    label,
    ...(hint !== undefined && { hint }),
    isBusy: sync.isBusy,
    run: () => sync.start(),
  })
  return {
    refresh: action(t`Refresh`, refresh),
    more: [
      action(t`Force`, force, t`Reads everything again, also within a day of the last sync.`),
      action(t`Enhanced Sync`, enhanced, t`Reads what has changed, from all sources.`),
      action(t`GitHub`, github, t`Reads what has changed in the list on GitHub.`),
    ],
  }
}

function SyncItem({ label, hint, isBusy, run }: SyncAction) {
  return (
    <MenuItem onSelect={run} aria-label={label} aria-description={hint} icon={isBusy && <Spinner />}>
      <span className="grid">
        {label}
        {hint !== undefined && <span className="text-sm text-ink-muted">{hint}</span>}
      </span>
    </MenuItem>
  )
}

/** Opens the dialog of custom tools; on a phone it is an icon. */
function AddCustomButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <>
      <Button onClick={onClick} className="max-sm:hidden">
        <Plus aria-hidden size={16} />
        {label}
      </Button>
      <span className="sm:hidden">
        <IconButton
          label={label}
          tooltip={false}
          icon={<Plus size={20} strokeWidth={1.75} />}
          onClick={onClick}
        />
      </span>
    </>
  )
}

function CatalogueInfo({
  availableCount,
  status,
  now,
}: Pick<CatalogueHeaderProps, 'availableCount' | 'status' | 'now'>) {
  if (availableCount === undefined && !status) return <Skeleton className="my-1.5 h-2.5 w-52" />
  return (
    <p className="text-sm text-ink-muted max-sm:text-xs sm:truncate">
      {availableCount !== undefined && t`${{ count: formatCount(availableCount) }} available`}
      {status && (
        <>
          {availableCount !== undefined && ' · '}
          <span title={formatMoment(status.lastSync)}>
            {t`Last sync ${{ age: formatLastSync(status.lastSync, now) }}`}
          </span>
          {` · ${plural({ count: status.totalServers }, { one: '# server', other: '# servers' })}`}
        </>
      )}
    </p>
  )
}

const demoExplanation = t`Connections go to simulated providers until real ones are configured.`

/** Shown while the providers are simulated. */
function DemoProviders() {
  const config = useConfig()
  if (!config?.demo.providers) return null
  return (
    <Tooltip text={demoExplanation} onPress="opens">
      <button
        type="button"
        aria-label={t`Demo providers`}
        // a tooltip that opens by a press announces nothing
        onClick={() => announce(demoExplanation)}
        className="shrink-0 cursor-help rounded-chip max-[359px]:hidden"
      >
        <Badge variant="warning-outline">
          <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
          <span className="max-lg:hidden">{t`Demo providers`}</span>
        </Badge>
      </button>
    </Tooltip>
  )
}
