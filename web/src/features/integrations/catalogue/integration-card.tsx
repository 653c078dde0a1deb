import clsx from 'clsx'
import { FlaskConical, HelpCircle, KeyRound, Laptop, LockOpen, RefreshCw, Tag } from 'lucide-react'
import { memo } from 'react'
import type { AuthType } from '#shared/contracts/registry.ts'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useBrand } from '../../../lib/config.ts'
import {
  cardName,
  connectsAtOnce,
  describeAuthType,
  environmentLabels,
  type CatalogueCard,
} from './catalogue-cards.ts'
import { cardStatus, isStale } from '../state/connection-status.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { StatusGlyph, type StatusTone } from '../components/status-icon.tsx'
import { ToolUsage } from './tool-usage.tsx'
import { updatedLabel } from '../state/date-labels.ts'
import type { Busy } from '../connect/use-connections.ts'

const shownFeatures = 3

export interface CardActions {
  /** opens the dialog, or connects at once where nothing has to be typed */
  onConnect: (card: CatalogueCard) => void
  /** opens the dialog also where nothing would have to be typed */
  onSetup: (card: CatalogueCard) => void
  /** asks first */
  onDisconnect: (card: CatalogueCard) => void
  onRefresh: (mcpId: string) => void
}

/** What one integration can do, what it needs, and how it stands (INT-14 to INT-23). */
export const IntegrationCard = memo(function IntegrationCard({
  card,
  tools,
  busy,
  now,
  onConnect,
  onSetup,
  onDisconnect,
  onRefresh,
}: {
  card: CatalogueCard
  /** what the assistant can do through it, once that is known */
  tools: IntegrationTools | undefined
  busy: Busy | undefined
  now: Date
} & CardActions) {
  const { entry, environment, integration } = card
  const sandbox = environment === 'sandbox'
  const status = cardStatus(integration, now)
  const connected = integration?.status === 'connected'
  const stale = connected && isStale(integration, now)
  const invalid = connected && integration.token_status === 'invalid'
  const canRefresh = stale && integration.refreshable
  // what cannot be renewed is connected again
  const reconnects = invalid || (stale && !canRefresh)
  const action = busy === 'connecting' ? 'Connecting...' : reconnects ? 'Reconnect' : connectLabel(card)
  const { features } = entry.config
  const local = runsLocally(entry)
  const name = cardName(card)
  return (
    <article
      aria-label={name}
      className={clsx(
        'group flex min-w-0 flex-col rounded-lg p-5 transition-shadow duration-(--duration-fast) [contain-intrinsic-size:auto_13.5rem] [content-visibility:auto]',
        sandbox
          ? 'border border-dashed border-line-strong p-[19px] hover:border-line-control'
          : 'bg-surface-raised hairline hover:[--hairline:var(--color-line-strong)]',
        !sandbox && status.tone === 'warn' && '[--hairline:var(--color-warning-line)]',
        !sandbox && status.tone === 'bad' && '[--hairline:var(--color-danger-line)]',
      )}
    >
      <div className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-start gap-x-3">
        <IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />
        <div className="min-w-0">
          <h2
            className="truncate text-base/5 font-semibold tracking-[-0.008em]"
            title={`${entry.name} · ${updatedLabel(entry.updated_at)}`}
          >
            {entry.name}
          </h2>
          {entry.namespace !== undefined && <Namespace name={entry.namespace} />}
          <CardStatus
            tone={status.tone}
            text={local ? 'Cannot be connected here' : status.text}
            busy={busy}
          />
        </div>
        <EnvironmentBadge sandbox={sandbox} />
      </div>
      <p
        className="mt-4 line-clamp-2 min-h-10 text-pretty wrap-anywhere text-ink-muted"
        title={entry.description}
      >
        {entry.description}
      </p>
      <div className="mt-3 flex min-h-[22px] items-center gap-1.5 max-sm:flex-wrap">
        {features.slice(0, shownFeatures).map((feature) => (
          <Badge key={feature} className="min-w-9 sm:shrink!">
            <span className="truncate">{feature}</span>
          </Badge>
        ))}
        {features.length > shownFeatures && (
          <span
            className="shrink-0 px-0.5 text-xs text-ink-faint"
            title={features.slice(shownFeatures).join(', ')}
          >
            +{features.length - shownFeatures} more
          </span>
        )}
      </div>
      {local ? (
        <LocalServerNote />
      ) : connected && integration.reconnect ? (
        <p className="mt-3 text-sm wrap-anywhere text-danger-ink">
          {reconnectSentence(name, integration.reconnect)}
        </p>
      ) : (
        <ToolUsage entry={entry} connected={connected} tools={tools} now={now} />
      )}
      <div className="mt-auto flex items-center justify-between gap-2 pt-5">
        {local ? <LocalServerBadge /> : <AuthTypeBadge {...describeAuthType(card)} />}
        <span className="flex shrink-0 items-center gap-1">
          {local && entry.open_url !== null && (
            <a
              href={entry.open_url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`Documentation of ${name}`}
              className={buttonClass({ tone: 'ghost', size: 'sm', className: '-mr-3' })}
            >
              Documentation
            </a>
          )}
          {connected && (
            <Button
              tone="ghost"
              size="sm"
              busy={busy === 'disconnecting'}
              aria-label={`Disconnect ${name}`}
              onClick={() => onDisconnect(card)}
              className={!stale && !reconnects ? '-mr-3' : undefined}
            >
              Disconnect
            </Button>
          )}
          {canRefresh && (
            <Button
              tone="primary"
              size="sm"
              busy={busy === 'refreshing'}
              aria-label={`Refresh ${name}`}
              onClick={() => onRefresh(card.id)}
            >
              {busy !== 'refreshing' && <RefreshCw aria-hidden size={16} />}
              Refresh
            </Button>
          )}
          {!local && (reconnects || !connected) && ownWayLabel(card) !== undefined && (
            <Button
              tone="ghost"
              size="sm"
              disabled={busy === 'connecting'}
              aria-label={`Use ${ownWayLabel(card)?.toLowerCase()} for ${name}`}
              onClick={() => onSetup(card)}
            >
              {ownWayLabel(card)}
            </Button>
          )}
          {!local && (reconnects || !connected) && (
            <Button
              tone={reconnects ? 'primary' : 'soft'}
              size="sm"
              disabled={busy === 'connecting'}
              aria-label={`${action} ${name}`}
              onClick={() => onConnect(card)}
            >
              {action}
            </Button>
          )}
        </span>
      </div>
    </article>
  )
})

