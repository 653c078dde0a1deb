import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Blocks, Zap } from 'lucide-react'
import { Suspense, useEffect, useState, type MouseEvent, type ComponentProps } from 'react'
import { Link } from '../../../lib/navigation/router.tsx'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import type { Connection } from '#shared/contracts/integrations.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { integrationsQuery, isConnected } from '../state/integrations-query.ts'
import {
  getConnectionName,
  requiresAttention,
  getStatusVariant,
  getStatusLabel,
} from '../state/connection-status.ts'
import { StatusIcon, type StatusVariant } from '../../../components/ui/status-icon.tsx'
import { useNow } from '../../../lib/browser/use-now.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'
import { toolsQuery, listCustomServers } from '../state/tools-query.ts'
import { getNameLetters } from '../../../components/name-tile.tsx'
import { IntegrationTile } from '../components/integration-tile.tsx'

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
    // one door to tools: the three controls share an outline, and have none of their own
    <div className="flex min-w-0 items-center rounded-md sm:hairline">
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
    </div>
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

/** A round badge with two letters and a status dot. */
function BadgeButton({
  connection,
  now,
  ...rest
}: { connection: Connection; now: Date } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={`${getNameLetters(connection.mcp_name)}, ${getConnectionName(connection)}: ${getStatusLabel(connection, now)}`}
      className="group relative grid size-9 shrink-0 place-items-center rounded-full"
    >
      <IntegrationTile
        isRound
        name={connection.mcp_name}
        className="group-hover:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)] group-aria-expanded:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)]"
      />
      <StatusIcon
        variant={getStatusVariant(connection, now)}
        sizePx={11}
        className="absolute end-0.5 bottom-0.5 overflow-visible stroke-surface stroke-[4px] [paint-order:stroke] [stroke-linejoin:round]"
      />
    </button>
  )
}

/** The button that lists the integrations without a badge. */
function MoreButton({ count, ...rest }: { count: number } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={plural(count, { one: '+# more integration', other: `+# more integrations` })}
      className="h-8 rounded-sm px-2 text-sm text-ink-muted hover:bg-surface-hover hover:text-ink"
    >
      +{count}
    </button>
  )
}

/** How many connections have a badge of their own; the others are in a list. */
const maxBadges = 3
/** How many connections and custom servers the tooltip names. */
const maxTooltipLines = 5

/** The summary of a user's connections in the top bar. */
interface ConnectionSummary {
  connections: readonly Connection[]
  customServers: readonly IntegrationTools[]
  activeText: string
  /** undefined until known */
  capabilitiesText: string | undefined
  /** the most severe status, shown on the chip on phones */
  worstStatus: StatusVariant
}

const severity: readonly StatusVariant[] = ['off', 'ok', 'warn', 'bad']

/** Summarises the connections. @param tools undefined until known */
function summariseConnections(
  allConnections: readonly Connection[],
  tools: readonly IntegrationTools[] | undefined,
  now: Date,
): ConnectionSummary {
  const connections = allConnections.filter(isConnected)
  const customServers = listCustomServers(tools)
  // a connection may have ended since the tools were listed
  const listed = tools?.filter(({ id }) => connections.some(({ mcp_id }) => mcp_id === id))
  const capabilities = listed && countCapabilities([...listed, ...customServers])
  const worstStatus = connections
    .map((connection) => getStatusVariant(connection, now))
    .reduce<StatusVariant>((a, b) => (severity.indexOf(b) > severity.indexOf(a) ? b : a), 'off')
  return {
    connections,
    customServers,
    activeText: t`${{ count: connections.length + customServers.length }} Active`,
    capabilitiesText: capabilities === undefined ? undefined : formatCapabilities(capabilities),
    worstStatus,
  }
}

/**
 * The status of a connection in one word: “Active” or “Attention”.
 * @param options.requiresAttention whether the user has to do something although the service works, such as to renew an access that ends soon
 */
const getShortStatusLabel = (
  health: Connection['health_status'],
  { requiresAttention = false }: { requiresAttention?: boolean } = {},
): string =>
  health === 'attention' || requiresAttention ? t`Attention` : t({ message: 'Active', context: 'connection' })

/** Such as '3 capabilities'; without a number if there are none. */
const formatCapabilities = (count: number): string =>
  count === 0 ? t`powerful capabilities` : plural({ count }, { one: '# capability', other: '# capabilities' })

/** The number of tools of all connections together. */
const countCapabilities = (tools: readonly IntegrationTools[]): number =>
  tools.reduce((sum, { capabilities }) => sum + capabilities.length, 0)
