import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { RefreshCw } from 'lucide-react'
import { Fragment, memo } from 'react'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { AuthTypeBadge, CardStatus, LocalServerBadge, LocalServerNote, Namespace } from './card-parts.tsx'
import { EnvironmentBadge } from '../connect/environment-badge.tsx'
import {
  getCardName,
  getConnectMode,
  hasConnection,
  describeAuthType,
  supportsSandbox,
  type CatalogueCard,
} from '../state/catalogue-cards.ts'
import { getCardStatus, isStale } from '../state/connection-status.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { ToolUsage } from './tool-usage.tsx'
import { formatCatalogueUpdate } from '../state/date-labels.ts'
import type { ConnectionActivity } from '../connect/use-connections.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { translateName } from '../../../lib/translate-name.ts'
import { formatList } from '../../../lib/locale.ts'
import { Card } from '../../../components/ui/card.tsx'

const maxFeatures = 3

/** What the buttons of a card do. The functions must be stable: cards are memoised. */
export interface CardActions {
  /** connects, after a setup dialog if input is needed */
  onConnect: (card: CatalogueCard) => void
  /** opens the setup dialog even if no input is needed */
  onSetup: (card: CatalogueCard) => void
  /** asks for confirmation */
  onDisconnect: (card: CatalogueCard) => void
  onRefresh: (mcpId: string) => void
}

