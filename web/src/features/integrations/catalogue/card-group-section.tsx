import { t } from '@lingui/core/macro'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { formatCount, formatList } from '../../../lib/text/locale.ts'
import { useConnectionActivity, type ConnectionActivity } from '../connect/connection-activity.ts'
import { type CardActions, CardButtons } from './card-buttons.tsx'
import { CardGrid } from './card-grid.tsx'
import type { CardGroup } from './card-groups.ts'
import clsx from 'clsx'
import { memo, Fragment } from 'react'
import { runsLocally } from '#shared/registry-search.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { EnvironmentBadge } from '../connect/environment-badge.tsx'
import {
  getCardName,
  supportsSandbox,
  type CatalogueCard,
  describeAuthType,
  hasConnection,
} from '../state/catalogue-cards.ts'
import { getCardStatus } from '../state/connection-status.ts'
import { formatCatalogueUpdate } from '../state/date-labels.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { ToolUsage } from './tool-usage.tsx'
import { HelpCircle, KeyRound, Laptop, LockOpen, Tag } from 'lucide-react'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { StatusIcon, type StatusVariant } from '../../../components/ui/status-icon.tsx'

/** The publisher in one line; in full on hover and while the card has keyboard focus. */
function Namespace({ name }: { name: string }) {
  return (
    <p
      className="truncate text-sm text-ink-muted group-has-focus-visible:overflow-visible group-has-focus-visible:wrap-anywhere group-has-focus-visible:whitespace-normal"
      title={t`Published by ${{ publisher: name }}`}
    >
      {name}
    </p>
  )
}

const variantClasses: Record<StatusVariant, string> = {
  ok: 'text-success-ink',
  warn: 'text-warning-ink',
  bad: 'text-danger-ink',
  off: 'text-ink-muted',
}

/** The status of a connection, or the progress while it is being connected. */
function CardStatus({
  variant,
  text,
  activity,
}: {
  variant: StatusVariant
  text: string
  activity: ConnectionActivity | undefined
}) {
  const isConnecting = activity === 'connecting'
  return (
    <>
      {/* always there, or screen readers would not notice its text */}
      <div role="status">
        {isConnecting && (
          <p className="flex h-5 items-center gap-1.5 text-sm text-ink-muted">
            <Spinner size={12} />
            {t`Connecting…`}
          </p>
        )}
      </div>
      {!isConnecting && (
        <p className={clsx('flex min-h-5 items-center gap-1.5 text-sm', variantClasses[variant])}>
          <StatusIcon variant={variant} />
          <span>{text}</span>
        </p>
      )}
    </>
  )
}

/** Explains why the entry cannot be connected. */
function LocalServerNote() {
  const { assistantName } = useBrand()
  return (
    <p className="text-ink-muted">{t`Runs on your own computer; ${assistantName} can use servers with a web address.`}</p>
  )
}

/** Stands in place of `AuthTypeBadge` on the card of a server that cannot be connected. */
function LocalServerBadge() {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap">
      <Laptop aria-hidden size={14} className="shrink-0" />
      <span className="truncate">{t`Runs locally`}</span>
    </span>
  )
}

const authIcons: Record<AuthType, typeof KeyRound> = {
  oauth2: KeyRound,
  api_key: Tag,
  none: LockOpen,
  unknown: HelpCircle,
}

/** How an integration signs in, as an icon with its label. */
function AuthTypeBadge({ authType, label }: { authType: AuthType; label: string }) {
  const Icon = authIcons[authType]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden size={14} className="shrink-0 text-ink-faint" />
      {label}
    </span>
  )
}

interface CardDetailsProps {
  card: CatalogueCard
  /** its tools, once known */
  tools: IntegrationTools | undefined
  now: Date
}

/** What an integration offers, how it signs in, and what there is to know about its connection. */
function CardDetails({ card, tools, now }: CardDetailsProps) {
  const { entry } = card
  const description = translateName(entry.description)
  return (
    <div className="col-span-3 mt-2 grid min-w-0 gap-px text-sm">
      <p className="truncate text-ink-muted" dir="auto" title={description}>
        {description}
      </p>
      <div className="flex min-h-5 min-w-0 items-center gap-1.5 text-xs text-ink-faint">
        <Features names={entry.config.features.map((feature) => translateName(feature))} />
        <span className="ms-auto shrink-0 ps-2">
          {runsLocally(entry) ? <LocalServerBadge /> : <AuthTypeBadge {...describeAuthType(card)} />}
        </span>
      </div>
      <ConnectionNote card={card} tools={tools} now={now} />
    </div>
  )
}

