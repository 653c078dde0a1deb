import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Blocks, Zap } from 'lucide-react'
import { type MouseEvent, Suspense, useEffect, useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { StatusIcon } from '../../../components/ui/status-icon.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'
import { Link } from '../../../lib/navigation/router.tsx'
import { getConnectionName, requiresAttention } from '../state/connection-status.ts'
import { integrationsQuery } from '../state/integrations-query.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { BadgeButton, MoreButton } from './badge-button.tsx'
import {
  type ConnectionSummary,
  getShortStatusLabel,
  maxBadges,
  maxTooltipLines,
  summariseConnections,
} from './connection-summary.ts'

const loadPopovers = () => import('./badge-popovers.tsx')
const BadgePopover = lazyComponent(loadPopovers, 'BadgePopover')
const MorePopover = lazyComponent(loadPopovers, 'MorePopover')

/** The integrations in the top bar: summary, badges and the link to the catalogue. */
export function TopBarIntegrations({ userId }: { userId: string }) {
  const { data, isPending } = useQuery(integrationsQuery(userId))
  const tools = useQuery(toolsQuery(userId))
  const now = useNow()
  const summary = summariseConnections(data ?? [], tools.data, now)
  const isClosed =
    useToolsAllowed() === 'none' && summary.connections.length + summary.customServers.length === 0
  if (isClosed) return null
  return (
    <>
      {isPending ? <Skeleton className="mx-2.5 w-28 max-sm:w-18" /> : data && <Chip {...summary} now={now} />}
      {summary.connections.length > 0 && <Badges connections={summary.connections} now={now} />}
      <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:hidden" />
      <Tooltip text={t`Connect and manage tools`}>
        <Link
          to={integrationsPath}
          aria-label={t`Tools`}
          aria-description={t`Connect and manage tools`}
          className="inline-flex h-8 items-center gap-2 rounded-sm px-2.5 text-sm font-medium text-ink-muted transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink max-sm:size-11 max-sm:justify-center max-sm:px-0 max-[359px]:w-9"
        >
          <Blocks aria-hidden size={16} className="max-sm:size-5" strokeWidth={1.75} />
          <span className="max-sm:hidden">{t`Tools`}</span>
        </Link>
      </Tooltip>
    </>
  )
}

function Chip({
  connections,
  customServers,
  activeText,
  capabilitiesText,
  worstStatus,
  now,
}: ConnectionSummary & { now: Date }) {
  const isEmpty = connections.length + customServers.length === 0
  const link = (
    <Link
      to={integrationsPath}
      className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-ink-muted transition-colors duration-(--duration-fast) hover:bg-surface-hover hover:text-ink max-sm:h-11 max-sm:px-2 max-sm:text-xs max-sm:whitespace-normal"
    >
      <Zap aria-hidden size={16} className="shrink-0 text-ink-faint max-[419px]:hidden" />
      <span>{isEmpty ? t`Connect Tools` : activeText}</span>
      {!isEmpty && (
        <>
          {capabilitiesText !== undefined && (
            <span className="font-normal max-md:hidden">
              <span aria-hidden className="me-1.5">
                ·
              </span>
              {capabilitiesText}
            </span>
          )}
          {(worstStatus === 'warn' || worstStatus === 'bad') && (
            <StatusIcon variant={worstStatus} className="-me-0.5 sm:hidden" />
          )}
        </>
      )}
    </Link>
  )
  const tooltip = <ChipTooltip connections={connections} customServers={customServers} now={now} />
  return isEmpty ? link : <Tooltip text={tooltip}>{link}</Tooltip>
}

/** The first connections and custom servers, each with its status. */
export function ChipTooltip({
  connections,
  customServers,
  now,
}: {
  connections: readonly Connection[]
  customServers: readonly IntegrationTools[]
  now: Date
}) {
  const lines = [
    ...connections.map((connection) => ({
      id: connection.id,
      name: getConnectionName(connection),
      status: getShortStatusLabel(connection.health_status, {
        requiresAttention: requiresAttention(connection, now),
      }),
    })),
    ...customServers.map(({ id, name, health_status }) => ({
      id,
      name,
      status: getShortStatusLabel(health_status),
    })),
  ]
  return (
    <span className="grid gap-0.5">
      {lines.slice(0, maxTooltipLines).map(({ id, name, status }) => (
        <span key={id} className="flex justify-between gap-4">
          <span className="truncate">{name}</span>
          <span className="opacity-75">{status}</span>
        </span>
      ))}
      {lines.length > maxTooltipLines && (
        <span>
          {plural(
            { count: lines.length - maxTooltipLines },
            { one: '+# more integration', other: `+# more integrations` },
          )}
        </span>
      )}
    </span>
  )
}

/** The last opened popover; it stays mounted while it closes. */
interface OpenedPopover {
  /** the integration's id, or `more` */
  readonly id: string
  readonly button: HTMLElement
  readonly open: boolean
}

const moreId = 'more'

/**
 * The badges of connections; hidden on phones. The code of the popovers loads later: the buttons are there before it, so that a click counts
 * and no focus is lost.
 */
function Badges({ connections, now }: { connections: readonly Connection[]; now: Date }) {
  const [opened, setOpened] = useState<OpenedPopover>()
  useEffect(() => {
    // a load error is reported by the first click
    void whenIdle().then(() => loadPopovers().catch(() => undefined))
  }, [])
  const otherConnections = connections.slice(maxBadges)
  const openedConnection = connections.find(({ id }) => id === opened?.id)
  const buttonProps = (id: string) => ({
    'aria-expanded': opened?.id === id && opened.open,
    onClick: ({ currentTarget: button }: MouseEvent<HTMLElement>) =>
      setOpened((before) => ({ id, button, open: before?.id !== id || !before.open })),
  })
  const change = (open: boolean) => setOpened((before) => before && { ...before, open })
  return (
    <span
      role="group"
      aria-label={t`Connected integrations`}
      className="flex items-center gap-0.5 max-sm:hidden"
    >
      {connections.slice(0, maxBadges).map((connection) => (
        <BadgeButton key={connection.id} connection={connection} now={now} {...buttonProps(connection.id)} />
      ))}
      {otherConnections.length > 0 && <MoreButton count={otherConnections.length} {...buttonProps(moreId)} />}
      {opened && (
        <Suspense>
          {openedConnection ? (
            <BadgePopover
              key={opened.id}
              {...opened}
              connection={openedConnection}
              now={now}
              onOpenChange={change}
            />
          ) : (
            opened.id === moreId &&
            otherConnections.length > 0 && (
              <MorePopover {...opened} connections={otherConnections} now={now} onOpenChange={change} />
            )
          )}
        </Suspense>
      )}
    </span>
  )
}