/** A card of the catalogue: what an integration offers, its status and its actions. */
export const IntegrationCard = memo(function IntegrationCard({
  card,
  tools,
  activity,
  now,
  onConnect,
  onSetup,
  onDisconnect,
  onRefresh,
}: {
  card: CatalogueCard
  /** its tools, once known */
  tools: IntegrationTools | undefined
  activity: ConnectionActivity | undefined
  now: Date
} & CardActions) {
  const { entry, environment, connection } = card
  const isSandbox = environment === 'sandbox'
  const status = getCardStatus(connection, now)
  const connected = connection?.status === 'connected'
  const canDisconnect = hasConnection(card)
  const stale = connected && isStale(connection, now)
  const invalid = connected && connection.token_status === 'invalid'
  const canRefresh = stale && connection.refreshable
  // tokens that cannot be refreshed need a new connection
  const needsReconnect = invalid || (stale && !canRefresh)
  const action =
    activity === 'connecting' ? t`Connecting…` : needsReconnect ? t`Reconnect` : getConnectLabel(card)
  const features = entry.config.features.map((feature) => translateName(feature))
  const description = translateName(entry.description)
  const isLocal = runsLocally(entry)
  const canConnect = !isLocal && (needsReconnect || !connected)
  const name = getCardName(card)
  /** a connection has one action at a time: the buttons of the others are disabled meanwhile */
  const isBusyWithOther = (own: ConnectionActivity) => activity !== undefined && activity !== own
  const ownCredentials = canConnect ? getOwnCredentials(card) : undefined
  return (
    <article
      aria-label={name}
      className={clsx(
        'group grid min-w-0 grid-cols-[40px_minmax(0,1fr)_auto] sm:grid-cols-[40px_minmax(7.25rem,1fr)_auto] content-start items-start gap-x-3 rounded-lg p-4 transition-shadow duration-(--duration-fast) [contain-intrinsic-size:auto_7.5rem] [content-visibility:auto]',
        isSandbox
          ? 'border border-dashed border-line-strong p-[15px] hover:border-line-control'
          : 'bg-surface-raised hairline hover:[--hairline:var(--color-line-strong)]',
        !isSandbox && status.variant === 'warn' && '[--hairline:var(--color-warning-line)]',
        !isSandbox && status.variant === 'bad' && '[--hairline:var(--color-danger-line)]',
      )}
    >
      <IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />
      <div className="min-w-0 text-sm">
        <div className="flex min-w-0 items-center gap-2">
          <h3
            className="truncate text-ui font-medium"
            title={`${entry.name} · ${formatCatalogueUpdate(entry.updated_at)}`}
          >
            {entry.name}
          </h3>
          {supportsSandbox(entry) && <EnvironmentBadge isSandbox={isSandbox} />}
        </div>
        {entry.namespace !== undefined && <Namespace name={entry.namespace} />}
        <CardStatus
          variant={status.variant}
          text={isLocal ? t`Cannot be connected here` : status.text}
          activity={activity}
        />
      </div>
      {/* the action that makes the connection work comes first */}
      <div className="-my-0.5 flex flex-wrap items-center justify-end gap-1">
        {isLocal && entry.open_url !== null && (
          <a
            href={entry.open_url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t`Documentation of ${name}`}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: '-me-2' })}
          >
            {t`Documentation`}
          </a>
        )}
        {canRefresh && (
          <Button
            variant="primary"
            size="sm"
            busy={activity === 'refreshing'}
            disabled={isBusyWithOther('refreshing')}
            aria-label={t`Refresh ${name}`}
            onClick={() => onRefresh(card.id)}
          >
            {activity !== 'refreshing' && <RefreshCw aria-hidden size={16} />}
            {t`Refresh`}
          </Button>
        )}
        {canConnect && (
          <Button
            variant={needsReconnect ? 'primary' : 'soft'}
            size="sm"
            busy={activity === 'connecting'}
            disabled={isBusyWithOther('connecting')}
            aria-label={t`${action} ${name}`}
            onClick={() => onConnect(card)}
          >
            {action}
          </Button>
        )}
        {canDisconnect && (
          <Button
            variant="ghost"
            size="sm"
            busy={activity === 'disconnecting'}
            disabled={isBusyWithOther('disconnecting')}
            aria-label={t`Disconnect ${name}`}
            onClick={() => onDisconnect(card)}
            className="-me-2"
          >
            {t`Disconnect`}
          </Button>
        )}
        {ownCredentials && (
          <Button
            variant="ghost"
            size="sm"
            disabled={activity !== undefined}
            aria-label={ownCredentials === 'app' ? t`Use own app for ${name}` : t`Use own key for ${name}`}
            onClick={() => onSetup(card)}
            className="-me-2"
          >
            {ownCredentials === 'app' ? t`Own app` : t`Own key`}
          </Button>
        )}
      </div>
      <div className="col-span-3 mt-2 grid min-w-0 gap-px text-sm">
        <p className="truncate text-ink-muted" dir="auto" title={description}>
          {description}
        </p>
        <div className="flex min-h-5 min-w-0 items-center gap-1.5 text-xs text-ink-faint">
          <p className="truncate">
            {features.slice(0, maxFeatures).map((feature, index) => (
              <Fragment key={feature}>
                {index > 0 && <span aria-hidden> · </span>}
                <span>{feature}</span>
              </Fragment>
            ))}
          </p>
          {features.length > maxFeatures && (
            <span className="shrink-0" title={formatList(features.slice(maxFeatures))}>
              {t`+${{ count: features.length - maxFeatures }} more`}
            </span>
          )}
          <span className="ms-auto shrink-0 ps-2">
            {isLocal ? <LocalServerBadge /> : <AuthTypeBadge {...describeAuthType(card)} />}
          </span>
        </div>
        {isLocal ? (
          <LocalServerNote />
        ) : connected && connection.reconnect ? (
          <p className="wrap-anywhere text-danger-ink">
            {translateSentence(describeReconnectReason(name, connection.reconnect))}
          </p>
        ) : isSandbox && canDisconnect ? (
          <p className="text-ink-muted">{t`Credentials of the sandbox are stored. Disconnect removes them.`}</p>
        ) : (
          <ToolUsage entry={entry} connected={connected} tools={tools} now={now} />
        )}
      </div>
    </article>
  )
})

/** “Setup” if the user has to register an OAuth app first, otherwise “Connect”. */
function getConnectLabel(card: CatalogueCard): string {
  return card.entry.auth_type === 'oauth2' && !getConnectMode(card) ? t`Setup ~5 mins` : t`Connect`
}

/** The credentials that a user may enter instead of those of the operator: an OAuth app or a key. @returns undefined if there is no choice */
function getOwnCredentials(card: CatalogueCard): 'app' | 'key' | undefined {
  const { entry } = card
  if (!entry.one_click || getConnectMode(card) !== 'oauth' || !entry.setup) return undefined
  return entry.auth_type === 'oauth2' ? 'app' : 'key'
}

/** The placeholder of a loading card. */
export function CardSkeleton() {
  return (
    <Card aria-hidden className="grid h-30 grid-cols-[40px_minmax(0,1fr)_auto] items-start gap-x-3 p-4">
      <Skeleton className="size-10 rounded-md" />
      <div className="grid gap-2.5 pt-1">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-2.5 w-32" />
        <Skeleton className="h-2.5 w-full" />
        <Skeleton className="h-2 w-3/5" />
      </div>
      <Skeleton className="h-8 w-24 rounded-sm" />
    </Card>
  )
}
