import { ArrowLeft, Ellipsis, FlaskConical, Plus, RefreshCw } from 'lucide-react'
import { Link } from 'react-router'
import type { SyncStatus } from '#shared/contracts/registry.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useConfig } from '../../../lib/config.ts'
import { locale } from '../../../lib/locale.ts'
import { formatLastSync } from '../state/date-labels.ts'
import { useSync } from './use-sync.ts'
import * as texts from './texts.ts'

interface CatalogueHeaderProps {
  /** number of entries in the catalogue; undefined until known */
  availableCount: number | undefined
  status: SyncStatus | undefined
  now: Date
  onAddCustom: () => void
}

/** The page header: catalogue size and age, the sync buttons and Add Custom. */
export function CatalogueHeader({ availableCount, status, now, onAddCustom }: CatalogueHeaderProps) {
  const buttons = useSyncButtons()
  return (
    <header className="sticky top-0 z-(--z-topbar) border-b border-line bg-surface">
      <div className="mx-auto flex min-h-18 max-w-[calc(var(--width-grid)+3rem)] flex-wrap items-center gap-3 px-6 py-3 max-sm:min-h-15 max-sm:flex-nowrap max-sm:gap-1 max-sm:px-4 max-sm:py-2">
        <Link
          to="/"
          aria-label={texts.backToChat}
          title={texts.backToChatWithKey}
          className="-ml-2 inline-grid size-9 shrink-0 place-items-center rounded-sm text-ink-muted hover:bg-surface-hover hover:text-ink max-sm:-ml-3 max-sm:size-11"
        >
          <ArrowLeft aria-hidden size={20} strokeWidth={1.75} />
        </Link>
        <div className="min-w-60 flex-1 max-sm:min-w-0">
          <div className="flex items-center gap-2">
            <h1 className="truncate text-lg font-semibold tracking-tight">{texts.title}</h1>
            <DemoProviders />
          </div>
          <CatalogueInfo availableCount={availableCount} status={status} now={now} />
        </div>
        <div
          role="group"
          aria-label={texts.sync}
          className="flex overflow-hidden rounded-md border border-line-strong bg-surface-raised max-lg:order-3 max-lg:w-full max-sm:hidden"
        >
          {buttons.map(({ label, icon, busy, run }) => (
            <button
              key={label}
              type="button"
              aria-busy={busy || undefined}
              onClick={run}
              className="inline-flex h-9.5 items-center justify-center max-lg:flex-1 gap-2 px-3.5 text-ui font-medium whitespace-nowrap text-ink-muted transition-colors duration-(--duration-fast) not-first:border-l not-first:border-line hover:bg-surface-hover hover:text-ink focus-visible:-outline-offset-2"
            >
              {busy ? <Spinner /> : icon}
              {label}
            </button>
          ))}
        </div>
        <Button onClick={onAddCustom} className="max-sm:hidden">
          <Plus aria-hidden size={16} />
          {texts.addCustom}
        </Button>
        <span className="flex sm:hidden">
          <IconButton
            label={texts.addCustom}
            tooltip={false}
            icon={<Plus size={20} strokeWidth={1.75} />}
            onClick={onAddCustom}
          />
          <Menu>
            <MenuTrigger asChild>
              <IconButton
                label={texts.syncActions}
                tooltip={false}
                icon={<Ellipsis size={20} strokeWidth={1.75} />}
              />
            </MenuTrigger>
            <MenuContent>
              {buttons.map(({ label, icon, busy, run }) => (
                <MenuItem key={label} icon={busy ? <Spinner /> : icon} onSelect={run}>
                  {label}
                </MenuItem>
              ))}
            </MenuContent>
          </Menu>
        </span>
      </div>
    </header>
  )
}

function useSyncButtons() {
  const force = useSync('force')
  const enhanced = useSync('enhanced')
  const github = useSync('github')
  const refresh = useSync('refresh')
  const button = (label: string, sync: typeof force, icon?: React.ReactNode) => ({
    label,
    icon,
    busy: sync.isPending,
    run: () => {
      if (!sync.isPending) sync.mutate()
    },
  })
  return [
    button(texts.syncForce, force),
    button(texts.syncEnhanced, enhanced),
    button(texts.syncGithub, github),
    button(texts.syncRefresh, refresh, <RefreshCw aria-hidden size={16} />),
  ]
}

function CatalogueInfo({
  availableCount,
  status,
  now,
}: Pick<CatalogueHeaderProps, 'availableCount' | 'status' | 'now'>) {
  if (availableCount === undefined && !status) return <Skeleton className="my-1.5 h-2.5 w-52" />
  const lastSync = status?.lastSync ?? undefined
  return (
    <p className="text-sm text-ink-muted max-sm:text-xs sm:truncate">
      {availableCount !== undefined && texts.available(availableCount)}
      {status && (
        <>
          {availableCount !== undefined && ' · '}
          <span title={lastSync && new Date(lastSync).toLocaleString(locale)}>
            {texts.lastSync(formatLastSync(lastSync, now))}
          </span>
          {` · ${texts.serverCount(status.totalServers)}`}
        </>
      )}
    </p>
  )
}

/** Shown while the providers are simulated. */
function DemoProviders() {
  const config = useConfig()
  if (!config?.demo.providers) return null
  return (
    <Tooltip text={texts.demoProvidersHint} onPress="opens">
      <button
        type="button"
        aria-label={texts.demoProviders}
        className="shrink-0 cursor-help rounded-[6px] max-[359px]:hidden"
      >
        <Badge variant="warning-outline">
          <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
          <span className="max-sm:hidden">{texts.demoProviders}</span>
        </Badge>
      </button>
    </Tooltip>
  )
}