/** Who published an entry, in one line; all of it on hover, and while the keyboard is in the card. */
function Namespace({ name }: { name: string }) {
  return (
    <p
      className="truncate text-sm text-ink-muted group-has-focus-visible:overflow-visible group-has-focus-visible:wrap-anywhere group-has-focus-visible:whitespace-normal"
      title={`Published by ${name}`}
    >
      {name}
    </p>
  )
}

/** INT-21, INT-22; where one click does it, nothing is left to be set up. */
function connectLabel(card: CatalogueCard): string {
  return card.entry.auth_type === 'oauth2' && !connectsAtOnce(card) ? 'Setup ~5 mins' : 'Connect'
}

/** Beside a sign-in in one click: a key or an app of one's own, where the product knows how that goes. */
function ownWayLabel(card: CatalogueCard): string | undefined {
  const { entry } = card
  if (!entry.one_click || connectsAtOnce(card) !== 'by sign-in' || !entry.setup) return undefined
  return entry.auth_type === 'oauth2' ? 'Own app' : 'Own key'
}

const tones: Record<StatusTone, string> = {
  ok: 'text-success-ink',
  warn: 'text-warning-ink',
  bad: 'text-danger-ink',
  off: 'text-ink-muted',
}

function CardStatus({ tone, text, busy }: { tone: StatusTone; text: string; busy: Busy | undefined }) {
  if (busy === 'connecting')
    return (
      <p role="status" className="flex h-5 items-center gap-1.5 text-sm text-ink-muted">
        <Spinner className="size-3!" />
        Connecting...
      </p>
    )
  return (
    <p className={clsx('flex h-5 items-center gap-1.5 text-sm', tones[tone])}>
      <StatusGlyph tone={tone} />
      <span className="truncate">{text}</span>
    </p>
  )
}

/** INT-16 */
export function EnvironmentBadge({ sandbox }: { sandbox: boolean }) {
  if (!sandbox) return <Badge tone="outline">{environmentLabels.production}</Badge>
  return (
    <Badge tone="warning-outline">
      <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
      {environmentLabels.sandbox}
    </Badge>
  )
}

const authIcons: Record<AuthType, typeof KeyRound> = {
  oauth2: KeyRound,
  api_key: Tag,
  none: LockOpen,
  unknown: HelpCircle,
}

/** Why there is no button to connect it. */
function LocalServerNote() {
  const { assistantName } = useBrand()
  return (
    <p className="mt-3 text-sm text-ink-muted">
      Runs on your own computer; {assistantName} can use servers with a web address.
    </p>
  )
}

function LocalServerBadge() {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-sm whitespace-nowrap text-ink-muted">
      <Laptop aria-hidden size={16} className="shrink-0 text-ink-faint" />
      <span className="truncate">Runs locally</span>
    </span>
  )
}

function AuthTypeBadge({ authType, label }: { authType: AuthType; label: string }) {
  const Icon = authIcons[authType]
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-sm whitespace-nowrap text-ink-muted">
      <Icon aria-hidden size={16} className="shrink-0 text-ink-faint" />
      <span className="truncate" title={label}>
        {label}
      </span>
    </span>
  )
}

/** The shape of a card that is on its way. */
export function CardSkeleton() {
  return (
    <div aria-hidden className="flex flex-col rounded-lg bg-surface-raised p-5 hairline">
      <div className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-start gap-x-3">
        <Skeleton className="size-10 rounded-md" />
        <div className="grid gap-2.5 pt-1">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-2.5 w-22" />
        </div>
        <Skeleton className="h-[22px] w-10" />
      </div>
      <div className="mt-5 grid gap-2.5 pb-1">
        <Skeleton className="h-2.5 w-full" />
        <Skeleton className="h-2.5 w-3/5" />
      </div>
      <div className="mt-3.5 flex gap-1.5">
        <Skeleton className="h-[22px] w-19" />
        <Skeleton className="h-[22px] w-23" />
      </div>
      <div className="mt-auto flex items-center justify-between pt-5">
        <Skeleton className="h-2.5 w-18" />
        <Skeleton className="h-8 w-24 rounded-sm" />
      </div>
    </div>
  )
}