/** About as many as fit into the line of a card; the others are in a tooltip. */
const maxFeatures = 3

function Features({ names }: { names: readonly string[] }) {
  return (
    <>
      <p className="truncate">
        {names.slice(0, maxFeatures).map((name, index) => (
          <Fragment key={name}>
            {index > 0 && <span aria-hidden> · </span>}
            <span>{name}</span>
          </Fragment>
        ))}
      </p>
      {names.length > maxFeatures && (
        <span className="shrink-0" title={formatList(names.slice(maxFeatures))}>
          {t`+${{ count: names.length - maxFeatures }} more`}
        </span>
      )}
    </>
  )
}

/** Why it cannot be connected or does not work, otherwise how its tools are used. */
function ConnectionNote({ card, tools, now }: CardDetailsProps) {
  const { entry, environment, connection, isAllowed } = card
  const isConnected = connection?.status === 'connected'
  const toolsAllowed = useToolsAllowed()
  if (runsLocally(entry)) return <LocalServerNote />
  // where nothing is allowed, the page says so once
  if (!isAllowed && (isConnected || toolsAllowed !== 'none'))
    return <p className="text-ink-muted">{t`Your administrator does not allow it.`}</p>
  if (isConnected && connection.reconnect)
    return (
      <p className="wrap-anywhere text-danger-ink">
        {translateSentence(describeReconnectReason(getCardName(card), connection.reconnect))}
      </p>
    )
  if (environment === 'sandbox' && hasConnection(card))
    return (
      <p className="text-ink-muted">{t`Credentials of the sandbox are stored. Disconnect removes them.`}</p>
    )
  return <ToolUsage entry={entry} isConnected={isConnected} tools={tools} now={now} />
}

/** A group of cards below its heading. */
export function CardGroupSection({
  group,
  tools,
  now,
  ...actions
}: {
  group: CardGroup
  /** those of all integrations, once known */
  tools: readonly IntegrationTools[] | undefined
  now: Date
} & CardActions) {
  const getActivity = useConnectionActivity()
  const heading = getHeading(group)
  return (
    <section aria-label={heading} className="not-first:mt-8">
      <h2 className="mb-2 text-sm font-medium text-ink-muted">
        {heading} <span className="font-normal text-ink-faint">{formatCount(group.cards.length)}</span>
      </h2>
      <CardGrid>
        {group.cards.map((card) => (
          <IntegrationCard
            key={card.id}
            card={card}
            tools={card.connection && tools?.find(({ id }) => id === card.id)}
            activity={getActivity(card.id)}
            now={now}
            {...actions}
          />
        ))}
      </CardGrid>
    </section>
  )
}

/** A heading that is true of cards which stay where they are when they are connected or disconnected. */
function getHeading({ isFirst, connected }: CardGroup): string {
  switch (connected) {
    case 'all':
      return isFirst ? t`Connected` : t`Just connected`
    case 'some':
      return isFirst ? t`Connected, and just disconnected` : t`Available, and just connected`
    case 'none':
      return isFirst ? t`Just disconnected` : t`Available`
  }
}

/** A card of the catalogue: what an integration offers, its status and its actions. */
const IntegrationCard = memo(function IntegrationCard({
  card,
  tools,
  activity,
  now,
  ...actions
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
  return (
    <article
      aria-label={getCardName(card)}
      className={clsx(
        'group grid min-w-0 grid-cols-[40px_minmax(0,1fr)_auto] sm:grid-cols-[40px_minmax(7.25rem,1fr)_auto] content-start items-start gap-x-3 rounded-lg transition-shadow duration-(--duration-fast) [contain-intrinsic-size:auto_7.5rem] [content-visibility:auto]',
        // the dashed border is one pixel of the padding
        isSandbox
          ? 'border border-dashed border-line-strong p-[calc(--spacing(4)-1px)] hover:border-line-control'
          : 'bg-surface-raised p-4 hairline hover:[--hairline:var(--color-line-strong)]',
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
          text={runsLocally(entry) ? t`Cannot be connected here` : status.text}
          activity={activity}
        />
      </div>
      <CardButtons card={card} activity={activity} now={now} {...actions} />
      <CardDetails card={card} tools={tools} now={now} />
    </article>
  )
})
